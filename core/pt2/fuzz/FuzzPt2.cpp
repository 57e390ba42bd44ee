// libFuzzer target of the .pt2 reader. The first byte chooses what the rest is, so that what lies behind a
// zip's checksums is reached at once.
#include "core/pt2/Pickle.h"
#include "core/pt2/Program.h"
#include "core/pt2/Reader.h"
#include "core/pt2/SymbolExpression.h"
#include "core/pt2/TorchSave.h"
#include "core/pt2/Unlift.h"

#include <cstdlib>
#include <new>

using namespace pt2e;
using namespace pt2e::pt2;

namespace {

/// What is refused must say why.
template<typename T>
void check(const Result<T>& result)
{
    if (!result && result.error().what.empty())
        std::abort();
}

void readArchive(Storage::Bytes bytes)
{
    const auto archive = openArchive(std::move(bytes), "fuzz.pt2");
    check(archive);
    if (!archive)
        return;
    for (const std::string& name : archive->programNames()) {
        const auto program = readProgram(*archive, name);
        check(program);
        if (!program)
            continue;
        for (const auto& [fqn, attribute] : program->graph->attributes()) {
            if (attribute.value.isValid())
                check(attribute.value.storage()->bytes());
        }
    }
}

void readJson(std::span<const std::byte> bytes)
{
    const auto document = JsonDocument::parse(bytes, "model.json");
    check(document);
    if (!document)
        return;
    Remarks remarks;
    const auto program = parseProgram((*document)->root(), "model.json", remarks);
    check(program);
    if (program)
        check(unlift(*program, {}, {}, remarks, "model.json"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(data + 1), size - 1);
    const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
    try {
        switch (data[0] % 5) {
        case 0: readArchive({nullptr, rest}); break;
        case 1: readJson(rest); break;
        case 2: check(readPickle(rest, "data.pkl")); break;
        case 3: {
            auto file = TorchSave::open({nullptr, rest}, "weights.pt");
            check(file);
            if (file)
                check(file->weights());
            break;
        }
        case 4: {
            check(infixFromStructural(text));
            check(structuralFromInfix(text));
            break;
        }
        }
    } catch (const std::bad_alloc&) {
        // The public functions catch it; the inner ones called here do not.
    }
    return 0;
}
