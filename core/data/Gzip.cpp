#include "core/data/Gzip.h"

#include "core/pt2/File.h"

#include <algorithm>
#include <memory>
#include <vector>
#include <zlib.h>

namespace pt2e {

namespace {

constexpr int kGzipWindow = 15 + 16; ///< zlib's way to say "gzip, largest window"
constexpr std::size_t kBlock = 1 << 20;

struct Inflater
{
    z_stream stream{};
    bool isOpen = false;
    Inflater() { isOpen = inflateInit2(&stream, kGzipWindow) == Z_OK; }
    ~Inflater()
    {
        if (isOpen)
            inflateEnd(&stream);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
};

/// Gives zlib what is left of the input, in pieces its counters can hold.
void feed(z_stream& stream, std::span<const std::byte> packed, std::size_t& at)
{
    if (stream.avail_in > 0)
        return;
    const std::size_t size = std::min<std::size_t>(packed.size() - at, 1u << 30);
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data() + at));
    stream.avail_in = static_cast<uInt>(size);
    at += size;
}

Result<std::vector<std::byte>> inflateAll(std::span<const std::byte> packed,
                                          const std::string& path, std::uint64_t limit)
{
    Inflater inflater;
    if (!inflater.isOpen)
        return fail(ErrorCode::Internal, path, "zlib does not start");
    z_stream& stream = inflater.stream;
    std::vector<std::byte> plain;
    std::vector<std::byte> block(kBlock);
    std::size_t at = 0;
    for (;;) {
        feed(stream, packed, at);
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        const int state = inflate(&stream, Z_NO_FLUSH);
        plain.insert(plain.end(), block.begin(),
                     block.end() - static_cast<std::ptrdiff_t>(stream.avail_out));
        if (plain.size() > limit)
            return badInput(path,
                            "holds more than " + std::to_string(limit) + " bytes when unpacked");
        const bool hasInput = stream.avail_in > 0 || at < packed.size();
        if (state == Z_STREAM_END) {
            // Several files compressed one after another are one file, as for gunzip.
            if (!hasInput)
                return plain;
            if (inflateReset(&stream) != Z_OK)
                return fail(ErrorCode::Internal, path, "zlib does not start again");
        } else if (state == Z_BUF_ERROR || (state == Z_OK && !hasInput && stream.avail_out > 0)) {
            return badInput(path, "is cut off: the compressed data end too early");
        } else if (state != Z_OK) {
            return badInput(path, std::string("its compressed data are damaged")
                                      + (stream.msg ? std::string(" (") + stream.msg + ")" : ""));
        }
    }
}

} // namespace

Result<Storage::Bytes> readPlainFile(const std::string& path, std::uint64_t limit)
{
    PT2E_ASSIGN(const Storage::Bytes bytes, pt2::readWholeFile(path));
    const bool isGzip = bytes.data.size() >= 2 && bytes.data[0] == std::byte(0x1f)
                        && bytes.data[1] == std::byte(0x8b);
    if (!isGzip)
        return bytes;
    PT2E_ASSIGN(std::vector<std::byte> plain, inflateAll(bytes.data, path, limit));
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(plain));
    return Storage::Bytes{owner, *owner};
}

} // namespace pt2e
