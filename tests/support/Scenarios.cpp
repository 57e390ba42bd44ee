#include "tests/support/Scenarios.h"

#include "core/ir/Text.h"

#include <stdexcept>

namespace pt2e::test {

namespace {

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t at; (at = text.find(separator, start)) != std::string::npos; start = at + 1)
        parts.push_back(text.substr(start, at - start));
    parts.push_back(text.substr(start));
    return parts;
}

std::vector<std::int64_t> shapeOf(const std::string& text)
{
    std::vector<std::int64_t> shape;
    if (!text.empty()) {
        for (const std::string& size : split(text, ','))
            shape.push_back(std::stoll(size));
    }
    return shape;
}

/// The recorder's fill(): k is the place among the get_attr nodes, i the element.
Tensor filled(const std::string& target, DType dtype, const std::vector<std::int64_t>& shape,
              std::int64_t k)
{
    std::int64_t count = 1;
    for (std::int64_t size : shape)
        count *= size;
    if (dtype == DType::Int64)
        return Tensor::fromValues<std::int64_t>(
            dtype, shape, std::vector<std::int64_t>(static_cast<std::size_t>(count), 0));
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        if (target == "big")
            values.push_back(1e20f);
        else if (target.ends_with("running_var"))
            values.push_back(static_cast<float>((i * 37 + 11 * k) % 100 + 50) / 100.0f);
        else
            values.push_back(static_cast<float>((i * 7919 + 131 * k) % 1000 - 300) / 512.0f);
    }
    return Tensor::fromValues<float>(dtype, shape, std::span<const float>(values));
}

void setNodeMeta(GraphEditor& editor, const std::string& line)
{
    const auto parts = split(line, '|');
    const Node* node = editor.graph().findByName(parts[0]);
    if (!node)
        throw std::runtime_error("no node " + parts[0]);
    if (parts[1] != "-") {
        const auto type = split(parts[1], ':');
        TensorMeta meta;
        meta.dtype = *dtypeFromName(type[0]);
        for (std::int64_t size : shapeOf(type[1]))
            meta.shape.push_back(size);
        editor.setVal(node->id, ValueMeta{meta});
    }
    auto meta = std::make_shared<FileMeta>();
    if (parts[2] != "-") {
        for (const std::string& frame : split(parts[2], ';')) {
            const auto at = frame.find('=');
            meta->moduleStack.push_back({frame, frame.substr(0, at), frame.substr(at + 1)});
        }
    }
    if (parts[3] != "-") {
        for (const std::string& source : split(parts[3], ';')) {
            const auto at = source.find('=');
            meta->sourceFnStack.push_back({source.substr(0, at), source.substr(at + 1)});
        }
    }
    editor.setFileMeta(node->id, meta);
}

NodeId nodeNamed(const Graph& graph, const std::string& name)
{
    const Node* node = graph.findByName(name);
    if (!node)
        throw std::runtime_error("no node " + name);
    return node->id;
}

Point pointNamed(const Graph& graph, const std::string& text)
{
    const auto at = text.find("->");
    if (at == std::string::npos)
        return Point::output(nodeNamed(graph, text));
    return Point::edge(nodeNamed(graph, text.substr(0, at)), nodeNamed(graph, text.substr(at + 2)));
}

std::optional<std::int64_t> optionalInt(const std::string& text)
{
    return text == "None" ? std::nullopt
                          : std::optional(static_cast<std::int64_t>(std::stoll(text)));
}

std::optional<QScheme> qschemeNamed(const std::string& text)
{
    for (QScheme scheme : {QScheme::PerTensorAffine, QScheme::PerTensorSymmetric,
                           QScheme::PerChannelAffine, QScheme::PerChannelSymmetric}) {
        if (qschemeName(scheme) == text)
            return scheme;
    }
    return std::nullopt;
}

template<typename T>
T withCommon(const std::vector<std::string>& fields)
{
    T spec;
    spec.dtype = *dtypeFromName(fields[0]);
    spec.quantMin = optionalInt(fields[1]);
    spec.quantMax = optionalInt(fields[2]);
    spec.qscheme = qschemeNamed(fields[3]);
    return spec;
}

