#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/data/DataSet.h"
#include "core/engine/xnnpack/XnnpackProgram.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    std::string engine = "reference";
    std::string inputs;
    DataOptions data;
    std::string output;
};

/// All batches. Outputs are numbered as they are, so a bad one cannot be left out.
Result<Batches> readAll(const Options& options, const Graph& graph)
{
    DataRequest request{options.inputs, {}, 0, true};
    PT2E_ASSIGN(request.format, options.data.over({}));
    PT2E_ASSIGN(const auto data, openData(request, graph));
    PT2E_ASSIGN(Batches batches, collectBatches(*data));
    for (const Diagnostic& problem : batches.problems) {
        if (problem.code == "data-left-out")
            return badInput(problem.place, problem.message);
    }
    return batches;
}

Result<Batches> inputsOf(const Options& options, const Model& model)
{
    if (!options.inputs.empty())
        return readAll(options, *model.exported);
    if (model.examples.empty())
        return fail(ErrorCode::BadInput, options.model.request.what,
                    "has no example inputs; give --inputs FILE");
    Batches batches;
    batches.batches = model.examples;
    batches.description = "the file's example inputs";
    return batches;
}

/// How much of the graph runs where, on stderr.
void sayAssignments(const Graph& graph, const std::vector<Assignment>& assignments)
{
    std::size_t int8 = 0;
    std::size_t real = 0;
    std::size_t torch = 0;
    int partitions = 0;
    for (const Assignment& assignment : assignments) {
        const Node& node = graph.node(assignment.node);
        partitions = std::max(partitions, assignment.partition + 1);
        if (!node.is(OpKind::CallFunction) || node.target.starts_with("quantized_decomposed."))
            continue;
        (assignment.where == Assignment::Where::LibTorch       ? torch
         : assignment.where == Assignment::Where::XnnpackFloat ? real
                                                               : int8) += 1;
    }
    say(fmt::format(
        "XNNPACK {}: {} operators in int8, {} in float in {} partitions, {} on LibTorch",
        xnnpackInfo().snapshot, int8, real, partitions, torch));
}

Result<int> run(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const ModelPtr model, openModel(options.model.request, cli.job()));
    sayDiagnostics(model->diagnostics);
    PT2E_ASSIGN(const Batches inputs, inputsOf(options, *model));
    PT2E_TRY(cli.loadKernels());
    std::unique_ptr<Program> program;
    if (options.engine == "xnnpack") {
        PT2E_ASSIGN(program, makeXnnpackProgram(model->exported, {cli.job().threads}));
        sayAssignments(*model->exported, program->assignments());
    } else {
        PT2E_ASSIGN(program, makeReferenceProgram(model->exported));
    }
    std::vector<Values> outputs;
    // A module called once per batch: what it writes into its buffers stays for the next.
    RunState state;
    RunOptions runOptions;
    runOptions.state = &state;
    for (const Values& batch : inputs.batches) {
        cli.job().report("running", static_cast<std::int64_t>(outputs.size()),
                         static_cast<std::int64_t>(inputs.batches.size()));
        PT2E_ASSIGN(RunReport report, program->run(batch, runOptions, cli.job()));
        outputs.push_back(std::move(report.outputs));
    }
    PT2E_TRY(writeOutputs(options.output, outputs));
    return kDone;
}

} // namespace

void addRun(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "run", "runs a model, float or converted, on data");
    addModelOptions(*verb, options->model);
    verb->add_option(
            "--engine", options->engine,
            "reference (LibTorch, default) or xnnpack (int8 and float; what it cannot do runs on "
            "LibTorch)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"reference", "xnnpack"}));
    verb->add_option("--inputs", options->inputs,
                     "a .npz, .npy, IDX or raw file, or a folder of pictures (default: the file's "
                     "example inputs)")
        ->type_name("DATA");
    addDataOptions(*verb, options->data);
    verb->add_option("-o,--output", options->output, "the outputs, b<batch>_o<output>")
        ->type_name("FILE.npz")
        ->required();
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
