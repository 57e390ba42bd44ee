// Pictures: PNG and JPEG files as pixels, and what is done to them before a network sees them.
#pragma once

#include "core/base/Result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

/// Eight bits a channel, row by row, channels of a pixel side by side.
struct Picture
{
    int width = 0;
    int height = 0;
    int channels = 3; ///< 1: grey, 3: red, green, blue
    std::vector<std::uint8_t> pixels; ///< height × width × channels
};

/// PNG or JPEG, told by the first bytes. As Pillow's convert("RGB") sees it, or convert("L") for greyscale files:
/// palettes are looked up, alpha is dropped, 16 bits lose the lower 8; colour profiles and orientation tags are not
/// applied. A greyscale file gives one channel. A damaged file is an error, also one that only lacks its end.
Result<Picture> readPicture(std::span<const std::byte> file);
/// As readPicture; the error names the path.
Result<Picture> readPictureFile(const std::string& path);

/// Pillow's Image.resize((width, height), BILINEAR), which torchvision's Resize calls for pictures. Per axis, first
/// across, then down, each rounded to 8 bits: with s = in / out and f = max(s, 1), out[i] is the mean of in[j] weighted
/// with max(0, 1 − |j + ½ − (i + ½)·s| / f), so that shrinking takes in all pixels ("antialias"). The weights are
/// rounded to 22 bits behind the point, as Pillow's.
Picture resized(const Picture& picture, int width, int height);
/// torchvision's Resize(n): the shorter side becomes n, the longer one int(n · long / short).
Picture resizedShorterSide(const Picture& picture, int n);
/// torchvision's CenterCrop((height, width)); the picture must be as large as that.
Picture centerCropped(const Picture& picture, int width, int height);
/// One channel: Pillow's (19595·R + 38470·G + 7471·B + 32768) >> 16; three: the grey three times.
Picture withChannels(const Picture& picture, int channels);

} // namespace pt2e
