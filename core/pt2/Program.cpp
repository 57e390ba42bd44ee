#include "core/pt2/Program.h"
#include "core/pt2/SymbolExpression.h"

namespace pt2e::pt2 {

namespace {

std::string nameOf(const Json& spec)
{
    // {"arg": {"name": …}} or, for user inputs, {"arg": {"as_tensor": {"name": …}}}.
    const Json* argument = member(spec, "arg");
    if (!argument)
        return {};
    if (const Json* name = member(*argument, "name"))
        return name->IsString() ? std::string(textOf(*name)) : std::string();
    for (auto at = argument->MemberBegin(); at != argument->MemberEnd(); ++at) {
        if (at->value.IsString())
            return textOf(at->name) == "as_tensor" ? std::string(textOf(at->value)) : std::string();
        for (const std::string_view key : {"name", "as_name"}) {
            if (const Json* name = member(at->value, key); name && name->IsString())
                return std::string(textOf(*name));
        }
    }
    return {};
}

std::string textMember(const Json& object, std::string_view key)
{
    const Json* found = member(object, key);
    return found && found->IsString() ? std::string(textOf(*found)) : std::string();
}

Result<RawInputSpec> parseInputSpec(const Json& value, const Place& place)
{
    struct Kind
    {
        std::string_view variant;
        InputRole role;
        std::string_view targetKey;
    };
    static constexpr Kind kKinds[] = {
        {"user_input", InputRole::User, ""},
        {"constant_input", InputRole::User, ""},
        {"parameter", InputRole::Parameter, "parameter_name"},
        {"buffer", InputRole::Buffer, "buffer_name"},
        {"tensor_constant", InputRole::Constant, "tensor_constant_name"},
        {"custom_obj", InputRole::CustomObject, "custom_obj_name"},
        {"token", InputRole::Token, ""}};
    PT2E_ASSIGN(const JsonUnion found, unionValue(value, place));
    for (const Kind& kind : kKinds) {
        if (kind.variant != found.variant)
            continue;
        const Place here = place.key(found.variant);
        if (!found.value->IsObject())
            return here.error("is not an object");
        RawInputSpec spec;
        spec.role = kind.role;
        spec.name = nameOf(*found.value);
        if (kind.variant == "constant_input")
            spec.name = textMember(*found.value, "name");
        if (!kind.targetKey.empty()) {
            PT2E_ASSIGN(const std::string_view target,
                        requiredString(*found.value, kind.targetKey, here));
            spec.target = target;
            if (spec.target.empty())
                return here.error("has an empty name");
        }
        spec.isPersistent = flag(*found.value, "persistent", true);
        return spec;
    }
    return place.error("is of the unknown kind '" + std::string(found.variant) + "'");
}

Result<RawOutputSpec> parseOutputSpec(const Json& value, const Place& place)
{
    PT2E_ASSIGN(const JsonUnion found, unionValue(value, place));
    RawOutputSpec spec;
    std::string_view key;
    if (found.variant == "buffer_mutation") {
        spec.role = OutputRole::BufferMutation;
        key = "buffer_name";
    } else if (found.variant == "parameter_mutation") {
        spec.role = OutputRole::ParameterMutation;
        key = "parameter_name";
    } else if (found.variant == "user_input_mutation") {
        spec.role = OutputRole::InputMutation;
        key = "user_input_name";
    } else if (found.variant != "user_output") {
        spec.role = OutputRole::Other;
    }
    if (!key.empty()) {
        const Place here = place.key(found.variant);
        PT2E_ASSIGN(const std::string_view target, requiredString(*found.value, key, here));
        spec.target = target;
    }
    return spec;
}

/// torch 2.1 kept dictionaries by name instead of lists of specs.
Result<void> parseOldSignature(const Json& signature, const Json& graph, const Place& place,
                               Program& program)
{
    const Json* parameters = member(signature, "inputs_to_parameters");
    const Json* buffers = member(signature, "inputs_to_buffers");
    const Json* mutated = member(signature, "buffers_to_mutate");
    if (!parameters && !buffers)
        return place.error("key 'input_specs' is missing");
    PT2E_ASSIGN(const Json* inputs, requiredArray(graph, "inputs", place));
    // The look-ups below are linear; no real file of that age is large.
    constexpr std::uint64_t kMaxLookups = 100'000'000;
    const std::uint64_t names = (parameters ? parameters->MemberCount() : 0u)
                                + (buffers ? buffers->MemberCount() : 0u)
                                + (mutated ? mutated->MemberCount() : 0u);
    if (names * inputs->Size() > kMaxLookups)
        return place.error("is unreasonably large");
    for (const Json& input : inputs->GetArray()) {
        RawInputSpec spec;
        if (const Json* tensor = member(input, "as_tensor"))
            spec.name = textMember(*tensor, "name");
        if (parameters && !textMember(*parameters, spec.name).empty()) {
            spec.role = InputRole::Parameter;
            spec.target = textMember(*parameters, spec.name);
        } else if (buffers && !textMember(*buffers, spec.name).empty()) {
            spec.role = InputRole::Buffer;
            spec.target = textMember(*buffers, spec.name);
        }
        program.inputs.push_back(std::move(spec));
    }
    PT2E_ASSIGN(const Json* outputs, requiredArray(graph, "outputs", place));
    if (names * outputs->Size() > kMaxLookups)
        return place.error("is unreasonably large");
    for (const Json& output : outputs->GetArray()) {
        RawOutputSpec spec;
        const Json* tensor = member(output, "as_tensor");
        if (mutated && tensor && !textMember(*mutated, textMember(*tensor, "name")).empty()) {
            spec.role = OutputRole::BufferMutation;
            spec.target = textMember(*mutated, textMember(*tensor, "name"));
        }
        program.outputs.push_back(std::move(spec));
    }
    return {};
}

Result<void> parseSignature(const Json& module, const Json& graph, const Place& place,
                            Program& program)
{
    PT2E_ASSIGN(const Json* signature, requiredObject(module, "signature", place));
    const Place here = place.key("signature");
    if (!member(*signature, "input_specs"))
        return parseOldSignature(*signature, graph, here, program);
    PT2E_ASSIGN(const Json* inputs, requiredArray(*signature, "input_specs", here));
    const Place inputsPlace = here.key("input_specs");
    for (rapidjson::SizeType i = 0; i < inputs->Size(); ++i) {
        PT2E_ASSIGN(RawInputSpec spec, parseInputSpec((*inputs)[i], inputsPlace.at(i)));
        program.inputs.push_back(std::move(spec));
    }
    PT2E_ASSIGN(const Json* outputs, requiredArray(*signature, "output_specs", here));
    const Place outputsPlace = here.key("output_specs");
    for (rapidjson::SizeType i = 0; i < outputs->Size(); ++i) {
        PT2E_ASSIGN(RawOutputSpec spec, parseOutputSpec((*outputs)[i], outputsPlace.at(i)));
        program.outputs.push_back(std::move(spec));
    }
    return {};
}

Result<void> checkSignature(const Program& program, const Place& place)
{
    const RawGraph& graph = *program.graph;
    if (graph.inputCount != program.inputs.size())
        return place.error("graph has " + std::to_string(graph.inputCount)
                           + " inputs, signature has " + std::to_string(program.inputs.size()));
    for (std::size_t i = 0; i < graph.inputCount; ++i) {
        const std::string& name = program.inputs[i].name;
        if (!name.empty() && name != graph.nodes[i].target)
            return place.error("input " + std::to_string(i) + " is '" + graph.nodes[i].target
                               + "' in the graph and '" + name + "' in the signature");
    }
    const Arguments& args = graph.nodes.back().args;
    const ArgumentList* results = args.front().get<ArgumentList>();
    const std::size_t count = results ? results->items.size() : 1;
    if (count != program.outputs.size())
        return place.error("graph has " + std::to_string(count) + " outputs, signature has "
                           + std::to_string(program.outputs.size()));
    return {};
}

void parseTreeSpecs(const Json& module, Program& program)
{
    const Json* calls = member(module, "module_call_graph");
    if (!calls || !calls->IsArray())
        return;
    for (const Json& entry : calls->GetArray()) {
        const Json* signature = member(entry, "signature");
        if (signature && textMember(entry, "fqn").empty()) {
            program.inSpec = textMember(*signature, "in_spec");
            program.outSpec = textMember(*signature, "out_spec");
            return;
        }
    }
}

std::vector<std::string> textList(const Json& root, std::string_view key)
{
    std::vector<std::string> texts;
    const Json* list = member(root, key);
    if (list && list->IsArray()) {
        for (const Json& item : list->GetArray()) {
            if (item.IsString())
                texts.emplace_back(textOf(item));
        }
    }
    return texts;
}

void parseRanges(const Json& root, Program& program)
{
    const Json* ranges = member(root, "range_constraints");
    if (!ranges || !ranges->IsObject())
        return;
    for (auto at = ranges->MemberBegin(); at != ranges->MemberEnd(); ++at) {
        RawRange range{std::string(textOf(at->name)), {}, {}};
        if (const Json* low = member(at->value, "min_val"); low && low->IsInt64())
            range.low = low->GetInt64();
        if (const Json* high = member(at->value, "max_val"); high && high->IsInt64())
            range.high = high->GetInt64();
        program.ranges.push_back(std::move(range));
    }
}

/// A SymInt with its hint: {"as_expr": {"expr_str": …, "hint": {"as_int": 3}}}. Whatever has another form is passed over;
/// what is wrong with it has been said where it was parsed.
void addHint(const Json& size, Program& program)
{
    const Json* expression = member(size, "as_expr");
    const Json* hint = expression ? member(*expression, "hint") : nullptr;
    const Json* number = hint ? member(*hint, "as_int") : nullptr;
    if (!number || !number->IsInt64())
        return;
    if (const Result<std::string> infix = infixFromStructural(textMember(*expression, "expr_str")))
        program.hints.emplace(*infix, number->GetInt64());
}

void parseHints(const Json& graph, Program& program)
{
    if (const Json* tensors = member(graph, "tensor_values"); tensors && tensors->IsObject()) {
        for (auto at = tensors->MemberBegin(); at != tensors->MemberEnd(); ++at) {
            for (const char* key : {"sizes", "strides"}) {
                const Json* sizes = member(at->value, key);
                if (!sizes || !sizes->IsArray())
                    continue;
                for (const Json& size : sizes->GetArray())
                    addHint(size, program);
            }
        }
    }
    if (const Json* numbers = member(graph, "sym_int_values"); numbers && numbers->IsObject()) {
        for (auto at = numbers->MemberBegin(); at != numbers->MemberEnd(); ++at)
            addHint(at->value, program);
    }
}

Result<void> parseVersion(const Json& root, const Place& place, Program& program, Remarks& remarks)
{
    PT2E_ASSIGN(const Json* version, requiredMember(root, "schema_version", place));
    const Place here = place.key("schema_version");
    std::int64_t major = 0;
    std::int64_t minor = 0;
    if (version->IsObject()) {
        PT2E_ASSIGN(const Json* majorJson, requiredMember(*version, "major", here));
        PT2E_ASSIGN(const Json* minorJson, requiredMember(*version, "minor", here));
        PT2E_ASSIGN(major, intValue(*majorJson, here.key("major")));
        PT2E_ASSIGN(minor, intValue(*minorJson, here.key("minor")));
    } else {
        PT2E_ASSIGN(major, intValue(*version, here));
    }
    if (major < 0 || major > 100 || minor < 0 || minor > 1'000'000)
        return here.error("is out of range");
    program.schemaMajor = static_cast<int>(major);
    program.schemaMinor = static_cast<int>(minor);
    if (major > 8)
        remarks.add(Severity::Warning, "newer-schema", {}, here.text(),
                    "schema " + std::to_string(major) + "." + std::to_string(minor)
                        + " is newer than what this program knows (8)");
    else if (major < 8)
        remarks.add(Severity::Note, "older-schema", {}, here.text(),
                    "schema " + std::to_string(major)
                        + " can no longer be loaded by current "
                          "PyTorch");
    return {};
}

} // namespace

Result<Program> parseProgram(const Json& root, const std::string& where, Remarks& remarks)
{
    const Place place(where);
    Program program;
    PT2E_TRY(parseVersion(root, place, program, remarks));
    PT2E_ASSIGN(const Json* module, requiredObject(root, "graph_module", place));
    const Place modulePlace = place.key("graph_module");
    PT2E_ASSIGN(const Json* graph, requiredObject(*module, "graph", modulePlace));
    PT2E_TRY(parseSignature(*module, *graph, modulePlace, program));
    std::vector<std::string> literalNames;
    for (const RawInputSpec& spec : program.inputs)
        literalNames.push_back(spec.name);
    PT2E_ASSIGN(program.graph, parseGraph(*graph, modulePlace.key("graph"), literalNames, remarks));
    PT2E_TRY(checkSignature(program, modulePlace));
    parseTreeSpecs(*module, program);
    parseRanges(root, program);
    parseHints(*graph, program);
    program.verifiers = textList(root, "verifiers");
    if (program.verifiers.empty() && !textMember(root, "dialect").empty())
        program.verifiers.push_back(textMember(root, "dialect"));
    program.guards = textList(root, "guards_code");
    program.torchVersion = textMember(root, "torch_version");
    if (const Json* metadata = member(*module, "metadata"))
        program.custom = textMember(*metadata, "custom");
    return program;
}

} // namespace pt2e::pt2
