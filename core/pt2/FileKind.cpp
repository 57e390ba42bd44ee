#include "core/pt2/FileKind.h"

#include <algorithm>

namespace pt2e::pt2 {

namespace {

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// "root/models/name.json" → "name".
std::string programName(std::string_view record, std::string_view root)
{
    constexpr std::string_view kFolder = "models/";
    constexpr std::string_view kEnding = ".json";
    record.remove_prefix(std::min(root.size(), record.size()));
    if (!record.starts_with(kFolder) || !record.ends_with(kEnding)
        || record.size() <= kFolder.size() + kEnding.size())
        return {};
    record = record.substr(kFolder.size(), record.size() - kFolder.size() - kEnding.size());
    return record.find('/') == std::string_view::npos ? std::string(record) : std::string();
}

std::string describeOtherZip(const ZipReader& zip, const std::string& root)
{
    const auto has = [&](std::string_view prefix) {
        return std::any_of(zip.entries().begin(), zip.entries().end(),
                           [&](const ZipEntry& entry) { return entry.name.starts_with(prefix); });
    };
    if (has(root + "data/aotinductor/"))
        return "is a compiled AOTInductor package; it holds machine code, not a graph";
    if (has(root + "code/"))
        return "is a TorchScript file; export the model with torch.export instead";
    if (zip.contains(root + "data.pkl"))
        return "is a file of torch.save, not of torch.export.save; it holds weights without a "
               "graph";
    if (has("word/") || has("xl/") || has("META-INF/") || has("mimetype"))
        return "is a zip file of another program, not a .pt2 file";
    return "is a zip file without an exported program";
}

} // namespace

std::string describeOtherFile(std::span<const std::byte> bytes)
{
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 1024));
    const std::size_t text = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const std::string start = lowered(head.substr(std::min(text, head.size()), 64));
    if (start.starts_with("<!doctype") || start.starts_with("<html") || start.starts_with("<?xml"))
        return "is a web page, not a .pt2 file (was the download link a page?)";
    if (head.starts_with("version https://git-lfs"))
        return "is a Git LFS pointer, not the file itself; fetch it with git lfs pull";
    if (head.size() >= 8 && head.substr(4, 2) == "ET" && isDigit(head[6]) && isDigit(head[7]))
        return "is an ExecuTorch program (.pte), not a .pt2 file";
    if (head.starts_with("\x80\x02") || head.starts_with("\x80\x04"))
        return "is a Python pickle, perhaps of an old torch.save; it holds no exported program";
    if (head.size() >= 9 && head[8] == '{')
        return "looks like a safetensors file: weights without a graph";
    if (head.starts_with("\x1f\x8b") || (head.size() > 262 && head.substr(257, 5) == "ustar"))
        return "is a gzip or tar archive; unpack it first";
    if (start.starts_with("{") || start.starts_with("["))
        return "is a json text, not a .pt2 file";
    return "is not a .pt2 file (no zip file at all)";
}

Result<Contents> findPrograms(const ZipReader& zip)
{
    Contents found;
    if (zip.contains("serialized_exported_program.json")) {
        found.isOldZip = true;
        found.programs.push_back("model");
        return found;
    }
    if (zip.entries().empty())
        return badInput(zip.label(), "is an empty zip file");
    // The first entry decides what the root folder is.
    const std::string& first = zip.entries().front().name;
    const std::size_t slash = first.find('/');
    if (slash != std::string::npos)
        found.root = first.substr(0, slash + 1);
    for (const ZipEntry& entry : zip.entries()) {
        if (!found.root.empty() && !entry.name.starts_with(found.root))
            continue;
        if (std::string name = programName(entry.name, found.root); !name.empty())
            found.programs.push_back(std::move(name));
    }
    if (found.root.empty() || found.programs.empty())
        return badInput(zip.label(), describeOtherZip(zip, found.root));
    if (zip.contains(found.root + "archive_format")) {
        PT2E_ASSIGN(const std::string format, zip.readText(found.root + "archive_format", 64));
        if (format != "pt2")
            return badInput(zip.label() + ": archive_format", "says something other than 'pt2'");
    } else {
        found.lacksFormat = true;
    }
    return found;
}

} // namespace pt2e::pt2
