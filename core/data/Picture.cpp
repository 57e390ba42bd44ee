#include "core/data/Picture.h"

#include "core/data/PictureCodecs.h"
#include "core/pt2/File.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pt2e {

Result<Picture> readPicture(std::span<const std::byte> file)
{
    constexpr std::array kPng{std::byte(0x89), std::byte('P'), std::byte('N'), std::byte('G')};
    constexpr std::array kJpeg{std::byte(0xff), std::byte(0xd8), std::byte(0xff)};
    const auto startsWith = [&](const auto& magic) {
        return file.size() >= magic.size() && std::equal(magic.begin(), magic.end(), file.begin());
    };
    if (startsWith(kPng))
        return decodePng(file);
    if (startsWith(kJpeg))
        return decodeJpeg(file);
    return badInput("", "is neither a PNG nor a JPEG picture");
}

Result<Picture> readPictureFile(const std::string& path)
{
    PT2E_ASSIGN(const Storage::Bytes bytes, pt2::readWholeFile(path));
    auto picture = readPicture(bytes.data);
    if (!picture)
        return fail(picture.error().code, path, picture.error().what);
    return picture;
}

namespace {

constexpr int kPrecision =
    22; ///< Pillow's PRECISION_BITS: 32 bits without 8 of a pixel and 2 spare

/// Which pixels make one pixel of the result, and with which weights.
struct Window
{
    int first = 0;
    std::vector<std::int32_t> weights;
};

std::vector<Window> windowsOf(int in, int out)
{
    const double scale = static_cast<double>(in) / out;
    const double support = std::max(scale, 1.0);
    const double nearness = 1.0 / support;
    std::vector<Window> windows;
    for (int i = 0; i < out; ++i) {
        const double center = (i + 0.5) * scale;
        Window window;
        window.first = std::max(static_cast<int>(center - support + 0.5), 0);
        const int end = std::min(static_cast<int>(center + support + 0.5), in);
        std::vector<double> weights;
        double sum = 0;
        for (int j = window.first; j < end; ++j) {
            const double distance = std::abs((j - center + 0.5) * nearness);
            weights.push_back(std::max(0.0, 1 - distance));
            sum += weights.back();
        }
        for (const double weight : weights)
            window.weights.push_back(
                static_cast<std::int32_t>(0.5 + weight / sum * (1 << kPrecision)));
        windows.push_back(std::move(window));
    }
    return windows;
}

/// One output value: `stride` is the distance between the pixels that are mixed.
std::uint8_t mixed(const std::uint8_t* first, std::size_t stride, const Window& window)
{
    std::int64_t sum = 1 << (kPrecision - 1);
    for (std::size_t j = 0; j < window.weights.size(); ++j)
        sum += static_cast<std::int64_t>(first[j * stride]) * window.weights[j];
    return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> kPrecision, 0, 255));
}

Picture empty(int width, int height, int channels)
{
    Picture picture{width, height, channels, {}};
    picture.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)
                          * static_cast<std::size_t>(channels));
    return picture;
}

std::size_t at(const Picture& picture, int x, int y)
{
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width)
            + static_cast<std::size_t>(x))
           * static_cast<std::size_t>(picture.channels);
}

Picture resizedAcross(const Picture& picture, int width)
{
    Picture result = empty(width, picture.height, picture.channels);
    const std::vector<Window> windows = windowsOf(picture.width, width);
    const auto channels = static_cast<std::size_t>(picture.channels);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < width; ++x) {
            const Window& window = windows[static_cast<std::size_t>(x)];
            for (std::size_t c = 0; c < channels; ++c)
                result.pixels[at(result, x, y) + c] =
                    mixed(&picture.pixels[at(picture, window.first, y) + c], channels, window);
        }
    }
    return result;
}

Picture resizedDown(const Picture& picture, int height)
{
    Picture result = empty(picture.width, height, picture.channels);
    const std::vector<Window> windows = windowsOf(picture.height, height);
    const std::size_t row = at(picture, 0, 1);
    for (int y = 0; y < height; ++y) {
        const Window& window = windows[static_cast<std::size_t>(y)];
        for (std::size_t i = 0; i < row; ++i)
            result.pixels[at(result, 0, y) + i] =
                mixed(&picture.pixels[at(picture, 0, window.first) + i], row, window);
    }
    return result;
}

} // namespace

Picture resized(const Picture& picture, int width, int height)
{
    Picture result = picture.width == width ? picture : resizedAcross(picture, width);
    return result.height == height ? result : resizedDown(result, height);
}

Picture resizedShorterSide(const Picture& picture, int n)
{
    const bool isTall = picture.height > picture.width;
    const int shorter = std::min(picture.width, picture.height);
    const int longer = std::max(picture.width, picture.height);
    const auto other =
        static_cast<int>(static_cast<double>(n) * longer / static_cast<double>(shorter));
    return isTall ? resized(picture, n, other) : resized(picture, other, n);
}

Picture centerCropped(const Picture& picture, int width, int height)
{
    // Python's round: half to even.
    const int left = static_cast<int>(std::nearbyint((picture.width - width) / 2.0));
    const int top = static_cast<int>(std::nearbyint((picture.height - height) / 2.0));
    Picture result = empty(width, height, picture.channels);
    const std::size_t row = at(result, 0, 1);
    for (int y = 0; y < height; ++y)
        std::copy_n(&picture.pixels[at(picture, left, top + y)], row,
                    &result.pixels[at(result, 0, y)]);
    return result;
}

Picture withChannels(const Picture& picture, int channels)
{
    if (picture.channels == channels)
        return picture;
    Picture result = empty(picture.width, picture.height, channels);
    const std::size_t count = picture.pixels.size() / static_cast<std::size_t>(picture.channels);
    for (std::size_t i = 0; i < count; ++i) {
        if (channels == 3) {
            std::fill_n(&result.pixels[3 * i], 3, picture.pixels[i]);
            continue;
        }
        const std::uint8_t* const pixel = &picture.pixels[3 * i];
        result.pixels[i] = static_cast<std::uint8_t>(
            (19595u * pixel[0] + 38470u * pixel[1] + 7471u * pixel[2] + 32768u) >> 16);
    }
    return result;
}

} // namespace pt2e