Spec parseSpec(const Graph& graph, const std::string& text)
{
    if (text == "none")
        return {};
    const auto open = text.find('(');
    const std::string kind = text.substr(0, open);
    const auto fields = split(text.substr(open + 1, text.size() - open - 2), ',');
    if (kind == "shared")
        return SharedSpec{pointNamed(graph, fields[0])};
    if (kind == "fixed") {
        auto spec = withCommon<FixedSpec>(fields);
        spec.scale = std::stod(fields[4]);
        spec.zeroPoint = std::stoll(fields[5]);
        return spec;
    }
    if (kind == "derived") {
        auto spec = withCommon<DerivedSpec>(fields);
        spec.chAxis = optionalInt(fields[4]);
        for (std::size_t i = 5; i < fields.size(); ++i)
            spec.from.push_back(pointNamed(graph, fields[i]));
        return spec;
    }
    auto spec = withCommon<ObservedSpec>(fields);
    spec.chAxis = optionalInt(fields[4]);
    spec.isDynamic = fields[5] == "True";
    spec.observer.kind = *observerKindFromName(fields[6]);
    return spec;
}

} // namespace

std::string Scenario::text(const std::string& section) const
{
    std::string all;
    for (const std::string& line : sections.at(section))
        all += (all.empty() ? "" : "\n") + line;
    return all;
}

QuantizerSettings Scenario::settings() const
{
    QuantizerSettings settings;
    settings.global->perChannel = flavor != "pt";
    settings.global->dynamic = flavor == "dyn";
    return settings;
}

GraphPtr Scenario::exported() const
{
    auto parsed = parseGraph(text("exported"));
    if (!parsed)
        throw std::runtime_error(name + ": " + parsed.error().message());
    GraphEditor editor{std::move(*parsed)};
    std::int64_t k = 0;
    for (const std::string& line : sections.at("attributes")) {
        const auto parts = split(line, '|');
        const AttributeKind kind =
            parts[3] == "parameter" ? AttributeKind::Parameter : AttributeKind::Buffer;
        editor.setAttribute(
            parts[0], {filled(parts[0], *dtypeFromName(parts[1]), shapeOf(parts[2]), k), kind});
        ++k;
    }
    for (const std::string& line : sections.at("nodes"))
        setNodeMeta(editor, line);
    return std::move(editor).publish();
}

AnnotationTable Scenario::customAnnotations(const Graph& graph) const
{
    AnnotationTable table;
    for (const std::string& line : sections.at("annotations")) {
        const auto parts = split(line, '|');
        Annotation annotation;
        annotation.isAnnotated = true;
        annotation.rule = "edit";
        annotation.allowImplicitSharing = parts[3] == "True";
        annotation.output = parseSpec(graph, parts[2]);
        if (parts[1] != "-") {
            for (const std::string& input : split(parts[1], ' ')) {
                const auto at = input.find('=');
                annotation.setInput(nodeNamed(graph, input.substr(0, at)),
                                    parseSpec(graph, input.substr(at + 1)));
            }
        }
        table.at(nodeNamed(graph, parts[0])) = annotation;
    }
    return table;
}

