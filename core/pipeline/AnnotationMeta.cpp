#include "core/pipeline/AnnotationMeta.h"

#include "core/pipeline/Edits.h"
#include "core/pipeline/JsonParse.h"
#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/JsonText.h"
#include "core/pipeline/SpecJson.h"
#include "core/quant/Flavor.h"

#include <algorithm>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace pt2e {

namespace {

void addTo(json::Object& object, const NodeNames& names, const Annotation& annotation)
{
    const auto point = [&](const Point& p) { return names.pointText(p); };
    const auto input = [&](const auto& item) {
        return json::array({json::text(names.nameOf(item.first)), json::spec(item.second, point)});
    };
    object.add("inputs", json::arrayOf(annotation.inputs, input))
        .add("output", json::spec(annotation.output, point));
    if (!annotation.allowImplicitSharing)
        object.add("allow_implicit_sharing", "false");
}

std::string annotationText(const NodeNames& names, const Annotation* annotation,
                           const OperandAnnotations& operands)
{
    json::Object object;
    if (annotation)
        addTo(object, names, *annotation);
    if (!operands.empty()) {
        json::Object inner;
        for (const auto& [node, operand] : operands) {
            json::Object own;
            addTo(own, names, *operand);
            inner.add(names.nameOf(node), own.line());
        }
        object.add("operands", inner.line());
    }
    return object.line();
}

/// The user's own entries stay; what is no object cannot take a key and is left alone.
std::string withKey(const std::string& custom, const std::string& value)
{
    rapidjson::Document document;
    if (json::parse(document, custom.empty() ? "{}" : custom) || !document.IsObject())
        return custom;
    rapidjson::Document added(&document.GetAllocator());
    json::parse(added, value); // our own text
    document.RemoveMember(kAnnotationKey);
    document.AddMember(rapidjson::StringRef(kAnnotationKey), added, document.GetAllocator());
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    document.Accept(writer);
    return buffer.GetString();
}

Result<std::pair<NodeId, Spec>> readInput(const json::Place& pair, const NodeNames& names)
{
    std::string name;
    std::optional<Spec> spec;
    std::size_t at = 0;
    PT2E_TRY(pair.items([&](const json::Place& item) -> Result<void> {
        switch (at++) {
        case 0: return item.read(name);
        case 1: {
            PT2E_ASSIGN(const EditSpec edit, json::readEditSpec(item));
            PT2E_ASSIGN(spec, resolveSpec(edit, names));
            return {};
        }
        default: return item.error("a pair of name and spec has two items");
        }
    }));
    const NodeId node = names.find(name);
    if (!spec || !node)
        return pair.error("there is no input '" + name + "'");
    return std::pair(node, std::move(*spec));
}

using Found = std::vector<std::pair<NodeId, Annotation>>;

/// The annotation of a node and, where they are allowed, those of its operands.
Result<void> readAnnotation(const json::Place& place, const NodeNames& names, NodeId node,
                            bool mayHaveOperands, Found& found)
{
    Annotation annotation;
    annotation.isAnnotated = true;
    annotation.rule = "file";
    bool isThere = false;
    PT2E_TRY(place.members([&](std::string_view key, const json::Place& member) -> Result<void> {
        isThere = isThere || key == "inputs" || key == "output";
        if (key == "output") {
            PT2E_ASSIGN(const EditSpec edit, json::readEditSpec(member));
            PT2E_ASSIGN(annotation.output, resolveSpec(edit, names));
            return {};
        }
        if (key == "inputs")
            return member.items([&](const json::Place& pair) -> Result<void> {
                PT2E_ASSIGN(auto input, readInput(pair, names));
                annotation.inputs.push_back(std::move(input));
                return {};
            });
        if (key == "allow_implicit_sharing")
            return member.read(annotation.allowImplicitSharing);
        if (key != "operands" || !mayHaveOperands)
            return member.unknownKey();
        return member.members([&](std::string_view name, const json::Place& own) -> Result<void> {
            const NodeId operand = names.find(name);
            if (!operand)
                return own.error("there is no operand '" + std::string(name) + "'");
            return readAnnotation(own, names, operand, false, found);
        });
    }));
    if (isThere)
        found.emplace_back(node, std::move(annotation));
    return {};
}

/// The annotations in a node's "custom" metadata.
Result<Found> annotationsOf(const NodeNames::Entry& entry, const NodeNames& names)
{
    Found found;
    rapidjson::Document document;
    PT2E_ASSIGN(const json::Place custom,
                json::Place::parse(document, entry.node->fileMeta->custom,
                                   "node '" + entry.name() + "': custom"));
    if (!document.IsObject())
        return found;
    PT2E_TRY(custom.members([&](std::string_view key, const json::Place& member) -> Result<void> {
        return key == kAnnotationKey ? readAnnotation(member, names, entry.node->id, true, found)
                                     : Result<void>{};
    }));
    return found;
}

} // namespace

std::shared_ptr<const FileMeta> withAnnotation(const std::shared_ptr<const FileMeta>& meta,
                                               const NodeNames& names, const Annotation* annotation,
                                               const OperandAnnotations& operands)
{
    auto changed = meta ? std::make_shared<FileMeta>(*meta) : std::make_shared<FileMeta>();
    changed->custom = withKey(changed->custom, annotationText(names, annotation, operands));
    for (auto& [key, text] : changed->raw) {
        if (key == "custom")
            text = changed->custom;
    }
    return changed;
}

AnnotationTable annotationsIn(const Graph& folded, Diagnostics& diagnostics)
{
    AnnotationTable annotations;
    const NodeNames names(folded);
    for (const NodeNames::Entry& entry : names.entries()) {
        if (!carriesAnnotation(*entry.node))
            continue;
        auto found = annotationsOf(entry, names);
        if (!found) {
            diagnostics.push_back(
                {Severity::Warning, "file-annotation", entry.name(), "",
                 "its annotation in the file is left out: " + found.error().message()});
            continue;
        }
        for (auto& [node, annotation] : *found)
            annotations.at(node) = std::move(annotation);
    }
    return annotations;
}

std::string withQuantizer(const std::string& custom, const QuantizerSettings& settings)
{
    // Annotations that came from a file and go back into one: what made them stands there already.
    const Flavor* flavor = flavorOf(settings.flavor);
    if (!flavor)
        return custom;
    const auto runs = plannedRuns(*flavor, settings);
    const bool removes = std::any_of(runs.begin(), runs.end(),
                                     [](const PlannedRun& run) { return run.removesDeadCode; });
    return withKey(custom, json::Object()
                               .add("quantizer", json::text(flavorName(settings.flavor)))
                               .add("removes_dead_code", removes ? "true" : "false")
                               .line());
}

QuantizerSettings foldSettings(const Model& model, const QuantizerSettings& settings)
{
    if (settings.flavor != QuantizerFlavor::None || model.form.kind != ProgramKind::Annotated)
        return settings;
    rapidjson::Document document;
    const bool isJson = !json::parse(document, model.fileOptions.custom);
    const auto member = [](const rapidjson::Value* object, const char* key) {
        const bool isThere = object && object->IsObject() && object->HasMember(key);
        return isThere ? &(*object)[key] : nullptr;
    };
    const rapidjson::Value* ours = member(isJson ? &document : nullptr, kAnnotationKey);
    const rapidjson::Value* removes = member(ours, "removes_dead_code");
    QuantizerSettings found;
    if (removes && removes->IsTrue())
        found.flavor = QuantizerFlavor::ExecuTorch; // the one that does
    return found;
}

} // namespace pt2e
