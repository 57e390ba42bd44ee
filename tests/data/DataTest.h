// Graphs and tensors that the tests of core/data need.
#pragma once

#include "core/data/Batches.h"
#include "core/ir/GraphEditor.h"

#include <QString>

#include <cstdint>

namespace pt2e {

using Whole = std::int64_t;

inline ValueMeta tensorMeta(std::vector<SymInt> shape, DType dtype = DType::Float32)
{
    TensorMeta meta;
    meta.dtype = dtype;
    meta.shape = std::move(shape);
    return {meta};
}

/// A graph with these inputs, that gives them back.
inline GraphPtr graphWith(const std::vector<std::pair<std::string, ValueMeta>>& inputs)
{
    GraphEditor editor;
    std::vector<Argument> results;
    for (const auto& [name, val] : inputs) {
        NewNode node;
        node.kind = OpKind::Placeholder;
        node.target = name;
        node.val = val;
        results.emplace_back(editor.append(std::move(node)));
    }
    NewNode output;
    output.kind = OpKind::Output;
    output.target = "output";
    output.args = {Argument::tuple(std::move(results))};
    editor.append(std::move(output));
    return std::move(editor).publish();
}

inline Tensor floats(std::vector<Whole> shape, float first = 0)
{
    Whole count = 1;
    for (const Whole size : shape)
        count *= size;
    std::vector<float> values;
    for (Whole i = 0; i < count; ++i)
        values.push_back(first + static_cast<float>(i));
    return Tensor::fromValues<float>(DType::Float32, std::move(shape), values);
}

template<typename T>
QString messageOf(const Result<T>& result)
{
    return result ? QString("no error") : QString::fromStdString(result.error().message());
}

} // namespace pt2e
