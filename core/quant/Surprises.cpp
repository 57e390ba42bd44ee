#include "core/quant/Surprises.h"

#include "core/quant/Bodies.h"
#include "core/quant/Rule.h"
#include "core/quant/rules/Targets.h"

#include <map>

namespace pt2e {

namespace {

constexpr std::string_view kClamps[] = {"aten.hardtanh.default", "aten.hardtanh_.default",
                                        "aten.relu6.default", "aten.relu6_.default",
                                        "aten.clamp.default"};

class Finder
{
public:
    Finder(const Graph& graph, const AnnotationTable& annotations)
        : m_graph(graph),
          m_annotations(annotations)
    {}

    void leftOut(const std::vector<WhyNot>& reasons)
    {
        std::map<NodeId, int> inBodies;
        for (const WhyNot& why : reasons) {
            if (why.reason.key == ReasonKey::InSubGraph)
                ++inBodies[why.root];
            else if (const Node* node = m_graph.find(why.node))
                leftOut(*node, why.reason);
        }
        for (const auto& [owner, count] : inBodies) {
            const Node* node = m_graph.find(owner);
            if (!node)
                continue; // of a body that is visited: said there
            add(Severity::Warning, "sub-graph-left-out", node->name,
                std::to_string(count)
                    + (count == 1 ? " op of its sub-graph stays" : " ops of its sub-graphs stay")
                    + " float: prepare does not go in there");
        }
    }
    void taken(const Node& node)
    {
        const Annotation* annotation = m_annotations.find(node.id);
        if (!annotation || !annotation->isValid())
            return;
        const bool isConv =
            isOneOf(node, rules::kConvTargets) || isOneOf(node, rules::kConvTransposeTargets);
        if (isConv || isOneOf(node, rules::kLinearTargets))
            behind(node, *annotation);
        if (isOneOf(node, rules::kConvTransposeTargets))
            transposeAxis(node, *annotation);
        if (isOneOf(node, rules::kAddTargets) || isOneOf(node, rules::kMulTargets)) {
            if (node.arg(0).node() && node.arg(0).node() == node.arg(1).node())
                add(Severity::Note, "one-entry-for-two", node.name,
                    "both inputs are the same value: its map of inputs has one entry, so both have "
                    "one spec");
        }
    }
    void integers(const Node& node)
    {
        if (!isOneOf(node, rules::kAddTargets) && !isOneOf(node, rules::kMulTargets))
            return;
        const Node* first = nodeArgument(m_graph, node, 0);
        const Node* second = nodeArgument(m_graph, node, 1);
        for (const auto& [value, number] : {std::pair(first, second), std::pair(second, first)}) {
            const TensorMeta* meta = value ? value->val.tensor() : nullptr;
            const bool isMade = number && number->is(OpKind::GetAttr)
                                && number->target.find("_tensor_constant_") != std::string::npos;
            if (isMade && meta && !isFloatingPoint(meta->dtype))
                add(Severity::Warning, "integer-became-float", node.name,
                    "the quantizer made its number a float32 tensor, so the "
                        + std::string(dtypeName(meta->dtype)) + " result becomes float32");
        }
    }
    /// One entry for all convolutions and linears: a MobileNet has dozens.
    Diagnostics take()
    {
        addAll(m_notFused, "not-fused",
               "has more users than its relu, so the two are not fused: its output is observed "
               "before the relu");
        addAll(m_beforeClamp, "observed-before-clamp",
               "its output is observed before a clamp clips it: only a relu is fused");
        return std::move(m_found);
    }

private:
    void leftOut(const Node& node, const Reason& reason)
    {
        const auto say = [&](Severity severity, const char* code, const char* before) {
            add(severity, code, node.name, before + reason.text());
        };
        const char* stays = "stays float without a word from the quantizer: ";
        switch (reason.key) {
        case ReasonKey::CatWithoutSource:
        case ReasonKey::CatOtherSource:
            say(Severity::Warning, "cat-not-matched",
                "no annotation and no warning from the quantizer: ");
            break;
        case ReasonKey::LeftToRelu:
        case ReasonKey::LeftToReluRefused:
        case ReasonKey::LeftToReluDynamic: say(Severity::Warning, "left-to-relu", stays); break;
        case ReasonKey::WeightTaken: say(Severity::Warning, "weight-taken", stays); break;
        case ReasonKey::ParameterOfModule:
        case ReasonKey::ParameterOfType:
            say(Severity::Warning, "setting-misses-weight", stays);
            break;
        case ReasonKey::LargeScalar:
        case ReasonKey::NotFloat32:
        case ReasonKey::NotATensor: say(Severity::Note, "guard", stays); break;
        default: break;
        }
    }
    /// What comes behind a convolution or linear that was annotated by itself.
    void behind(const Node& node, const Annotation& annotation)
    {
        if (isNone(annotation.output))
            return;
        for (const NodeId id : node.users) {
            const Node& user = m_graph.node(id);
            if (isRelu(user) && node.users.size() > 1)
                m_notFused.push_back(&node);
            else if (isOneOf(user, kClamps))
                m_beforeClamp.push_back(&node);
        }
    }
    void transposeAxis(const Node& node, const Annotation& annotation)
    {
        const Spec* spec = annotation.input(node.arg(1).node());
        const auto* weight = spec ? std::get_if<ObservedSpec>(spec) : nullptr;
        if (weight && weight->qscheme && isPerChannel(*weight->qscheme) && weight->chAxis == 0)
            add(Severity::Note, "transpose-axis", node.name,
                "its weight is quantized along axis 0, which are the input channels of a "
                "transposed convolution");
    }
    void addAll(const std::vector<const Node*>& nodes, const char* code, std::string message)
    {
        if (nodes.empty())
            return;
        if (nodes.size() > 1)
            message += " (and " + std::to_string(nodes.size() - 1) + " more like it)";
        add(Severity::Note, code, nodes.front()->name, std::move(message));
    }
    void add(Severity severity, const char* code, const std::string& node, std::string message)
    {
        m_found.push_back({severity, code, node, "", std::move(message)});
    }

