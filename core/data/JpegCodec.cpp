#include "core/data/PictureCodecs.h"

#include <array>
#include <csetjmp>
#include <cstdio> // jpeglib.h needs it

#include <jpeglib.h>

namespace pt2e {

namespace {

struct Failure
{
    jpeg_error_mgr manager{}; // first: libjpeg is given its address
    std::jmp_buf back;
    std::array<char, JMSG_LENGTH_MAX> message{};
};

extern "C" {
void pt2eJpegFailed(j_common_ptr jpeg)
{
    auto* failure = reinterpret_cast<Failure*>(jpeg->err);
    jpeg->err->format_message(jpeg, failure->message.data());
    std::longjmp(failure->back, 1);
}
/// Warnings (level −1) tell of damaged or missing data, which libjpeg would fill with grey.
void pt2eJpegWarned(j_common_ptr jpeg, int level)
{
    if (level < 0)
        pt2eJpegFailed(jpeg);
}
}

struct Decoder
{
    jpeg_decompress_struct jpeg{};
    Failure failure;
    Decoder()
    {
        jpeg.err = jpeg_std_error(&failure.manager);
        failure.manager.error_exit = pt2eJpegFailed;
        failure.manager.emit_message = pt2eJpegWarned;
    }
    ~Decoder() { jpeg_destroy_decompress(&jpeg); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
};

bool readHeader(Decoder& decoder, std::span<const std::byte> file)
{
    if (setjmp(decoder.failure.back))
        return false;
    jpeg_create_decompress(&decoder.jpeg);
    jpeg_mem_src(&decoder.jpeg, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&decoder.jpeg, TRUE);
    return true;
}

bool readRows(Decoder& decoder, Picture& picture)
{
    if (setjmp(decoder.failure.back))
        return false;
    jpeg_start_decompress(&decoder.jpeg);
    const std::size_t row =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.channels);
    while (decoder.jpeg.output_scanline < decoder.jpeg.output_height) {
        JSAMPROW line = picture.pixels.data() + decoder.jpeg.output_scanline * row;
        jpeg_read_scanlines(&decoder.jpeg, &line, 1);
    }
    jpeg_finish_decompress(&decoder.jpeg);
    return true;
}

} // namespace

Result<Picture> decodeJpeg(std::span<const std::byte> file)
{
    Decoder decoder;
    const auto failed = [&] {
        return badInput("", std::string("is not a JPEG picture that can be read: ")
                                + decoder.failure.message.data());
    };
    if (!readHeader(decoder, file))
        return failed();
    const J_COLOR_SPACE space = decoder.jpeg.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK)
        return fail(ErrorCode::Unsupported, "", "is a JPEG picture in CMYK; RGB or grey is needed");
    Picture picture;
    picture.channels = space == JCS_GRAYSCALE ? 1 : 3;
    decoder.jpeg.out_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    picture.width = static_cast<int>(decoder.jpeg.image_width);
    picture.height = static_cast<int>(decoder.jpeg.image_height);
    const std::uint64_t count = std::uint64_t{decoder.jpeg.image_width} * decoder.jpeg.image_height;
    if (count > kMaxPixels)
        return badInput("", "the picture is too large");
    picture.pixels.resize(static_cast<std::size_t>(count)
                          * static_cast<std::size_t>(picture.channels));
    if (!readRows(decoder, picture))
        return failed();
    return picture;
}

} // namespace pt2e
