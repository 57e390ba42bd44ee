// The only code that calls Graphviz (libcgraph, libgvc). Not thread-safe, leaks a little per layout, cannot be
// cancelled: hence a program of its own.
#pragma once

#include "core/view/DotGraph.h"

#include <string>

namespace pt2e {

class Graphviz
{
public:
    Graphviz() = default;
    ~Graphviz();
    Graphviz(const Graphviz&) = delete;
    Graphviz& operator=(const Graphviz&) = delete;

    Result<DotLayout> layout(const DotGraph& graph);
    Result<std::string> write(const DotGraph& graph);
    Result<DotGraph> read(const std::string& dot);

private:
    void* m_context =
        nullptr; ///< GVC_t, made on first layout; one for the process, since each leaks
};

} // namespace pt2e
