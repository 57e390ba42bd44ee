// A display list as SVG: own writer, so that equal lists give equal bytes and text stays text.
#pragma once

#include "ui/render/DisplayList.h"

#include <QByteArray>

namespace pt2e {

QByteArray writeSvg(const DisplayList& list, const Theme& theme, const QString& title,
                    const QString& description);

} // namespace pt2e
