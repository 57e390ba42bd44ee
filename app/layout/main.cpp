// pt2e-layout: Graphviz behind a pipe. Reads requests on standard input and answers on standard output until the input
// ends; the messages are described in core/view/DotGraph.h. Private to the other programs, which may kill it any time.
#include "app/layout/Graphviz.h"
#include "core/view/DotGraph.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <string>

namespace {

constexpr std::size_t kLongestBody = std::size_t{256} << 20;

struct Request
{
    std::string word;
    std::string body;
};

std::optional<std::string> readLine()
{
    std::string line;
    for (int c = std::getchar(); c != EOF; c = std::getchar()) {
        if (c == '\n')
            return line;
        if (line.size() > 64)
            return std::nullopt;
        line += static_cast<char>(c);
    }
    return std::nullopt;
}

/// Nothing at the end of the input, or when it is not a request: then the two ends are out of step and the program ends.
std::optional<Request> readRequest()
{
    const auto line = readLine();
    const auto space = line ? line->find(' ') : std::string::npos;
    if (space == std::string::npos)
        return std::nullopt;
    std::size_t length = 0;
    const char* end = line->data() + line->size();
    const auto parsed = std::from_chars(line->data() + space + 1, end, length);
    if (parsed.ec != std::errc() || parsed.ptr != end || length > kLongestBody)
        return std::nullopt;
    Request request{line->substr(0, space), std::string(length, '\0')};
    if (std::fread(request.body.data(), 1, length, stdin) != length)
        return std::nullopt;
    return request;
}

bool answer(const pt2e::Result<std::string>& result)
{
    const std::string body = result ? *result : result.error().message();
    std::printf("%s %zu\n", result ? "ok" : "error", body.size());
    return std::fwrite(body.data(), 1, body.size(), stdout) == body.size()
           && std::fflush(stdout) == 0;
}

pt2e::Result<std::string> serve(pt2e::Graphviz& graphviz, const Request& request)
{
    if (request.word == "read") {
        PT2E_ASSIGN(const auto graph, graphviz.read(request.body));
        return pt2e::encode(graph);
    }
    PT2E_ASSIGN(const auto graph, pt2e::decodeGraph(request.body));
    if (request.word == "write")
        return graphviz.write(graph);
    if (request.word == "layout") {
        PT2E_ASSIGN(const auto layout, graphviz.layout(graph));
        return pt2e::encode(layout);
    }
    return pt2e::badInput("request", "unknown word '" + request.word + "'");
}

} // namespace

int main()
{
    pt2e::Graphviz graphviz;
    while (const auto request = readRequest())
        if (!answer(serve(graphviz, *request)))
            return 1;
    return std::feof(stdin) ? 0 : 3;
}
