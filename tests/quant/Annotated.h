// A graph with what a quantizer said about it.
#pragma once

#include "core/ir/Text.h"
#include "core/quant/Quantizer.h"
#include "core/quant/Surprises.h"
#include "tests/support/Scenarios.h"

namespace pt2e::test {

struct Annotated
{
    GraphPtr graph;
    AnnotationTable annotations;
    Diagnostics diagnostics;
    std::vector<WhyNot> reasons;

    const WhyNot* reason(const std::string& node) const
    {
        for (const WhyNot& why : reasons) {
            const Node* found = graph->find(why.node);
            if (found && found->name == node)
                return &why;
        }
        return nullptr;
    }
    std::string nameOf(NodeId id) const { return id ? graph->node(id).name : ""; }
};

inline Annotated annotated(GraphPtr graph, const QuantizerSettings& settings = {})
{
    Annotated result;
    GraphEditor editor{Graph(*graph)};
    if (const auto done = transformForAnnotation(editor, settings); !done)
        qFatal("%s", done.error().message().c_str());
    result.graph = std::move(editor).publish();
    result.annotations = annotate(*result.graph, settings).value();
    result.reasons = explainUnannotated(*result.graph, result.annotations, settings);
    result.diagnostics = surprises(*result.graph, result.annotations, result.reasons, settings);
    return result;
}

inline Annotated annotated(const std::string& scenario,
                           const std::optional<QuantizerSettings>& settings = {})
{
    static const std::vector<Scenario> all = loadScenarios();
    for (const Scenario& candidate : all) {
        if (candidate.name == scenario)
            return annotated(candidate.exported(), settings.value_or(candidate.settings()));
    }
    qFatal("no scenario %s", scenario.c_str());
}

/// A graph from its text; every node gets a float32 val.
inline GraphPtr fromText(const char* text)
{
    GraphEditor editor{parseGraph(text).value()};
    for (NodeId id : editor.graph().order()) {
        if (!editor.graph().node(id).is(OpKind::Output))
            editor.setVal(id, ValueMeta{TensorMeta{DType::Float32, {2, 3}, {}, false}});
    }
    return std::move(editor).publish();
}

/// The same with these nodes in a module.
inline GraphPtr withModule(GraphPtr graph, const std::vector<std::string>& names,
                           const std::string& path, const std::string& className)
{
    GraphEditor editor{Graph(*graph)};
    for (const std::string& name : names) {
        auto meta = std::make_shared<FileMeta>();
        meta->moduleStack = {{"root", "", "Net"}, {path, path, className}};
        editor.setFileMeta(editor.graph().findByName(name)->id, meta);
    }
    return std::move(editor).publish();
}

inline std::string dump(const WhyNot* why)
{
    return why ? why->rule + ": " + why->reason.text() : "none";
}

} // namespace pt2e::test

#define VERIFY_REASON(result, nodeName, expectedKind, part)                              \
    do {                                                                                 \
        const Annotated& checked = (result);                                             \
        const WhyNot* why = checked.reason(nodeName);                                    \
        QVERIFY2(why, nodeName);                                                         \
        QVERIFY2(why->reason.kind() == ReasonKind::expectedKind, dump(why).c_str());     \
        QVERIFY2(why->reason.text().find(part) != std::string::npos, dump(why).c_str()); \
    } while (false)
