#include "core/pipeline/Stages.h"

#include "core/data/DataSet.h"
#include "core/ir/Text.h"
#include "core/pipeline/AnnotationMeta.h"
#include "core/pipeline/Coverage.h"
#include "core/pipeline/Edits.h"
#include "core/quant/Surprises.h"

#include <algorithm>
#include <iterator>

namespace pt2e {

namespace {

void sayNothingQuantized(const Coverage& coverage, const QuantizerSettings& settings,
                         Diagnostics& diagnostics)
{
    if (settings.flavor == QuantizerFlavor::None || coverage.ops == 0 || coverage.opsQuantized > 0)
        return;
    diagnostics.push_back({Severity::Warning, "nothing-quantized", "", "",
                           "none of " + std::to_string(coverage.ops) + " ops is quantized"});
}

} // namespace

Result<std::shared_ptr<const AnnotatedStage>> annotateFolded(const FoldedGraph& folded,
                                                             const Recipe& recipe)
{
    auto stage = std::make_shared<AnnotatedStage>();
    stage->folded = folded;
    const Graph& graph = *folded.graph;
    if (recipe.quantizer.flavor == QuantizerFlavor::None) {
        stage->quantizerSaid = annotationsIn(graph, stage->diagnostics);
    } else {
        PT2E_ASSIGN(stage->quantizerSaid, annotate(graph, recipe.quantizer));
    }
    const auto add = [&](Diagnostics&& more) {
        std::move(more.begin(), more.end(), std::back_inserter(stage->diagnostics));
    };
    stage->unannotated = explainUnannotated(graph, stage->quantizerSaid, recipe.quantizer);
    add(surprises(graph, stage->quantizerSaid, stage->unannotated, recipe.quantizer));
    const NodeNames names(graph);
    stage->quantizerSaid =
        applyRules(std::move(stage->quantizerSaid), recipe.rules, graph, names, stage->diagnostics);
    stage->annotations = applyEdits(stage->quantizerSaid, recipe.edits, names, stage->diagnostics);
    if (!recipe.rules.empty() || !recipe.edits.empty())
        stage->unannotated = explainUnannotated(graph, stage->annotations, recipe.quantizer);
    add(unobservedOutputs(graph, stage->annotations));
    stage->coverage = coverageOf(graph, stage->annotations);
    sayNothingQuantized(stage->coverage, recipe.quantizer, stage->diagnostics);
    return stage;
}

bool isSameFold(const FoldedGraph& a, const FoldedGraph& b)
{
    return a.graph->order() == b.graph->order() && printGraph(*a.graph) == printGraph(*b.graph);
}

Result<std::shared_ptr<const AnnotatedStage>> annotateStage(const Model& model,
                                                            const Recipe& recipe,
                                                            const JobContext& context)
{
    PT2E_ASSIGN(const FoldedGraph folded,
                foldForAnnotation(model.exported, foldSettings(model, recipe.quantizer), context));
    return annotateFolded(folded, recipe);
}

Result<std::shared_ptr<const PreparedGraph>> prepareStage(const AnnotatedStage& annotated,
                                                          const JobContext& context)
{
    if (annotated.folded.bodyError)
        return tl::unexpected<Error>(*annotated.folded.bodyError);
    PT2E_ASSIGN(PreparedGraph prepared,
                insertObservers(annotated.folded.graph, annotated.annotations, context));
    return std::make_shared<const PreparedGraph>(std::move(prepared));
}

namespace {

/// The prepared graph with the buffers as calibration left them: that is what convert is given in PyTorch.
GraphPtr withBuffers(const GraphPtr& graph, const OrderedMap<Tensor>& buffers)
{
    if (buffers.empty())
        return graph;
    GraphEditor editor{Graph(*graph)};
    for (const auto& [name, value] : buffers) {
        if (const Attribute* before = graph->attributes().find(name))
            editor.setAttribute(name, {value, before->kind});
    }
    return std::move(editor).publish();
}

} // namespace

Result<std::shared_ptr<const ConvertedGraph>> convertStage(const AnnotatedStage& annotated,
                                                           const PreparedGraph& prepared,
                                                           const CalibratedStage& calibrated,
                                                           const Recipe& recipe,
                                                           const JobContext& context)
{
    const auto qparamsOf = [&](ObserverId id) -> Result<QParamsResult> {
        if (const auto& error = calibrated.errors[id.value])
            return tl::unexpected<Error>(*error);
        return calibrated.qparams[id.value];
    };
    PreparedGraph calibratedGraph = prepared;
    calibratedGraph.graph = withBuffers(prepared.graph, calibrated.buffers);
    PT2E_ASSIGN(ConvertedGraph converted,
                convert(calibratedGraph, annotated.annotations, annotated.folded.scopeOf, qparamsOf,
                        recipe.convert, context));
    return std::make_shared<const ConvertedGraph>(std::move(converted));
}

Result<Batches> loadBatches(const Model& model, const CalibrationChoice& choice)
{
    constexpr std::int64_t kRandomBatches = 8;
    switch (choice.source) {
    case CalibrationChoice::Source::File: {
        // A NaN reaches the observers, as in PyTorch.
        PT2E_ASSIGN(const auto data,
                    openData({choice.path, choice.format, 0, true}, *model.exported));
        return collectBatches(*data, choice.batches.value_or(-1));
    }
    case CalibrationChoice::Source::Random: {
        const std::int64_t count = choice.batches.value_or(kRandomBatches);
        if (model.randomBatches)
            return model.randomBatches(count, choice.seed);
        return randomBatches(*model.exported, count, choice.seed,
                             model.examples.empty() ? nullptr : &model.examples.front());
    }
    case CalibrationChoice::Source::Examples: break;
    }
    if (model.examples.empty())
        return badInput(model.path.empty() ? model.name : model.path,
                        "there are no example inputs to calibrate with; choose random or a file");
    Batches batches;
    batches.batches = model.examples;
    if (choice.batches && static_cast<std::size_t>(*choice.batches) < batches.batches.size())
        batches.batches.resize(static_cast<std::size_t>(*choice.batches));
    batches.description = "example inputs of the file";
    PT2E_TRY(hashBatches(batches));
    return batches;
}

} // namespace pt2e
