// Every verb of pt2e: one file each, one line here and one in main.cpp.
#pragma once

namespace CLI {
class App;
}

namespace pt2e::cli {

class Cli;

} // namespace pt2e::cli
