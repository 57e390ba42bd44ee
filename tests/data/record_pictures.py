#!/usr/bin/env python3
"""Makes the pictures in pictures/ and records in pictures/expected.npz what Pillow and torch make of them.

    python record_pictures.py

Recorded with Pillow 13.0, NumPy 2.4 and torch 2.13. Rows that need torchvision call what it calls for a Pillow image:
Image.resize((w, h), BILINEAR), Image.crop, and ToTensor and Normalize in torch's float32.
"""

import pathlib

import numpy
import torch
from PIL import Image

FOLDER = pathlib.Path(__file__).parent / "pictures"
WIDTH, HEIGHT = 23, 17


def painting(height, width, seed):
    """Smooth colours with some noise: every rounding of a resize is met somewhere."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width]
    waves = [numpy.sin(x / (2 + c) + seed) + numpy.cos(y / (3 + c)) for c in range(3)]
    plain = 127 + 60 * numpy.stack(waves, -1) + random.normal(0, 12, (height, width, 3))
    return numpy.clip(plain, 0, 255).astype("u1")


def make_files():
    rgb = Image.fromarray(painting(HEIGHT, WIDTH, 1))
    rgb.save(FOLDER / "rgb.png")
    rgb.convert("L").save(FOLDER / "gray.png")
    rgb.quantize(37).save(FOLDER / "palette.png")
    alpha = numpy.linspace(0, 255, WIDTH * HEIGHT).astype("u1").reshape(HEIGHT, WIDTH, 1)
    Image.fromarray(numpy.concatenate([painting(HEIGHT, WIDTH, 2), alpha], -1)).save(FOLDER / "rgba.png")
    rgb.convert("1").save(FOLDER / "bits.png")
    large = Image.fromarray(painting(45, 64, 3))
    large.save(FOLDER / "rgb.jpg", quality=85)
    large.convert("L").save(FOLDER / "gray.jpeg", quality=85)
    large.save(FOLDER / "progressive.jpg", quality=70, progressive=True, subsampling=0)
    large.convert("CMYK").save(FOLDER / "cmyk.jpg")


def cut(image, size):
    """torchvision's Resize(size[0]) and CenterCrop(size[1:]), height first."""
    width, height = image.size
    shorter, longer = min(width, height), max(width, height)
    new = int(size[0] * longer / shorter)
    image = image.resize((size[0], new) if width <= height else (new, size[0]), Image.BILINEAR)
    top = int(round((image.size[1] - size[1]) / 2.0))
    left = int(round((image.size[0] - size[2]) / 2.0))
    return image.crop((left, top, left + size[2], top + size[1]))


def main():
    FOLDER.mkdir(exist_ok=True)
    make_files()
    expected = {}
    for name in ("rgb.png", "palette.png", "rgba.png", "rgb.jpg", "progressive.jpg"):
        expected[name] = numpy.asarray(Image.open(FOLDER / name).convert("RGB"))
    for name in ("gray.png", "bits.png", "gray.jpeg"):
        expected[name] = numpy.asarray(Image.open(FOLDER / name).convert("L"))[..., None]
    rgb = Image.open(FOLDER / "rgb.png").convert("RGB")
    gray = Image.open(FOLDER / "gray.png")
    for width, height in ((5, 4), (40, 31), (23, 8), (11, 17), (1, 1), (22, 16)):
        expected[f"rgb {width} {height}"] = numpy.asarray(rgb.resize((width, height), Image.BILINEAR))
        expected[f"gray {width} {height}"] = numpy.asarray(gray.resize((width, height), Image.BILINEAR))[..., None]
    expected["luma"] = numpy.asarray(rgb.convert("L"))[..., None]
    for size in ((12, 9, 11), (20, 20, 20), (13, 10, 8)):
        expected["cut %d %d %d" % size] = numpy.asarray(cut(rgb, size))
    mean, std = (torch.tensor(v).view(3, 1, 1) for v in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))
    pixels = torch.from_numpy(numpy.array(cut(rgb, (12, 9, 11)))).permute(2, 0, 1)
    expected["input"] = ((pixels.float().div(255) - mean) / std).contiguous().numpy()
    numpy.savez(FOLDER / "expected.npz", **expected)


if __name__ == "__main__":
    main()
