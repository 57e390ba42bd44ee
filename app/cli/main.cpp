// pt2e: the workbench without a window. Each verb is a file of its own.
#include "app/cli/Cli.h"
#include "app/cli/Verbs.h"

int main(int argc, char** argv)
{
    using namespace pt2e::cli;
    CLI::App app("PT2E Workbench on the command line: opens torch.export files, quantizes them as "
                 "PyTorch's PT2E flow does, and shows each stage.",
                 "pt2e");
    Cli cli;
    addSample(app, cli);
    addInfo(app, cli);
    addDump(app, cli);
    addPrint(app, cli);
    addTables(app, cli);
    addDraw(app, cli);
    addRecipe(app, cli);
    addQuantize(app, cli);
    addRun(app, cli);
    addCompare(app, cli);
    addDiff(app, cli);
    return cli.main(app, argc, argv);
}
