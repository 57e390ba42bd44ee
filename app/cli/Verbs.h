// Every verb of pt2e: one file each, one line here and one in main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace pt2e::cli {

class Cli;

void addBench(CLI::App& app, Cli& cli);
void addCompare(CLI::App& app, Cli& cli);
void addDiff(CLI::App& app, Cli& cli);
void addDraw(CLI::App& app, Cli& cli);
void addDump(CLI::App& app, Cli& cli);
void addInfo(CLI::App& app, Cli& cli);
void addPrint(CLI::App& app, Cli& cli);
void addQuantize(CLI::App& app, Cli& cli);
void addRecipe(CLI::App& app, Cli& cli);
void addRun(CLI::App& app, Cli& cli);
void addSample(CLI::App& app, Cli& cli);
void addSensitivity(CLI::App& app, Cli& cli);
void addTables(CLI::App& app, Cli& cli);

} // namespace pt2e::cli
