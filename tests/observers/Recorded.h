// The text form in which tests/data/observers has what torchao's observers did: tensors, settings, numbers.
#pragma once

#include "core/quant/Spec.h"
#include "core/tensor/Tensor.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace pt2e::test {

/// The recorder's batch(): "n,mul,add,mod,off,den[,shape][:tail]".
Tensor batchOf(const QString& text);
/// Reals between commas, "inf", "-inf" and "nan" among them.
std::vector<float> floatsOf(const QString& text);
/// The first seven fields of a line: kind, dtype, bounds, qscheme, eps, extra.
ObservedSpec specOf(const QStringList& fields);

} // namespace pt2e::test
