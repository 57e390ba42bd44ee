// A display list as one PDF page of its size; without dates and random ids, so that equal lists give equal bytes.
#pragma once

#include "ui/render/DisplayList.h"

#include <QByteArray>

namespace pt2e {

QByteArray writePdf(const DisplayList& list, const Theme& theme, const QString& title);

} // namespace pt2e