    const Graph& m_graph;
    const AnnotationTable& m_annotations;
    Diagnostics m_found;
    std::vector<const Node*> m_notFused;
    std::vector<const Node*> m_beforeClamp;
};

/// Of one graph and the bodies in it; path is "" or "body/".
void collect(const Graph& graph, const std::string& path, const AnnotationTable& annotations,
             const std::vector<WhyNot>& reasons, Diagnostics& all)
{
    Finder finder(graph, annotations);
    finder.leftOut(reasons);
    for (const Node& node : graph) {
        finder.taken(node);
        finder.integers(node);
    }
    for (Diagnostic& odd : finder.take()) {
        odd.node = path + odd.node;
        all.push_back(std::move(odd));
    }
    for (const std::string& name : visitedBodies(graph))
        collect(**graph.subgraphs().find(name), path + name + "/", annotations, reasons, all);
}

} // namespace

Diagnostics surprises(const Graph& graph, const AnnotationTable& annotations,
                      const std::vector<WhyNot>& reasons, const QuantizerSettings& settings)
{
    Diagnostics all;
    if (settings.flavor == QuantizerFlavor::None)
        return all;
    if (settings.flavor == QuantizerFlavor::TorchAo && !settings.operatorType.empty())
        all.push_back({Severity::Warning, "operator-settings-ignored", "", "",
                       "the torchao quantizer keeps settings by operator and never reads them ("
                           + std::to_string(settings.operatorType.size()) + " here)"});
    collect(graph, "", annotations, reasons, all);
    return all;
}

Diagnostics unobservedOutputs(const Graph& graph, const AnnotationTable& annotations)
{
    Diagnostics found;
    for (const Node& node : graph) {
        const Annotation* annotation = annotations.find(node.id);
        if (annotation && !isNone(annotation->output)
            && std::get_if<std::vector<ValueMeta>>(&node.val.value))
            found.push_back({Severity::Warning, "no-observer-for-several", node.name, "",
                             "its output is annotated, but it has several: prepare inserts no "
                             "observer there"});
    }
    return found;
}

} // namespace pt2e