std::vector<Scenario> loadScenarios()
{
    QFile file(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/passes/scenarios.txt"));
    if (!file.open(QIODevice::ReadOnly))
        throw std::runtime_error("no scenarios.txt");
    std::vector<Scenario> scenarios;
    std::vector<std::string>* section = nullptr;
    for (const std::string& line : split(file.readAll().toStdString(), '\n')) {
        if (line.starts_with("#scenario ")) {
            const auto words = split(line, ' ');
            scenarios.push_back({words[1], words[2], {}});
        } else if (line.starts_with("#")) {
            section = &scenarios.back().sections[line.substr(1)];
        } else if (!line.empty()) {
            section->push_back(line);
        }
    }
    return scenarios;
}

std::string pointText(const Graph& graph, const Point& point)
{
    const std::string name = graph.node(point.node).name;
    return point.isEdge() ? name + "->" + graph.node(point.user).name : name;
}

std::string specText(const Graph& graph, const Spec& spec)
{
    const auto number = [](const std::optional<std::int64_t>& value) {
        return value ? std::to_string(*value) : std::string("None");
    };
    const auto common = [&](const auto& s) {
        return std::string(dtypeName(s.dtype)) + "," + number(s.quantMin) + "," + number(s.quantMax)
               + "," + (s.qscheme ? std::string(qschemeName(*s.qscheme)) : "None");
    };
    if (const auto* shared = std::get_if<SharedSpec>(&spec))
        return "shared(" + pointText(graph, shared->with) + ")";
    if (const auto* fixed = std::get_if<FixedSpec>(&spec))
        return "fixed(" + common(*fixed) + "," + pythonFloat(fixed->scale) + ","
               + std::to_string(fixed->zeroPoint) + ")";
    if (const auto* derived = std::get_if<DerivedSpec>(&spec)) {
        std::string text = "derived(" + common(*derived) + "," + number(derived->chAxis);
        for (const Point& point : derived->from)
            text += "," + pointText(graph, point);
        return text + ")";
    }
    if (const auto* observed = std::get_if<ObservedSpec>(&spec))
        return "observed(" + common(*observed) + "," + number(observed->chAxis) + ","
               + (observed->isDynamic ? "True" : "False") + ","
               + std::string(observerClassName(observed->observer.kind)) + ")";
    return "none";
}

std::vector<std::string> annotationLines(const Graph& graph, const AnnotationTable& annotations)
{
    std::vector<std::string> lines;
    for (const Node& node : graph) {
        const Annotation* annotation = annotations.find(node.id);
        if (!annotation)
            continue;
        std::string inputs;
        for (const auto& [input, spec] : annotation->inputs)
            inputs +=
                (inputs.empty() ? "" : " ") + graph.node(input).name + "=" + specText(graph, spec);
        lines.push_back(node.name + "|" + (inputs.empty() ? "-" : inputs) + "|"
                        + specText(graph, annotation->output) + "|"
                        + (annotation->allowImplicitSharing ? "True" : "False"));
    }
    return lines;
}

std::vector<std::string> attributeHashes(const Graph& graph)
{
    std::vector<std::string> lines;
    for (const Node& node : graph) {
        if (!node.is(OpKind::GetAttr))
            continue;
        const Attribute* attribute = graph.attributes().find(node.target);
        lines.push_back(
            node.target + "|"
            + (attribute ? sha256(attribute->value).value_or("unreadable") : "missing"));
    }
    return lines;
}

Result<QParamsResult> recordedQParams(const PreparedGraph& prepared, ObserverId id)
{
    std::vector<ObserverId> seen;
    for (const Node& node : *prepared.graph) {
        const ModuleRef* module =
            node.is(OpKind::CallModule) ? prepared.graph->modules().find(node.target) : nullptr;
        if (!module || std::find(seen.begin(), seen.end(), module->instance) != seen.end())
            continue;
        const auto n = static_cast<std::int64_t>(seen.size());
        seen.push_back(module->instance);
        if (module->instance != id)
            continue;
        const ObserverConfig& config = prepared.instances[id.value].config;
        const bool isReal = config.kind == ObserverKind::FixedQParams
                            || config.kind == ObserverKind::Derived
                            || config.kind == ObserverKind::Placeholder;
        if (isReal)
            return calculateQParams(config, {}, [&](ObserverId other) -> Result<QParams> {
                auto result = recordedQParams(prepared, other);
                if (!result)
                    return passOn(result);
                return *result->qparams;
            });
        QParams qparams;
        if (!isPerChannel(config.qscheme)) {
            qparams = {{static_cast<float>(0.01 * static_cast<double>(n + 1))}, {n}, DType::Int32};
            return QParamsResult{qparams, true};
        }
        const Node& input = prepared.graph->node(node.arg(0).node());
        const auto count =
            input.val.tensor()->shape[static_cast<std::size_t>(config.chAxis)].value();
        for (std::int64_t c = 0; c < count; ++c) {
            qparams.scale.push_back(
                static_cast<float>(0.01 * static_cast<double>(n + 1) * static_cast<double>(c + 1)));
            qparams.zeroPoint.push_back(0);
        }
        return QParamsResult{qparams, true};
    }
    return fail(ErrorCode::Internal, "recordedQParams", "no such instance");
}

} // namespace pt2e::test
