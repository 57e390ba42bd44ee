// pt2e info: what is in a .pt2 file. Reads the file only; never computes, so LibTorch is never loaded.
#include "app/cli/Cli.h"
#include "app/cli/InfoText.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/ProgramForm.h"
#include "core/pt2/Reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <unordered_set>

namespace pt2e::cli {

namespace {

struct Options
{
    std::string path;
    std::string program;
    bool json = false;
};

/// Numbers of what a program holds, sub-graphs included.
struct Facts
{
    struct Group
    {
        std::size_t count = 0;
        std::size_t bytes = 0;
    };
    Group parameters;
    Group buffers;
    Group constants;
    std::size_t storageBytes = 0; ///< shared storages once
    std::size_t nodes = 0;
    std::size_t subgraphs = 0;
    std::vector<std::pair<std::string, std::size_t>> ops; ///< most frequent first, then by name
};

void countNodes(const Graph& graph, Facts& facts, OrderedMap<std::size_t>& ops)
{
    for (const Node& node : graph) {
        ++facts.nodes;
        if (node.is(OpKind::CallFunction)) {
            std::size_t* count = ops.find(node.target);
            ++(count ? *count : ops.set(node.target, 0));
        }
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        ++facts.subgraphs;
        countNodes(*body, facts, ops);
    }
}

Facts factsOf(const Graph& graph)
{
    Facts facts;
    OrderedMap<std::size_t> ops;
    countNodes(graph, facts, ops);
    facts.ops.assign(ops.begin(), ops.end());
    std::sort(facts.ops.begin(), facts.ops.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::unordered_set<const Storage*> seen;
    for (const auto& [name, attribute] : graph.attributes()) {
        Facts::Group& group = attribute.kind == AttributeKind::Parameter  ? facts.parameters
                              : attribute.kind == AttributeKind::Constant ? facts.constants
                                                                          : facts.buffers;
        ++group.count;
        if (!attribute.value.isValid())
            continue;
        group.bytes += attribute.value.byteCount();
        if (seen.insert(attribute.value.storage().get()).second)
            facts.storageBytes += attribute.value.storage()->size();
    }
    return facts;
}

std::string valueText(const ValueMeta& val)
{
    if (const TensorMeta* meta = val.tensor())
        return fmt::format("{} {}", dtypeName(meta->dtype), shapeText(meta->shape));
    if (const auto* scalar = std::get_if<ValueMeta::Scalar>(&val.value))
        return scalar->type + " " + scalar->text;
    return "none";
}

std::string_view roleText(SignatureItem::Kind kind)
{
    using Kind = SignatureItem::Kind;
    switch (kind) {
    case Kind::BufferMutation: return " (written to a buffer)";
    case Kind::ParameterMutation: return " (written to a parameter)";
    case Kind::InputMutation: return " (written to an input)";
    case Kind::Token: return " (effect token)";
    case Kind::Other: return " (gradient or loss)";
    default: return "";
    }
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : ", ") + text;
    return all;
}

class TextReport
{
public:
    void row(std::string_view label, std::string_view content)
    {
        m_text += fmt::format("{:<12}{}\n", label, printable(content));
    }
    void rows(std::string_view label, const std::vector<SignatureItem>& items)
    {
        for (const SignatureItem& item : items) {
            const bool isLifted = !item.target.empty() && roleText(item.kind).empty();
            if (isLifted)
                continue;
            const std::string name = item.name.empty() ? "literal" : item.name;
            row(label, name + "  " + valueText(item.val) + std::string(roleText(item.kind)));
            label = "";
        }
    }
    void line(std::string_view content) { m_text += printable(content) + "\n"; }
    void gap() { m_text += "\n"; }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

std::string boundText(const std::optional<std::int64_t>& bound)
{
    return bound ? std::to_string(*bound) : "";
}

std::string asText(const Pt2Archive& archive, const ExportedProgram& program)
{
    const Facts facts = factsOf(*program.graph);
    TextReport report;
    report.row("file", archive.path());
    report.row("size", bytesText(archive.fileSize()));
    report.row("container", containerName(archive.kind()));
    report.row("program", program.name);
    report.row("form", programForm(*program.graph).text());
    if (archive.programNames().size() > 1)
        report.row("programs", joined(archive.programNames()));
    report.row("written by",
               fmt::format("torch {}, schema {}.{}, {}",
                           program.torchVersion.empty() ? "unknown" : program.torchVersion,
                           program.schemaMajor, program.schemaMinor, joined(program.verifiers)));
    report.rows("inputs", program.inputs);
    report.rows("outputs", program.outputs);
    for (const RangeConstraint& range : program.ranges)
        report.row("range", fmt::format("{}: {}..{}", range.expression, boundText(range.low),
                                        boundText(range.high)));
    const auto group = [&](const char* label, const Facts::Group& counted) {
        report.row(label, fmt::format("{}, {}", counted.count, bytesText(counted.bytes)));
    };
    group("parameters", facts.parameters);
    group("buffers", facts.buffers);
    group("constants", facts.constants);
    report.row("examples", program.examples.empty()
                               ? "none"
                               : fmt::format("one set of {} inputs", program.examples.size()));
    report.row("nodes", fmt::format("{}, sub-graphs {}", facts.nodes, facts.subgraphs));
    report.gap();
    for (const auto& [op, count] : facts.ops)
        report.line(fmt::format("{:>6}  {}", count, op));
    if (!program.diagnostics.empty())
        report.gap();
    for (const Diagnostic& diagnostic : program.diagnostics)
        report.line((diagnostic.severity == Severity::Note    ? "note: "
                     : diagnostic.severity == Severity::Error ? "error: "
                                                              : "warning: ")
                    + (diagnostic.place.empty() ? "" : diagnostic.place + ": ")
                    + diagnostic.message);
    return report.text();
}

class JsonReport
{
public:
    std::string write(const Pt2Archive& archive, const ExportedProgram& program)
    {
        const Facts facts = factsOf(*program.graph);
        m_json.StartObject();
        text("file", archive.path());
        number("size", archive.fileSize());
        text("container", archive.kind() == ContainerKind::OldZip ? "old zip" : "PT2 archive");
        texts("programs", archive.programNames());
        text("program", program.name);
        form(programForm(*program.graph));
        text("torch_version", program.torchVersion);
        text("schema_version", fmt::format("{}.{}", program.schemaMajor, program.schemaMinor));
        texts("verifiers", program.verifiers);
        items("inputs", program.inputs);
        items("outputs", program.outputs);
        ranges(program.ranges);
        group("parameters", facts.parameters);
        group("buffers", facts.buffers);
        group("constants", facts.constants);
        number("storage_bytes", facts.storageBytes);
        number("example_inputs", program.examples.size());
        number("nodes", facts.nodes);
        number("subgraphs", facts.subgraphs);
        key("ops");
        m_json.StartObject();
        for (const auto& [op, count] : facts.ops)
            number(op, count);
        m_json.EndObject();
        diagnostics(program.diagnostics);
        m_json.EndObject();
        return std::string(m_buffer.GetString(), m_buffer.GetSize()) + "\n";
    }

private:
    void key(std::string_view name)
    {
        m_json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
    }
    void value(std::string_view content)
    {
        m_json.String(content.data(), static_cast<rapidjson::SizeType>(content.size()));
    }
    void text(std::string_view name, std::string_view content)
    {
        key(name);
        value(content);
    }
    void number(std::string_view name, std::uint64_t content)
    {
        key(name);
        m_json.Uint64(content);
    }
    void form(const ProgramForm& form)
    {
        constexpr const char* kKinds[] = {"float", "annotated", "fake_quantized", "converted"};
        const auto names = [](const std::vector<DType>& dtypes) {
            std::vector<std::string> all;
            for (const DType dtype : dtypes)
                all.emplace_back(dtypeName(dtype));
            return all;
        };
        key("form");
        m_json.StartObject();
        text("kind", kKinds[static_cast<int>(form.kind)]);
        text("text", form.text());
        number("quantize", static_cast<std::uint64_t>(form.quantize));
        number("dequantize", static_cast<std::uint64_t>(form.dequantize));
        number("fake_quantize", static_cast<std::uint64_t>(form.fakeQuantize));
        number("annotated", static_cast<std::uint64_t>(form.annotated));
        texts("integers", names(form.integers));
        texts("floats", names(form.floats));
        m_json.EndObject();
    }
    void texts(std::string_view name, const std::vector<std::string>& contents)
    {
        key(name);
        m_json.StartArray();
        for (const std::string& content : contents)
            value(content);
        m_json.EndArray();
    }
    void group(std::string_view name, const Facts::Group& counted)
    {
        key(name);
        m_json.StartObject();
        number("count", counted.count);
        number("bytes", counted.bytes);
        m_json.EndObject();
    }
    void items(std::string_view name, const std::vector<SignatureItem>& all)
    {
        key(name);
        m_json.StartArray();
        for (const SignatureItem& item : all) {
            m_json.StartObject();
            text("name", item.name);
            if (!item.target.empty())
                text("target", item.target);
            if (const TensorMeta* meta = item.val.tensor()) {
                text("dtype", dtypeName(meta->dtype));
                key("shape");
                m_json.StartArray();
                for (const SymInt& size : meta->shape) {
                    if (size.isSymbolic())
                        value(size.expression());
                    else
                        m_json.Int64(size.value());
                }
                m_json.EndArray();
            } else {
                text("value", valueText(item.val));
            }
            m_json.EndObject();
        }
        m_json.EndArray();
    }
    void ranges(const std::vector<RangeConstraint>& all)
    {
        key("ranges");
        m_json.StartObject();
        for (const RangeConstraint& range : all) {
            key(range.expression);
            m_json.StartArray();
            for (const std::optional<std::int64_t>& bound : {range.low, range.high}) {
                if (bound)
                    m_json.Int64(*bound);
                else
                    m_json.Null();
            }
            m_json.EndArray();
        }
        m_json.EndObject();
    }
    void diagnostics(const Diagnostics& all)
    {
        key("diagnostics");
        m_json.StartArray();
        for (const Diagnostic& diagnostic : all) {
            m_json.StartObject();
            text("severity", diagnostic.severity == Severity::Note    ? "note"
                             : diagnostic.severity == Severity::Error ? "error"
                                                                      : "warning");
            text("code", diagnostic.code);
            text("node", diagnostic.node);
            text("place", diagnostic.place);
            text("message", diagnostic.message);
            m_json.EndObject();
        }
        m_json.EndArray();
    }

