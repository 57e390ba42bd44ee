#include "core/data/PictureCodecs.h"

#include <array>
#include <cstring>
#include <png.h>

namespace pt2e {

namespace {

struct Source
{
    std::span<const std::byte> file;
    std::size_t at = 0;
    std::array<char, 200> message{};
};

extern "C" {
void pt2eReadPng(png_structp png, png_bytep to, png_size_t count)
{
    auto& source = *static_cast<Source*>(png_get_io_ptr(png));
    if (count > source.file.size() - source.at)
        png_error(png, "it is cut off");
    std::memcpy(to, source.file.data() + source.at, count);
    source.at += count;
}
void pt2ePngFailed(png_structp png, png_const_charp message)
{
    auto& source = *static_cast<Source*>(png_get_error_ptr(png));
    std::strncpy(source.message.data(), message, source.message.size() - 1);
    png_longjmp(png, 1);
}
void pt2ePngWarned(png_structp, png_const_charp) {}
}

struct Handle
{
    png_structp png = nullptr;
    png_infop info = nullptr;
    ~Handle() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// Reads the header and asks for eight bits, no palette and no alpha. False: see source.message.
bool readHeader(const Handle& handle, Source& source)
{
    if (setjmp(png_jmpbuf(handle.png)))
        return false;
    png_set_read_fn(handle.png, &source, pt2eReadPng);
    png_set_user_limits(handle.png, kMaxSide, kMaxSide);
    png_read_info(handle.png, handle.info);
    png_set_expand(handle.png); // palettes, 1, 2 and 4 bits
    png_set_strip_16(handle.png);
    png_set_strip_alpha(handle.png);
    png_set_interlace_handling(handle.png);
    png_read_update_info(handle.png, handle.info);
    return true;
}

bool readRows(const Handle& handle, png_bytepp rows)
{
    if (setjmp(png_jmpbuf(handle.png)))
        return false;
    png_read_image(handle.png, rows);
    png_read_end(handle.png, nullptr);
    return true;
}

} // namespace

Result<Picture> decodePng(std::span<const std::byte> file)
{
    Source source{file};
    Handle handle;
    const auto failed = [&] {
        return badInput("", std::string("is not a PNG picture that can be read: ")
                                + source.message.data());
    };
    handle.png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, pt2ePngFailed, pt2ePngWarned);
    handle.info = handle.png ? png_create_info_struct(handle.png) : nullptr;
    if (!handle.info)
        return fail(ErrorCode::Internal, "", "libpng does not start");
    if (!readHeader(handle, source))
        return failed();
    Picture picture;
    picture.width = static_cast<int>(png_get_image_width(handle.png, handle.info));
    picture.height = static_cast<int>(png_get_image_height(handle.png, handle.info));
    picture.channels = png_get_channels(handle.png, handle.info);
    const std::size_t row = png_get_rowbytes(handle.png, handle.info);
    if (static_cast<std::uint64_t>(picture.width) * static_cast<std::uint64_t>(picture.height)
        > kMaxPixels)
        return badInput("", "the picture is too large");
    picture.pixels.resize(row * static_cast<std::size_t>(picture.height));
    std::vector<png_bytep> rows;
    for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y)
        rows.push_back(picture.pixels.data() + y * row);
    if (!readRows(handle, rows.data()))
        return failed();
    return picture;
}

} // namespace pt2e
