// _convert_to_reference_decomposed_fx of torchao: each observer node becomes quantize and dequantize.
#include "core/passes/Catalogue.h"

#include <span>

namespace pt2e {

namespace {

constexpr std::string_view kNamespace = "quantized_decomposed.";

bool isStaticDType(DType dtype)
{
    switch (dtype) {
    case DType::UInt8:
    case DType::Int8:
    case DType::UInt16:
    case DType::Int16:
    case DType::Int32:
    case DType::Float8E5M2:
    case DType::Float8E4M3FN: return true;
    default: return false;
    }
}

/// Everything about one observer node that is being replaced.
struct Site
{
    NodeId observer;
    NodeId input;
    std::string observerName;
    const ObserverConfig* config = nullptr;
};

class Replacement
{
public:
    Replacement(GraphEditor& editor, ConvertState& state, Site site)
        : m_editor(editor),
          m_state(state),
          m_site(std::move(site)),
          m_at(InsertPoint::before(m_site.observer))
    {}
    Result<void> run();

private:
    const Graph& graph() const { return m_editor.graph(); }
    NodeId insert(OpKind kind, std::string target, Arguments args, KeywordArguments kwargs = {});
    NodeId call(std::string_view op, Arguments args, KeywordArguments kwargs = {})
    {
        return insert(OpKind::CallFunction, std::string(kNamespace) + std::string(op),
                      std::move(args), std::move(kwargs));
    }
    NodeId buffer(const std::string& prefix, Tensor value);
    std::string place() const { return "convert: '" + m_state.around + m_site.observerName + "'"; }
    Result<KeywordArguments> outDType() const;
    Result<QParams> qparams();
    Result<void> replaceStatic();
    Result<void> replaceDynamic();
    void replaceHalf();
    void finish(NodeId quantize, NodeId dequantize);

