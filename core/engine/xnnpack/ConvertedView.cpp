#include "core/engine/xnnpack/ConvertedView.h"

#include "core/engine/xnnpack/Aliasing.h"
#include "core/engine/xnnpack/Ops.h"
#include "core/engine/xnnpack/Segment.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e::xnn {

namespace {

std::optional<Shape> fixedShape(const std::vector<SymInt>& sizes)
{
    Shape shape;
    for (const SymInt& size : sizes) {
        if (size.isSymbolic())
            return std::nullopt;
        shape.push_back(size.value());
    }
    return shape;
}

/// Per-channel arguments: (input, scales, zero points, axis, quant_min, quant_max, dtype).
constexpr std::size_t kScales = 1;
constexpr std::size_t kZeroPoints = 2;
constexpr std::size_t kAxis = 3;

} // namespace

bool QuantizedConstant::isSymmetric() const
{
    return std::all_of(zeroPoints.begin(), zeroPoints.end(), [](auto zero) { return zero == 0; });
}

std::string shapeText(const Shape& shape)
{
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::int64_t elementCount(const Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

ConvertedView::ConvertedView(GraphPtr graph) : m_graph(std::move(graph))
{
    findConstants();
    findShapes();
    findTypes();
}

void ConvertedView::findConstants()
{
    for (const Node& node : *m_graph) {
        bool isConstant = node.is(OpKind::GetAttr) && m_graph->attributes().contains(node.target);
        if (isQuantizeOrDequantize(node) || isLookup(node)) {
            const auto inputs = node.inputs();
            isConstant = !inputs.empty()
                         && std::all_of(inputs.begin(), inputs.end(),
                                        [this](NodeId id) { return m_constants.contains(id); });
        }
        if (isConstant)
            m_constants.emplace(node.id, true);
    }
}

void ConvertedView::findShapes()
{
    for (const Node& node : *m_graph) {
        std::optional<Shape> shape;
        if (const TensorMeta* meta = node.val.tensor()) {
            shape = fixedShape(meta->shape);
        } else if (node.is(OpKind::GetAttr)) {
            if (const Attribute* attribute = m_graph->attributes().find(node.target);
                attribute && attribute->value.isValid())
                shape = attribute->value.shape();
        } else if (isPerTensorQuantize(node) || isPerTensorDequantize(node)
                   || isPerChannelQuantize(node) || isPerChannelDequantize(node)
                   || isDynamicQuantize(node) || isDynamicDequantize(node)) {
            // Conversion gives these no shape of their own.
            if (const Shape* input = this->shape(node.arg(0).node()))
                shape = *input;
        }
        if (shape)
            m_shapes.emplace(node.id, std::move(*shape));
    }
}

void ConvertedView::findTypes()
{
    for (const Node& node : *m_graph) {
        if (!isPerTensorQuantize(node) || isConstant(node.id))
            continue;
        QuantType type;
        if (Reason reason = typeReason(node, type); reason.empty())
            m_types.emplace(node.id, type);
        else
            m_reasons.emplace(node.id, std::move(reason));
    }
}

Reason ConvertedView::typeReason(const Node& quantize, QuantType& type) const
{
    ParsedType parsed = parsePerTensor(quantize);
    if (!parsed.type)
        return parsed.reason;
    type = *parsed.type;
    const Shape* sizes = shape(quantize.id);
    if (!sizes)
        return "its shape is not fixed";
    if (sizes->empty() || sizes->size() > kMaxRank)
        return fmt::format("it has {} dimensions; XNNPACK takes 1 to {}", sizes->size(), kMaxRank);
    if (std::any_of(sizes->begin(), sizes->end(), [](auto size) { return size <= 0; }))
        return fmt::format("it is empty ({})", shapeText(*sizes));
    if (const Node* input = m_graph->find(quantize.arg(0).node())) {
        const TensorMeta* meta = input->val.tensor();
        if (meta && meta->dtype != DType::Float32)
            return fmt::format("it quantizes a {} tensor", dtypeName(meta->dtype));
    }
    if (quantize.users.empty())
        return "nothing reads it";
    for (const NodeId user : quantize.users) {
        const Node& dequantize = m_graph->node(user);
        if (!isPerTensorDequantize(dequantize))
            return fmt::format("its integers are read by {}", dequantize.name);
        ParsedType other = parsePerTensor(dequantize);
        if (!other.type)
            return other.reason;
        if (!other.type->sameParameters(type) || other.type->isShifted != type.isShifted)
            return fmt::format("{} has other parameters", dequantize.name);
    }
    return {};
}

const Shape* ConvertedView::shape(NodeId id) const
{
    const auto it = m_shapes.find(id);
    return it == m_shapes.end() ? nullptr : &it->second;
}

const QuantType* ConvertedView::typeOf(NodeId quantize) const
{
    const auto it = m_types.find(quantize);
    return it == m_types.end() ? nullptr : &it->second;
}

Reason ConvertedView::whyNotTyped(NodeId quantize) const
{
    const auto it = m_reasons.find(quantize);
    return it == m_reasons.end() ? Reason() : it->second;
}

Operand ConvertedView::operand(const Argument& argument) const
{
    Operand operand;
    if (argument.isNone())
        return operand;
    const Node* node = argument.node() ? m_graph->find(argument.node()) : nullptr;
    if (!node) {
        operand.kind = Operand::Kind::Literal;
        return operand;
    }
    if (isPerTensorDequantize(*node) || isPerChannelDequantize(*node)) {
        operand = dequantized(*node);
    } else if (isConstant(node->id)) {
        operand.kind = Operand::Kind::FloatConstant;
    } else {
        operand.kind = Operand::Kind::Float;
        operand.reason =
            fmt::format("input {} is float: the quantizer did not annotate this op", node->name);
    }
    operand.node = node->id;
    if (const Shape* sizes = shape(node->id))
        operand.shape = *sizes;
    return operand;
}

Operand ConvertedView::floatOperand(const Argument& argument) const
{
    Operand operand;
    const Node* node = argument.node() ? m_graph->find(argument.node()) : nullptr;
    if (!node) {
        operand.kind = argument.isNone() ? Operand::Kind::None : Operand::Kind::Literal;
        return operand;
    }
    operand.node = node->id;
    operand.kind = isConstant(node->id) ? Operand::Kind::FloatConstant : Operand::Kind::Float;
    const Shape* sizes = shape(node->id);
    const TensorMeta* meta = node->val.tensor();
    if (!sizes || (!meta && !isQuantizeOrDequantize(*node) && !node->is(OpKind::GetAttr))) {
        operand.reason = fmt::format("input {} is not a tensor of fixed sizes", node->name);
        return operand;
    }
    operand.shape = *sizes;
    DType dtype = meta ? meta->dtype : DType::Float32;
    if (node->is(OpKind::GetAttr))
        dtype = m_graph->attributes().find(node->target)->value.dtype();
    const bool isEmpty =
        std::any_of(sizes->begin(), sizes->end(), [](auto size) { return size <= 0; });
    if (dtype != DType::Float32 || isPerTensorQuantize(*node) || isPerChannelQuantize(*node))
        operand.reason = fmt::format("input {} is not float32", node->name);
    else if (isEmpty || sizes->size() > kMaxRank
             || (sizes->empty() && operand.kind == Operand::Kind::Float))
        operand.reason = fmt::format("input {} has the sizes {}", node->name, shapeText(*sizes));
    return operand;
}

NodeId ConvertedView::dynamicSource(NodeId id) const
{
    const Node* dequantize = m_graph->find(id);
    if (!dequantize || !isDynamicDequantize(*dequantize))
        return {};
    const Node* quantize = m_graph->find(dequantize->arg(0).node());
    if (!quantize || !isDynamicQuantize(*quantize))
        return {};
    // Scale and zero point are both those that one choose_qparams finds for this very value.
    const NodeId value = quantize->arg(0).node();
    for (const std::size_t i : {1, 2}) {
        const Node* part = m_graph->find(quantize->arg(i).node());
        const Node* choice =
            part && part->calls("getitem") ? m_graph->find(part->arg(0).node()) : nullptr;
        if (!choice || !choice->calls("quantized_decomposed.choose_qparams.tensor")
            || choice->arg(0).node() != value
            || dequantize->arg(i).node() != quantize->arg(i).node())
            return {};
    }
    const auto isInt8 = [](const Node& node) {
        const std::int64_t* low = node.arg(3).get<std::int64_t>();
        const std::int64_t* high = node.arg(4).get<std::int64_t>();
        const DType* dtype = node.arg(5).get<DType>();
        return low && high && dtype && *low == -128 && *high == 127 && *dtype == DType::Int8;
    };
    return isInt8(*quantize) && isInt8(*dequantize) ? value : NodeId();
}

Operand ConvertedView::dequantized(const Node& dequantize) const
{
    Operand operand;
    const NodeId source = dequantize.arg(0).node();
    if (isConstant(dequantize.id)) {
        operand.constant = quantizedConstant(dequantize);
        operand.kind =
            operand.constant ? Operand::Kind::Int8Constant : Operand::Kind::FloatConstant;
    } else if (const QuantType* type = source ? typeOf(source) : nullptr) {
        operand.kind = Operand::Kind::Int8;
        operand.quantize = source;
        operand.type = *type;
    } else {
        operand.kind = Operand::Kind::Float;
        const Reason why = source ? whyNotTyped(source) : Reason();
        operand.reason = fmt::format("input {} cannot be held in int8{}{}", dequantize.name,
                                     why.empty() ? "" : ": ", why);
    }
    return operand;
}

OutputMatch ConvertedView::outputOf(const Node& op, bool mayFuse) const
{
    OutputMatch match;
    const Node* last = &op;
    if (mayFuse && op.users.size() == 1) {
        const Node& user = m_graph->node(op.users.front());
        // One that writes a view in place changes more than the view.
        if (activationOf(user) && user.arg(0).node() == op.id
            && (!mutatesArgument(user.target) || hasOwnMemory(*m_graph, op))) {
            match.activation = user.id;
            last = &user;
        }
    }
    if (last->users.empty())
        match.reason = "nothing reads it";
    for (const NodeId id : last->users) {
        const Node& user = m_graph->node(id);
        if (!isPerTensorQuantize(user)) {
            match.reason = fmt::format("its output is float (read by {}): "
                                       "the quantizer did not annotate it",
                                       user.is(OpKind::Output) ? "the model's output" : user.name);
            break;
        }
        const QuantType* type = typeOf(id);
        if (!type) {
            match.reason = fmt::format("its output is not int8: {}", whyNotTyped(id));
            break;
        }
        if (!match.quantizes.empty() && !(*type == match.type)) {
            match.reason = fmt::format("its output is quantized in two ways ({} and {})",
                                       m_graph->node(match.quantizes.front()).name, user.name);
            break;
        }
        match.type = *type;
        match.quantizes.push_back(id);
    }
    return match;
}

Result<Tensor> ConvertedView::constantValue(NodeId id) const
{
    if (const auto it = m_evaluated.find(id); it != m_evaluated.end())
        return it->second;
    if (!isConstant(id))
        return fail(ErrorCode::Internal, "xnnpack", "the value is not a constant");
    const Node& node = m_graph->node(id);
    Tensor value;
    if (node.is(OpKind::GetAttr)) {
        PT2E_ASSIGN(value, m_graph->attributes().find(node.target)->value.contiguous());
    } else {
        PT2E_ASSIGN(Segment segment, Segment::make(*m_graph, {id}, {id}));
        std::unordered_map<NodeId, Value> values;
        PT2E_TRY(segment.run(values, {}, {}));
        const Tensor* tensor = values.at(id).tensor();
        if (!tensor)
            return fail(ErrorCode::Internal, node.name, "is not a tensor");
        PT2E_ASSIGN(value, tensor->contiguous());
    }
    m_evaluated.emplace(id, value);
    return value;
}

std::shared_ptr<const QuantizedConstant> ConvertedView::quantizedConstant(
    const Node& dequantize) const
{
    auto constant = std::make_shared<QuantizedConstant>();
    const auto values = constantValue(dequantize.arg(0).node());
    if (!values || (values->dtype() != DType::Int8 && values->dtype() != DType::UInt8))
        return nullptr;
    const std::int32_t shift = values->dtype() == DType::UInt8 ? 128 : 0;
    if (isPerTensorDequantize(dequantize)) {
        const ParsedType parsed = parsePerTensor(dequantize);
        if (!parsed.type)
            return nullptr;
        constant->scales = {parsed.type->scale};
        constant->zeroPoints = {parsed.type->zeroPoint};
    } else {
        const std::int64_t* axis = dequantize.arg(kAxis).get<std::int64_t>();
        const auto scales = constantValue(dequantize.arg(kScales).node());
        const auto doubles = scales ? scales->toDoubles() : passOn(scales);
        if (!axis || !doubles)
            return nullptr;
        const auto rank = static_cast<std::int64_t>(values->shape().size());
        constant->axis = *axis < 0 ? *axis + rank : *axis;
        constant->scales.assign(doubles->begin(), doubles->end());
        constant->zeroPoints.assign(doubles->size(), -shift);
        if (const NodeId zeros = dequantize.arg(kZeroPoints).node()) {
            const auto tensor = constantValue(zeros);
            const auto points = tensor ? tensor->toDoubles() : passOn(tensor);
            if (!points || points->size() != doubles->size())
                return nullptr;
            for (std::size_t i = 0; i < points->size(); ++i)
                constant->zeroPoints[i] = static_cast<std::int32_t>((*points)[i]) - shift;
        }
    }
    if (shift == 0) {
        constant->values = *values;
        return constant;
    }
    const auto bytes = values->bytes();
    if (!bytes)
        return nullptr;
    std::vector<std::byte> shifted(bytes->begin(), bytes->end());
    for (std::byte& value : shifted)
        value ^= std::byte{0x80};
    constant->values = Tensor::fromBytes(DType::Int8, values->shape(), shifted);
    return constant;
}

ConvertedView::Floats ConvertedView::floats(const Operand& operand) const
{
    Floats result;
    const auto value = constantValue(operand.node);
    if (!value) {
        result.reason = value.error().message();
        return result;
    }
    const auto doubles = value->toDoubles();
    if (!doubles)
        result.reason = doubles.error().message();
    else
        result.values.assign(doubles->begin(), doubles->end());
    return result;
}

} // namespace pt2e::xnn
