#include "core/data/Batches.h"

#include "core/data/Npz.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <unordered_map>

namespace pt2e {

namespace {

std::string fileName(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
}

/// The number between prefix and the end, or nothing.
std::optional<std::int64_t> numberAfter(std::string_view text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return std::nullopt;
    text.remove_prefix(prefix.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isCanonical =
        !text.empty() && (text.size() == 1 || text.front() != '0') && text.front() != '-';
    if (error != std::errc() || end != text.data() + text.size() || !isCanonical)
        return std::nullopt;
    return number;
}

/// "b3_i0" → (3, 0).
std::optional<std::pair<std::int64_t, std::int64_t>> placeOf(std::string_view name)
{
    const std::size_t split = name.find('_');
    if (split == std::string_view::npos)
        return std::nullopt;
    const auto batch = numberAfter(name.substr(0, split), "b");
    const auto input = numberAfter(name.substr(split), "_i");
    if (!batch || !input)
        return std::nullopt;
    return std::pair(*batch, *input);
}

/// A placeholder that was a plain number when the program was exported.
std::optional<Value> constantOf(const Node& placeholder)
{
    const auto* scalar = std::get_if<ValueMeta::Scalar>(&placeholder.val.value);
    if (!scalar)
        return placeholder.val.isNone() ? std::optional(Value{}) : std::nullopt;
    const char* const end = scalar->text.data() + scalar->text.size();
    if (scalar->type == "bool")
        return Value{scalar->text == "True"};
    if (std::int64_t whole = 0;
        scalar->type == "int" && std::from_chars(scalar->text.data(), end, whole).ptr == end)
        return Value{whole};
    if (double real = 0;
        scalar->type == "float" && std::from_chars(scalar->text.data(), end, real).ptr == end)
        return Value{real};
    return std::nullopt;
}

Result<void> checkShape(const Node& input, const TensorMeta& meta, const Tensor& tensor,
                        std::unordered_map<std::string, std::int64_t>& symbols)
{
    std::vector<SymInt> given(tensor.shape().begin(), tensor.shape().end());
    const auto mismatch = [&] {
        return badInput("", fmt::format("has shape {}, input '{}' needs {}", shapeText(given),
                                        input.name, shapeText(meta.shape)));
    };
    if (given.size() != meta.shape.size())
        return mismatch();
    for (std::size_t i = 0; i < given.size(); ++i) {
        const SymInt& wanted = meta.shape[i];
        if (!wanted.isSymbolic()) {
            if (wanted.value() != given[i].value())
                return mismatch();
            continue;
        }
        const auto [known, isNew] = symbols.emplace(wanted.expression(), given[i].value());
        if (!isNew && known->second != given[i].value())
            return badInput("", fmt::format("has size {} where another input has {} for {}",
                                            given[i].value(), known->second, wanted.expression()));
    }
    return {};
}

/// The array as the placeholder wants it.
Result<Value> asInput(const Node& input, const Tensor& tensor,
                      std::unordered_map<std::string, std::int64_t>& symbols)
{
    const TensorMeta* meta = input.val.tensor();
    if (!meta) {
        // A size or another number: an array without dimensions.
        PT2E_ASSIGN(const std::vector<double> number, tensor.toDoubles());
        if (number.size() != 1)
            return badInput("", fmt::format("input '{}' is one number", input.name));
        if (tensor.dtype() == DType::Bool)
            return Value{number.front() != 0};
        if (isInteger(tensor.dtype()))
            return Value{static_cast<std::int64_t>(number.front())};
        return Value{number.front()};
    }
    if (meta->dtype != tensor.dtype())
        return badInput("",
                        fmt::format("has dtype {}, input '{}' needs {}", dtypeName(tensor.dtype()),
                                    input.name, dtypeName(meta->dtype)));
    PT2E_TRY(checkShape(input, *meta, tensor, symbols));
    return Value{tensor};
}

Result<void> placed(Result<void> result, const std::string& where)
{
    if (!result)
        return fail(result.error().code, where, result.error().message());
    return result;
}

using Grid = std::unordered_map<std::string, const Tensor*>;

Result<Values> readBatch(const std::string& path, const Graph& graph, const Grid& arrays,
                         std::int64_t batch)
{
    Values values;
    std::unordered_map<std::string, std::int64_t> symbols;
    for (const NodeId id : graph.placeholders()) {
        const Node& input = graph.node(id);
        const std::string name = fmt::format("b{}_i{}", batch, values.size());
        const auto found = arrays.find(name);
        if (found == arrays.end()) {
            auto constant = constantOf(input);
            if (!constant)
                return badInput(
                    path, fmt::format("array '{}' for input '{}' is missing", name, input.name));
            values.push_back(std::move(*constant));
            continue;
        }
        auto value = asInput(input, *found->second, symbols);
        if (!value)
            return fail(value.error().code, fmt::format("{}: array '{}'", path, name),
                        value.error().message());
        values.push_back(std::move(*value));
    }
    return values;
}

Result<std::vector<Values>> fromNpz(const std::string& path, const Graph& graph,
                                    const NamedTensors& arrays, std::int64_t limit)
{
    const auto inputs = static_cast<std::int64_t>(graph.placeholders().size());
    Grid grid;
    std::int64_t count = 0;
    for (const auto& [name, tensor] : arrays) {
        const auto place = placeOf(name);
        if (!place)
            return badInput(path, fmt::format("array '{}' is not named b<batch>_i<input>", name));
        if (place->second >= inputs)
            return badInput(path, fmt::format("array '{}': the graph has {} inputs", name, inputs));
        grid.emplace(name, &tensor);
        count = std::max(count, place->first + 1);
    }
    // A gap would otherwise be counted through: b9999999999_i0.
    if (count > static_cast<std::int64_t>(arrays.size()))
        return badInput(path,
                        fmt::format("batches are not numbered from 0 without gaps (highest is b{})",
                                    count - 1));
    if (limit >= 0)
        count = std::min(count, limit);
    std::vector<Values> batches;
    for (std::int64_t batch = 0; batch < count; ++batch) {
        PT2E_ASSIGN(Values values, readBatch(path, graph, grid, batch));
        batches.push_back(std::move(values));
    }
    return batches;
}

Result<std::vector<Values>> fromNpy(const std::string& path, const Graph& graph, const Tensor& all,
                                    std::int64_t limit)
{
    const std::vector<NodeId> inputs = graph.placeholders();
    if (inputs.size() != 1 || !graph.node(inputs.front()).val.tensor())
        return badInput(
            path,
            fmt::format("a .npy file holds one input, the graph has {}: give a .npz with arrays "
                        "b<batch>_i<input>",
                        inputs.size()));
    if (all.shape().empty())
        return badInput(path, "the array has no dimensions; the first one runs over the batches");
    const Node& input = graph.node(inputs.front());
    const std::vector<std::int64_t> shape(all.shape().begin() + 1, all.shape().end());
    std::int64_t step = 1;
    for (const std::int64_t size : shape)
        step *= size;
    const std::int64_t count =
        limit < 0 ? all.shape().front() : std::min(limit, all.shape().front());
    std::vector<Values> batches;
    for (std::int64_t batch = 0; batch < count; ++batch) {
        const Tensor part(all.storage(), all.dtype(), shape, Tensor::contiguousStrides(shape),
                          all.offset() + batch * step);
        std::unordered_map<std::string, std::int64_t> symbols;
        auto value = asInput(input, part, symbols);
        if (!value)
            return fail(value.error().code, path,
                        "each batch (the first axis runs over the batches) "
                            + value.error().message());
        batches.push_back({std::move(*value)});
    }
    return batches;
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

Result<std::string> hashOf(const std::vector<Values>& batches)
{
    std::string lines;
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        for (std::size_t input = 0; input < batches[batch].size(); ++input) {
            const Value& value = batches[batch][input];
            lines += fmt::format("b{}_i{} ", batch, input);
            if (value.isNone()) {
                lines += "None\n";
                continue;
            }
            PT2E_ASSIGN(const Tensor tensor, asArray(value));
            PT2E_ASSIGN(const std::string bytes, sha256(tensor));
            lines += fmt::format("{} {} {}\n", dtypeName(tensor.dtype()),
                                 fmt::join(tensor.shape(), "x"), bytes);
        }
    }
    return sha256(std::as_bytes(std::span(lines)));
}

Result<Batches> readBatches(const std::string& path, const Graph& graph, std::int64_t limit)
{
    PT2E_ASSIGN(const NamedTensors arrays, readArrays(path));
    const bool isNpy = arrays.size() == 1 && arrays.front().first.empty();
    Batches read;
    PT2E_ASSIGN(read.batches, isNpy ? fromNpy(path, graph, arrays.front().second, limit)
                                    : fromNpz(path, graph, arrays, limit));
    PT2E_ASSIGN(read.hash, hashOf(read.batches));
    read.description = fileName(path);
    return read;
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
    PT2E_ASSIGN(drawn.hash, hashOf(drawn.batches));
    drawn.description = fmt::format("{} random batch{}", count, count == 1 ? "" : "es");
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