    GraphEditor& m_editor;
    ConvertState& m_state;
    Site m_site;
    InsertPoint m_at;
};

NodeId Replacement::insert(OpKind kind, std::string target, Arguments args, KeywordArguments kwargs)
{
    NewNode node;
    node.kind = kind;
    node.target = std::move(target);
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    node.origin = {OriginKind::Inserted, m_site.observer, "observers_to_qdq"};
    return m_editor.insert(m_at, std::move(node));
}

NodeId Replacement::buffer(const std::string& prefix, Tensor value)
{
    const auto scope = m_state.scopeOf.find(m_state.around + graph().node(m_site.input).name);
    const std::string name =
        m_editor.freeAttributeName((scope == m_state.scopeOf.end() ? "" : scope->second) + prefix);
    m_editor.setAttribute(name, {std::move(value), AttributeKind::Buffer});
    return insert(OpKind::GetAttr, name, {});
}

/// dq must give back the dtype it took the place of, where that is known and not float32. torchao asks the value for
/// its dtype: a tuple, or a size, has none, which ends convert_pt2e.
Result<KeywordArguments> Replacement::outDType() const
{
    const ValueMeta& value = graph().node(m_site.input).val;
    if (value.isNoTensor())
        return fail(ErrorCode::Unsupported, place(), "what it observes is not a tensor");
    const TensorMeta* meta = value.tensor();
    if (!meta || meta->dtype == DType::Float32)
        return KeywordArguments{};
    return KeywordArguments{{"out_dtype", meta->dtype}};
}

Result<QParams> Replacement::qparams()
{
    const Node& observer = graph().node(m_site.observer);
    auto result = m_state.qparamsOf(graph().modules().find(observer.target)->instance);
    if (!result)
        return tl::unexpected<Error>({result.error().code, place(), result.error().message()});
    if (!result->qparams || result->qparams->scale.empty()
        || result->qparams->scale.size() != result->qparams->zeroPoint.size())
        return fail(ErrorCode::Internal, place(),
                    "a static observer without quantization parameters");
    if (!result->hasData)
        m_state.diagnostics.push_back(
            {Severity::Warning, "not-calibrated", m_state.around + graph().node(m_site.input).name,
             "",
             "never observed a value: " + m_site.observerName + " gives scale 1 and zero point 0"});
    return *result->qparams;
}

Tensor zeroPointTensor(const QParams& qparams)
{
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(qparams.zeroPoint.size())};
    if (qparams.zeroPointDtype != DType::Int32)
        return Tensor::fromValues<std::int64_t>(DType::Int64, shape, std::span(qparams.zeroPoint));
    const std::vector<std::int32_t> narrow(qparams.zeroPoint.begin(), qparams.zeroPoint.end());
    return Tensor::fromValues<std::int32_t>(DType::Int32, shape, std::span(narrow));
}

Result<void> Replacement::replaceStatic()
{
    PT2E_ASSIGN(const QParams qparams, qparams());
    PT2E_ASSIGN(KeywordArguments kwargs, outDType());
    const ObserverConfig& config = *m_site.config;
    if (isPerChannel(config.qscheme)) {
        const NodeId scale =
            buffer("_scale_", Tensor::fromValues<float>(
                                  DType::Float32, {static_cast<std::int64_t>(qparams.scale.size())},
                                  std::span(qparams.scale)));
        const NodeId zeroPoint = buffer("_zero_point_", zeroPointTensor(qparams));
        Arguments args = {m_site.input,    scale,           zeroPoint,   config.chAxis,
                          config.quantMin, config.quantMax, config.dtype};
        const NodeId quantize = call("quantize_per_channel.default", args);
        args[0] = quantize;
        finish(quantize, call("dequantize_per_channel.default", args, std::move(kwargs)));
        return {};
    }
    Arguments args = {m_site.input,
                      static_cast<double>(qparams.scale.front()),
                      qparams.zeroPoint.front(),
                      config.quantMin,
                      config.quantMax,
                      config.dtype};
    const NodeId quantize = call("quantize_per_tensor.default", args);
    args[0] = quantize;
    finish(quantize, call("dequantize_per_tensor.default", args, std::move(kwargs)));
    return {};
}

Result<void> Replacement::replaceDynamic()
{
    const ObserverConfig& config = *m_site.config;
    if (config.dtype != DType::Int8 && config.dtype != DType::UInt8)
        return fail(ErrorCode::Unsupported, place(),
                    "only int8 and uint8 can be quantized dynamically");
    PT2E_ASSIGN(KeywordArguments kwargs, outDType());
    const bool isSymmetric = config.qscheme == QScheme::PerTensorSymmetric;
    const NodeId chosen =
        call(isSymmetric ? "choose_qparams_symmetric.tensor" : "choose_qparams.tensor",
             {m_site.input, config.quantMin, config.quantMax, static_cast<double>(config.eps),
              config.dtype});
    const NodeId scale = insert(OpKind::CallFunction, "getitem", {chosen, 0});
    const NodeId zeroPoint = insert(OpKind::CallFunction, "getitem", {chosen, 1});
    Arguments args = {m_site.input,    scale,           zeroPoint,
                      config.quantMin, config.quantMax, config.dtype};
    const NodeId quantize = call("quantize_per_tensor.tensor", args);
    args[0] = quantize;
    finish(quantize, call("dequantize_per_tensor.tensor", args, std::move(kwargs)));
    return {};
}

void Replacement::replaceHalf()
{
    const NodeId narrow =
        insert(OpKind::CallFunction, std::string(kNamespace) + "convert_element_type.no_fuse",
               {m_site.input, DType::Float16});
    finish(narrow,
           insert(OpKind::CallFunction, std::string(kNamespace) + "convert_element_type.no_fuse",
                  {narrow, DType::Float32}));
}

void Replacement::finish(NodeId quantize, NodeId dequantize)
{
    m_state.successors[m_site.observer] = quantize;
    m_editor.replaceAllUses(m_site.observer, dequantize);
    m_editor.erase(m_site.observer);
}

Result<void> Replacement::run()
{
    const ObserverConfig& config = *m_site.config;
    if (config.isDynamic)
        return replaceDynamic();
    if (isStaticDType(config.dtype))
        return replaceStatic();
    if (config.dtype == DType::Float16) {
        replaceHalf();
        return {};
    }
    m_state.successors[m_site.observer] = m_site.input;
    m_editor.replaceAllUses(m_site.observer, m_site.input);
    m_editor.erase(m_site.observer);
    return {};
}

} // namespace

Result<void> replaceObservers(GraphEditor& editor, ConvertState& state)
{
    for (NodeId id : editor.graph().order()) {
        const Node& node = editor.graph().node(id);
        const ModuleRef* module =
            node.is(OpKind::CallModule) ? editor.graph().modules().find(node.target) : nullptr;
        if (!module)
            continue;
        if (module->instance.value >= state.prepared.instances.size())
            return fail(ErrorCode::Internal, "convert: '" + node.name + "'",
                        "its observer instance is unknown");
        Site site{id, node.arg(0).node(), node.name,
                  &state.prepared.instances[module->instance.value].config};
        const std::string target = node.target;
        PT2E_TRY(Replacement(editor, state, std::move(site)).run());
        editor.eraseModule(target);
    }
    editor.eliminateDeadCode();
    return {};
}

} // namespace pt2e
