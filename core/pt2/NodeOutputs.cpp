// Results of nodes: FX gives a node one value, so several results become getitem nodes, which files do
// not hold (GraphModuleDeserializer.deserialize_outputs).
#include "core/pt2/GraphParser.h"

namespace pt2e::pt2 {

namespace {

/// torch.fx.Graph._target_to_str for a function.
std::string targetCandidate(std::string_view target)
{
    for (const std::string_view prefix : {"torch.", "math.", "_operator."}) {
        if (target.starts_with(prefix))
            return snakeCase(target.substr(target.rfind('.') + 1));
    }
    return candidateFor(target, true);
}

bool isHigherOrder(const Json& node)
{
    const Json* target = member(node, "target");
    return target && target->IsString() && textOf(*target).starts_with("torch.ops.higher_order.");
}

bool isSymbolic(std::string_view variant)
{
    return variant == "as_sym_int" || variant == "as_sym_float" || variant == "as_sym_bool";
}

/// Name of a single tensor or symbol result; empty for anything else.
Result<std::string_view> resultName(const JsonUnion& output, const Place& place)
{
    if (output.variant == "as_tensor" || output.variant == "as_custom_obj"
        || output.variant == "as_token")
        return tensorName(*output.value, place);
    if (isSymbolic(output.variant))
        return requiredString(*output.value, "as_name", place);
    return std::string_view();
}

} // namespace

Result<std::string> GraphParser::nameCandidate(const Json& node, const Json& outputs,
                                               const RawNode& out, const Place& place) const
{
    if (const Json* name = member(node, "name")) {
        PT2E_ASSIGN(const std::string_view text, stringValue(*name, place.key("name")));
        if (!text.empty())
            return std::string(text);
    }
    // Only a single tensor names its node; symbols get FX's name first and the file's name after.
    const bool isTuple = isHigherOrder(node) && !flag(node, "is_hop_single_tensor_return", false);
    if (outputs.Size() == 1 && !isTuple) {
        PT2E_ASSIGN(const JsonUnion output, unionValue(outputs[0], place.key("outputs")));
        if (output.variant == "as_tensor") {
            PT2E_ASSIGN(const std::string_view name, tensorName(*output.value, place));
            return std::string(name);
        }
        if (isSymbolic(output.variant)
            && (out.target.starts_with("_operator.") || out.target.starts_with("torch.")
                || out.target == "aten.item.default")) {
            PT2E_ASSIGN(const std::string_view name, resultName(output, place));
            return std::string(name);
        }
    }
    return targetCandidate(out.target);
}

Result<void> GraphParser::parseNodeOutputs(const Json& node, const Json& outputs,
                                           const Place& place, std::size_t index)
{
    const Place outputsPlace = place.key("outputs");
    if (outputs.Empty())
        return {};
    std::vector<ValueMeta> values;
    if (outputs.Size() == 1) {
        PT2E_ASSIGN(const JsonUnion output, unionValue(outputs[0], outputsPlace.at(0)));
        PT2E_ASSIGN(const std::string_view name, resultName(output, outputsPlace.at(0)));
        const bool isTuple =
            isHigherOrder(node) && !flag(node, "is_hop_single_tensor_return", false);
        if (!name.empty() && !isTuple) {
            PT2E_ASSIGN(m_graph.nodes[index].val, valueOf(name));
            return define(index, name, outputsPlace.at(0));
        }
        if (output.variant == "as_none") {
            m_graph.nodes[index].name =
                m_names.create(targetCandidate(m_graph.nodes[index].target) + "_unused");
            return {};
        }
        if (output.value->IsArray()) // one list of tensors; 2.6 writes one-tuples of HOPs so, too
            PT2E_TRY(getitems(index, output, outputsPlace.at(0), values));
        else
            PT2E_TRY(getitem(index, 0, output, outputsPlace.at(0), values));
    } else {
        for (rapidjson::SizeType i = 0; i < outputs.Size(); ++i) {
            const Place here = outputsPlace.at(i);
            PT2E_ASSIGN(const JsonUnion output, unionValue(outputs[i], here));
            PT2E_TRY(getitem(index, i, output, here, values));
        }
    }
    m_graph.nodes[index].val.value = std::move(values);
    return {};
}

Result<void> GraphParser::getitems(std::size_t producer, const JsonUnion& list, const Place& place,
                                   std::vector<ValueMeta>& values)
{
    for (rapidjson::SizeType i = 0; i < list.value->Size(); ++i) {
        const Json& item = (*list.value)[i];
        JsonUnion output{"as_tensor", &item};
        if (list.variant.starts_with("as_sym_"))
            output.variant = list.variant.substr(0, list.variant.size() - 1);
        else if (list.variant == "as_optional_tensors") {
            PT2E_ASSIGN(output, unionValue(item, place.at(i)));
        } else if (list.variant != "as_tensors") {
            return place.error("results of the kind '" + std::string(list.variant)
                               + "' are not known");
        }
        PT2E_TRY(getitem(producer, i, output, place.at(i), values));
    }
    return {};
}

Result<void> GraphParser::getitem(std::size_t producer, std::size_t position,
                                  const JsonUnion& output, const Place& place,
                                  std::vector<ValueMeta>& values)
{
    RawNode item;
    item.target = "getitem";
    item.args = {Argument(NodeId{static_cast<std::uint32_t>(producer)}),
                 Argument(static_cast<std::int64_t>(position))};
    item.fileMeta = m_graph.nodes[producer].fileMeta;
    PT2E_ASSIGN(const std::string_view name, resultName(output, place));
    if (!name.empty()) {
        PT2E_ASSIGN(item.val, valueOf(name));
        values.push_back(item.val);
        PT2E_ASSIGN(const std::size_t index, addNode(std::move(item), name, place));
        return define(index, name, place);
    }
    if (output.variant == "as_none") {
        values.emplace_back();
        PT2E_TRY(addNode(std::move(item), "as_none", place));
        return {};
    }
    if (!output.value->IsArray())
        return place.error("results of the kind '" + std::string(output.variant)
                           + "' are not known");
    PT2E_ASSIGN(const std::size_t index, addNode(std::move(item), "getitem", place));
    std::vector<ValueMeta> inner;
    PT2E_TRY(getitems(index, output, place, inner));
    m_graph.nodes[index].val.value = inner;
    values.emplace_back();
    values.back().value = std::move(inner);
    return {};
}

} // namespace pt2e::pt2