    rapidjson::StringBuffer m_buffer;
    rapidjson::Writer<rapidjson::StringBuffer> m_json{m_buffer};
};

/// The programs to report: the one asked for, else what readProgram takes by itself, else each of them.
std::vector<std::string> chosenPrograms(const Pt2Archive& archive, const std::string& asked)
{
    const std::vector<std::string> all = archive.programNames();
    const bool hasDefault =
        all.size() < 2 || std::find(all.begin(), all.end(), "model") != all.end();
    return !asked.empty() || hasDefault ? std::vector<std::string>{asked} : all;
}

Result<int> run(const Options& options)
{
    PT2E_ASSIGN(const Pt2Archive archive, openArchive(options.path));
    const std::vector<std::string> names = chosenPrograms(archive, options.program);
    std::string report;
    for (const std::string& name : names) {
        PT2E_ASSIGN(const ExportedProgram program, readProgram(archive, name));
        if (!report.empty())
            report += options.json ? "," : "\n";
        report += options.json ? JsonReport().write(archive, program) : asText(archive, program);
    }
    if (options.json && names.size() > 1)
        report = "[" + report + "]\n";
    PT2E_TRY(writeResult("", report));
    return kDone;
}

} // namespace

void addInfo(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "info", "what is in a .pt2 file");
    verb->add_option("FILE", options->path, "the .pt2 file")->required();
    verb->add_option("--model", options->program,
                     "the program, where a file holds several; all by default")
        ->type_name("NAME");
    verb->add_flag("--json", options->json, "print JSON");
    cli.onRun(*verb, [options] { return run(*options); });
}

} // namespace pt2e::cli
