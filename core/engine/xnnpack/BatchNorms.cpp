#include "core/engine/xnnpack/BatchNorms.h"

#include "core/engine/xnnpack/Ops.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pt2e::xnn {

namespace {

using Reals = std::vector<double>;

constexpr std::string_view kProducers[] = {
    "aten.conv1d.default", "aten.conv1d.padding", "aten.conv2d.default", "aten.conv2d.padding",
    "aten.conv3d.default", "aten.conv3d.padding", "aten.linear.default",
};

/// What one norm and the op before it come to.
struct Folded
{
    Tensor weight;
    Tensor bias;
};

class Folder
{
public:
    explicit Folder(const Graph& graph) : m_editor(graph) {}

    GraphPtr run() &&
    {
        bool isChanged = false;
        for (const NodeId id : graph().order()) {
            const Node* norm = graph().find(id);
            const Node* producer = norm ? producerOf(*norm) : nullptr;
            const auto folded = producer ? fold(*producer, *norm) : std::nullopt;
            if (!folded)
                continue;
            replace(*norm, *producer, *folded);
            isChanged = true;
        }
        return isChanged ? std::move(m_editor).publish() : nullptr;
    }

private:
    const Graph& graph() const { return m_editor.graph(); }

    const Node* producerOf(const Node& norm) const
    {
        if (!norm.calls("aten.batch_norm.default") || norm.arg(5).get<bool>() == nullptr
            || *norm.arg(5).get<bool>())
            return nullptr;
        const Node* producer = graph().find(norm.arg(0).node());
        const auto isOne = [&](std::string_view target) { return producer->calls(target); };
        if (!producer || producer->users.size() != 1 || !producer->kwargs.empty()
            || std::none_of(std::begin(kProducers), std::end(kProducers), isOne))
            return nullptr;
        const TensorMeta* meta = norm.val.tensor();
        if (producer->calls("aten.linear.default") && (!meta || meta->shape.size() != 2))
            return nullptr; // the norm works on the second dimension, not on the last
        return producer;
    }

    /// The float32 attribute that an argument names, if nothing may write it.
    const Tensor* constant(const Argument& argument) const
    {
        const Node* node = argument.node() ? graph().find(argument.node()) : nullptr;
        const Attribute* attribute =
            node && node->is(OpKind::GetAttr) ? graph().attributes().find(node->target) : nullptr;
        if (!attribute || !attribute->value.isValid() || attribute->value.dtype() != DType::Float32)
            return nullptr;
        for (const Node& other : graph()) {
            if (other.is(OpKind::GetAttr) && other.target == node->target && mayBeWritten(other))
                return nullptr;
        }
        return &attribute->value;
    }

    /// "add_", "copy_", …; also through a view, so any reader that is no norm and no op with weights is one.
    bool mayBeWritten(const Node& attribute) const
    {
        return std::any_of(attribute.users.begin(), attribute.users.end(), [&](NodeId user) {
            const Node& reader = graph().node(user);
            return !reader.calls("aten.batch_norm.default")
                   && std::none_of(std::begin(kProducers), std::end(kProducers),
                                   [&](std::string_view target) { return reader.calls(target); });
        });
    }

    /// The numbers of an argument, `missing` for each channel where it is None.
    std::optional<Reals> channels(const Argument& argument, std::size_t count, double missing) const
    {
        if (argument.isNone())
            return Reals(count, missing);
        const Tensor* tensor = constant(argument);
        const auto values = tensor ? tensor->toDoubles() : Result<Reals>(Reals());
        if (!values || values->size() != count)
            return std::nullopt;
        return *values;
    }

    std::optional<Folded> fold(const Node& producer, const Node& norm) const
    {
        const Tensor* weight = constant(producer.arg(1));
        const auto eps = numberOf(norm.arg(7));
        if (!weight || weight->shape().empty() || !eps || norm.arg(3).isNone()
            || norm.arg(4).isNone())
            return std::nullopt;
        const auto count = static_cast<std::size_t>(weight->shape().front());
        const auto oldBias = channels(producer.arg(2), count, 0);
        const auto gain = channels(norm.arg(1), count, 1);
        const auto shift = channels(norm.arg(2), count, 0);
        const auto mean = channels(norm.arg(3), count, 0);
        const auto variance = channels(norm.arg(4), count, 0);
        const auto values = weight->toDoubles();
        if (!oldBias || !gain || !shift || !mean || !variance || !values || count == 0)
            return std::nullopt;
        std::vector<float> newWeight;
        std::vector<float> newBias;
        newWeight.reserve(values->size());
        const std::size_t row = values->size() / count;
        for (std::size_t c = 0; c < count; ++c) {
            const double factor = (*gain)[c] / std::sqrt((*variance)[c] + *eps);
            for (std::size_t i = 0; i < row; ++i)
                newWeight.push_back(static_cast<float>((*values)[c * row + i] * factor));
            newBias.push_back(
                static_cast<float>(((*oldBias)[c] - (*mean)[c]) * factor + (*shift)[c]));
        }
        return Folded{
            Tensor::fromValues(DType::Float32, weight->shape(), std::span<const float>(newWeight)),
            Tensor::fromValues(DType::Float32, {weight->shape().front()},
                               std::span<const float>(newBias))};
    }

    NodeId attribute(InsertPoint& at, const std::string& name, const Tensor& value)
    {
        NewNode node;
        node.kind = OpKind::GetAttr;
        node.target = m_editor.freeAttributeName(name);
        node.val.value = value.meta();
        m_editor.setAttribute(node.target, {value, AttributeKind::Parameter});
        return m_editor.insert(at, std::move(node));
    }

    void replace(const Node& norm, const Node& producer, const Folded& folded)
    {
        const NodeId id = norm.id;
        const NodeId gone = producer.id;
        const std::string target = producer.target;
        const std::string name = norm.name;
        Arguments args = producer.args;
        args.resize(std::max<std::size_t>(args.size(), 3));
        InsertPoint at = InsertPoint::before(id);
        args[1] = attribute(at, name + "_weight", folded.weight);
        args[2] = attribute(at, name + "_bias", folded.bias);
        m_editor.setArgsAndKwargs(id, std::move(args), {});
        m_editor.setTarget(id, target);
        m_editor.erase(gone);
    }

    GraphEditor m_editor;
};

} // namespace

GraphPtr foldBatchNorms(const GraphPtr& graph)
{
    const bool hasNorm = std::any_of(graph->begin(), graph->end(), [](const Node& node) {
        return node.calls("aten.batch_norm.default");
    });
    return hasNorm ? Folder(*graph).run() : nullptr;
}

} // namespace pt2e::xnn
