#include "core/data/Batches.h"

#include "core/data/ArrayData.h"
#include "core/data/GraphInputs.h"
#include "core/data/Npz.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e {

namespace {

Result<void> placed(Result<void> result, const std::string& where)
{
    if (!result)
        return fail(result.error().code, where, result.error().message());
    return result;
}

/// The shape to draw for an input, or an error that says why there is none.
Result<std::vector<std::int64_t>> shapeToDraw(const Node& input, const Value* example)
{
    const TensorMeta* meta = input.val.tensor();
    const std::string where = fmt::format("input '{}'", input.name);
    if (!meta || !isFloatingPoint(meta->dtype))
        return badInput(
            where,
            fmt::format("random data is made for float inputs only, this one is {}: give a .npz "
                        "file with arrays b<batch>_i<input>",
                        meta ? std::string(dtypeName(meta->dtype)) : std::string("no tensor")));
    if (example && example->tensor())
        return example->tensor()->shape();
    std::vector<std::int64_t> shape;
    for (const SymInt& size : meta->shape) {
        if (size.isSymbolic())
            return badInput(
                where,
                fmt::format("its shape {} has no fixed size {}: give a .npz file with arrays "
                            "b<batch>_i<input>",
                            shapeText(meta->shape), size.expression()));
        shape.push_back(size.value());
    }
    return shape;
}

Result<Value> draw(const Node& input, const Value* example, RandomStream& stream)
{
    if (auto constant = constantOf(input))
        return *constant;
    PT2E_ASSIGN(const std::vector<std::int64_t> shape, shapeToDraw(input, example));
    PT2E_ASSIGN(Tensor drawn, stream.randn(shape));
    const DType dtype = input.val.tensor()->dtype;
    if (dtype != DType::Float32) {
        // The float32 stream, rounded.
        PT2E_ASSIGN(const Kernels* const torch, kernels());
        PT2E_ASSIGN(drawn, torch->callTensor("aten.to.dtype", {Value{drawn}, Value{dtype}}));
    }
    return Value{std::move(drawn)};
}

Result<Tensor> asArray(const Value& value)
{
    if (const Tensor* tensor = value.tensor())
        return *tensor;
    if (const auto* flag = std::get_if<bool>(&value.data)) {
        const std::uint8_t byte = *flag ? 1 : 0;
        return Tensor::fromValues<std::uint8_t>(DType::Bool, {}, std::span(&byte, 1));
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value.data))
        return Tensor::fromValues<std::int64_t>(DType::Int64, {}, std::span(whole, 1));
    if (const auto* real = std::get_if<double>(&value.data))
        return Tensor::fromValues<double>(DType::Float64, {}, std::span(real, 1));
    return fail(ErrorCode::Unsupported, "", "cannot be written: " + describeValue(value));
}

} // namespace

Result<std::string> hashOf(const Values& batch)
{
    std::string lines;
    for (std::size_t input = 0; input < batch.size(); ++input) {
        lines += fmt::format("i{} ", input);
        if (batch[input].isNone()) {
            lines += "None\n";
            continue;
        }
        PT2E_ASSIGN(const Tensor tensor, asArray(batch[input]));
        PT2E_ASSIGN(const std::string bytes, sha256(tensor));
        lines += fmt::format("{} {} {}\n", dtypeName(tensor.dtype()),
                             fmt::join(tensor.shape(), "x"), bytes);
    }
    return sha256(std::as_bytes(std::span(lines)));
}

std::string hashOfHashes(std::span<const std::string> hashes)
{
    const std::string lines = fmt::format("{}", fmt::join(hashes, "\n"));
    return sha256(std::as_bytes(std::span(lines)));
}

Result<void> hashBatches(Batches& batches)
{
    batches.hashes.clear();
    for (const Values& batch : batches.batches) {
        PT2E_ASSIGN(batches.hashes.emplace_back(), hashOf(batch));
    }
    batches.hash = hashOfHashes(batches.hashes);
    return {};
}

Result<Batches> readBatches(const std::string& path, const Graph& graph, std::int64_t limit)
{
    PT2E_ASSIGN(const auto data, openArrays({path}, graph, 0, true));
    Batches batches;
    const std::int64_t count = limit < 0 ? data->batchCount() : std::min(limit, data->batchCount());
    for (std::int64_t i = 0; i < count; ++i) {
        PT2E_ASSIGN(DataBatch batch, data->read(i));
        batches.batches.push_back(std::move(batch.inputs));
        batches.hashes.push_back(std::move(batch.hash));
    }
    batches.hash = hashOfHashes(batches.hashes);
    batches.description = data->description();
    return batches;
}

Result<Batches> drawBatches(const Graph& graph, std::int64_t count, RandomStream& stream,
                            const Values* shapesFrom)
{
    Batches drawn;
    for (std::int64_t batch = 0; batch < count; ++batch) {
        Values values;
        for (const NodeId id : graph.placeholders()) {
            const bool hasExample = shapesFrom && values.size() < shapesFrom->size();
            PT2E_ASSIGN(
                Value value,
                draw(graph.node(id), hasExample ? &(*shapesFrom)[values.size()] : nullptr, stream));
            values.push_back(std::move(value));
        }
        drawn.batches.push_back(std::move(values));
    }
    PT2E_TRY(hashBatches(drawn));
    drawn.description = count == 1 ? "1 random batch" : fmt::format("{} random batches", count);
    return drawn;
}

Result<Batches> randomBatches(const Graph& graph, std::int64_t count, std::uint64_t seed,
                              const Values* shapesFrom)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    const auto stream = torch->randomStream(seed);
    return drawBatches(graph, count, *stream, shapesFrom);
}

Result<void> writeOutputs(const std::string& path, const std::vector<Values>& outputs)
{
    NamedTensors arrays;
    for (std::size_t batch = 0; batch < outputs.size(); ++batch) {
        for (std::size_t i = 0; i < outputs[batch].size(); ++i) {
            if (outputs[batch][i].isNone())
                continue;
            const std::string name = fmt::format("b{}_o{}", batch, i);
            auto array = asArray(outputs[batch][i]);
            if (!array)
                return placed(passOn(array), path + ": " + name);
            arrays.emplace_back(name, std::move(*array));
        }
    }
    return writeNpz(path, arrays);
}

} // namespace pt2e
