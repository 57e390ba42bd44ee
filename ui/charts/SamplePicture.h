// One sample of the data as a small picture: what the network sees. Any thread.
#pragma once

#include "core/data/DataFormat.h"
#include "core/tensor/Tensor.h"

#include <QColor>
#include <QImage>

namespace pt2e::ui {

/// C×H×W and H×W with one or three channels as pixels, the normalisation of `format` taken back; values that are no
/// pixels then run from the smallest (black) to the largest (white). Anything else is a line over its values in `ink`.
/// side: of the square it fits into, in device pixels; small pictures are enlarged by whole numbers.
/// A null image if the values cannot be read or there are none.
QImage samplePicture(const Tensor& sample, const DataFormat& format, int side, const QColor& ink);

} // namespace pt2e::ui
