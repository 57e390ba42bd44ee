#include "core/pipeline/Model.h"

#include "core/pt2/Reader.h"

namespace pt2e {

namespace {

std::string fileName(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

Result<ModelPtr> openFile(const ModelRequest& request)
{
    PT2E_ASSIGN(const Pt2Archive archive, openArchive(request.what));
    PT2E_ASSIGN(ExportedProgram program, readProgram(archive, request.programName));
    auto model = std::make_shared<Model>();
    model->name = fileName(request.what);
    model->path = request.what;
    model->exported = std::move(program.graph);
    model->diagnostics = std::move(program.diagnostics);
    if (!program.examples.empty())
        model->examples.push_back(std::move(program.examples));
    return model;
}

} // namespace

Result<ModelPtr> openModel(const ModelRequest& request, const JobContext& context)
{
    PT2E_TRY(context.checkpoint());
    return openFile(request);
}

} // namespace pt2e
