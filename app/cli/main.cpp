// pt2e: the workbench without a window. Each verb is a file of its own.
#include "app/cli/Cli.h"
#include "app/cli/Verbs.h"

#include <cstdio>
#include <cstdlib>
#include <malloc.h>

/// A model allocates the same large blocks for every batch; given back to the system, they would have to be cleared by
/// it each time.
static void keepMemory()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the highest that glibc takes
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 64 << 20);
#endif
}

int main(int argc, char** argv)
{
    using namespace pt2e::cli;
    keepMemory();
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
    addSensitivity(app, cli);
    addBench(app, cli);
    addDiff(app, cli);
    const int code = cli.main(app, argc, argv);
    // Results are written. Taking LibTorch's tables apart would take longer than many a verb.
    std::fflush(nullptr);
    std::_Exit(code);
}
