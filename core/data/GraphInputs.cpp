#include "core/data/GraphInputs.h"

#include <charconv>
#include <fmt/format.h>

namespace pt2e {

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

namespace {

Result<void> checkShape(const Node& input, const TensorMeta& meta, const Tensor& tensor,
                        Symbols& symbols)
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

} // namespace

Result<Value> asInput(const Node& input, const Tensor& tensor, Symbols& symbols)
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

// ---- samples

std::int64_t SampleForm::elements() const
{
    std::int64_t count = 1;
    for (const std::int64_t size : sample)
        count *= size;
    return count;
}

std::optional<SampleForm::Geometry> SampleForm::geometry() const
{
    if (sample.size() == 2)
        return Geometry{1, sample[0], sample[1]};
    if (sample.size() == 3)
        return Geometry{sample[0], sample[1], sample[2]};
    return std::nullopt;
}

namespace {

Result<const Node*> onlyTensorInput(const Graph& graph)
{
    const Node* found = nullptr;
    int count = 0;
    for (const NodeId id : graph.placeholders()) {
        const Node& input = graph.node(id);
        if (constantOf(input))
            continue;
        ++count;
        found = input.val.tensor() ? &input : found;
    }
    if (count == 1 && found)
        return found;
    return badInput("", fmt::format("such data are for a graph with one tensor input, this one has "
                                    "{} inputs: give a .npz with arrays b<batch>_i<input>",
                                    count));
}

/// Whether the first of the input's axes is the batch.
bool hasBatchAxis(const std::vector<SymInt>& shape, const std::vector<std::int64_t>& sample)
{
    if (shape.empty())
        return false;
    if (shape.front().isSymbolic())
        return true;
    if (sample.empty()) {
        const bool isOnePicture =
            shape.size() == 1
            || (shape.size() == 3 && (shape[0].value() == 1 || shape[0].value() == 3));
        return !isOnePicture;
    }
    // The same number of elements in one sample and in the whole input: no batch.
    std::int64_t given = 1, wanted = 1;
    for (const std::int64_t size : sample)
        given *= size;
    for (const SymInt& size : shape)
        wanted *= size.isSymbolic() ? 1 : size.value();
    return given != wanted || shape.size() > sample.size();
}

} // namespace

Result<SampleForm> sampleFormOf(const Graph& graph, const std::vector<std::int64_t>& sample)
{
    PT2E_ASSIGN(const Node* const input, onlyTensorInput(graph));
    const TensorMeta& meta = *input->val.tensor();
    SampleForm form;
    form.input = input->name;
    form.dtype = meta.dtype;
    const bool isBatched = hasBatchAxis(meta.shape, sample);
    form.batch = !isBatched ? -1 : meta.shape.front().isSymbolic() ? 0 : meta.shape.front().value();
    for (std::size_t i = isBatched ? 1 : 0; i < meta.shape.size(); ++i) {
        if (meta.shape[i].isSymbolic())
            return badInput("", fmt::format("input '{}' has the shape {}, whose size {} is open: "
                                            "give a .npz with arrays b<batch>_i<input>",
                                            input->name, shapeText(meta.shape),
                                            meta.shape[i].expression()));
        form.sample.push_back(meta.shape[i].value());
    }
    if (form.batch == 0 && !meta.shape.front().isSymbolic())
        return badInput("", fmt::format("input '{}' has no elements", input->name));
    return form;
}

} // namespace pt2e
