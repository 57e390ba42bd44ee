#include "core/pipeline/Model.h"

#include "core/pt2/Reader.h"
#include "core/zoo/Zoo.h"

namespace pt2e {

namespace {

std::string fileName(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Batches drawn where the model's own stream stands; from a fresh one if another seed is asked for.
Result<Batches> batchesOf(const ZooModel& model, std::int64_t count, std::uint64_t seed)
{
    if (seed != model.options.seed)
        return randomBatches(*model.graph, count, seed, &model.example);
    const std::unique_ptr<RandomStream> stream = model.stream->clone();
    return drawBatches(*model.graph, count, *stream, &model.example);
}

Result<ModelPtr> buildModel(const ModelRequest& request)
{
    const ZooOptions options{request.channels, request.layers, request.seed};
    PT2E_ASSIGN(ZooModel built, buildZooModel(request.what, options));
    auto model = std::make_shared<Model>();
    model->name = built.name;
    model->exported = built.graph;
    model->form = programForm(*model->exported);
    if (!built.example.empty())
        model->examples.push_back(built.example);
    model->randomBatches = [built = std::move(built)](std::int64_t count, std::uint64_t seed) {
        return batchesOf(built, count, seed);
    };
    return model;
}

void sayForm(const ProgramForm& form, Diagnostics& diagnostics)
{
    if (form.isQuantized())
        diagnostics.push_back(
            {Severity::Note, "already-quantized", "", "",
             "a " + form.text() + ": it is shown and run as it is, and not quantized again"});
    else if (form.kind == ProgramKind::Annotated)
        diagnostics.push_back(
            {Severity::Note, "annotations-in-file", "", "",
             "a " + form.text() + ": they are what counts while no quantizer is chosen"});
}

Result<std::shared_ptr<Model>> modelFrom(const Pt2Archive& archive, const std::string& programName)
{
    PT2E_ASSIGN(ExportedProgram program, readProgram(archive, programName));
    auto model = std::make_shared<Model>();
    model->fileOptions = optionsFrom(program);
    model->exported = std::move(program.graph);
    model->form = programForm(*model->exported);
    model->diagnostics = std::move(program.diagnostics);
    sayForm(model->form, model->diagnostics);
    if (!program.examples.empty())
        model->examples.push_back(std::move(program.examples));
    return model;
}

Result<ModelPtr> openFile(const ModelRequest& request)
{
    PT2E_ASSIGN(const Pt2Archive archive, openArchive(request.what));
    PT2E_ASSIGN(const auto model, modelFrom(archive, request.programName));
    model->name = fileName(request.what);
    model->path = request.what;
    return model;
}

Result<ModelPtr> openShipped(const ShippedModel& shipped)
{
    const std::string name(shipped.name);
    PT2E_ASSIGN(const Pt2Archive archive, openArchive({nullptr, shipped.file}, name));
    PT2E_ASSIGN(const auto model, modelFrom(archive, {}));
    model->name = name;
    model->data = std::make_shared<const ModelData>(shipped.data);
    return model;
}

} // namespace

Result<ModelPtr> openModel(const ModelRequest& request, const JobContext& context)
{
    PT2E_TRY(context.checkpoint());
    if (const ShippedModel* shipped = findShippedModel(request.what))
        return openShipped(*shipped);
    return findZooEntry(request.what) ? buildModel(request) : openFile(request);
}

} // namespace pt2e
