#!/usr/bin/env python3
"""Computes with NumPy what core/metrics computes, for tests/metrics; writes metrics/expected.npz.

    python record_metrics.py

The formulas are written down here once more, not taken from the program: sums over all elements of all batches in
float64, the cosine per sample, McNemar's test with exact binomial coefficients.
"""

import math
import pathlib

import numpy

FOLDER = pathlib.Path(__file__).parent / "metrics"
Z = 1.959963984540054


def decibel(reference, actual):
    signal, noise = (reference**2).sum(), ((reference - actual) ** 2).sum()
    return math.inf if noise == 0 else 20 * math.log10(math.sqrt(signal) / math.sqrt(noise))


def errors(batches):
    """SQNR, worst batch, cosine, MSE, max abs, mean error."""
    pairs = [(r.astype("f8"), a.astype("f8")) for r, a in batches]
    reference = numpy.concatenate([r.ravel() for r, _ in pairs])
    actual = numpy.concatenate([a.ravel() for _, a in pairs])
    rows = [(x.ravel(), y.ravel()) for r, a in pairs for x, y in zip(r, a)]
    cosines = [x @ y / (numpy.linalg.norm(x) * numpy.linalg.norm(y)) for x, y in rows]
    difference = actual - reference
    return [
        decibel(reference, actual),
        min(decibel(r, a) for r, a in pairs),
        numpy.mean(cosines),
        numpy.mean(difference**2),
        numpy.abs(difference).max(),
        difference.mean(),
    ]


def quantized(values, scale, zero_point, low, high):
    codes = numpy.clip(numpy.rint(values / scale) + zero_point, low, high)
    return codes, ((codes - zero_point) * scale).astype("f4")


def losses(values, back, codes, scale, zero_point, low, high):
    """MSE of rounding, MSE of clipping, clip rate, RMS in steps, used codes."""
    margin = 1e-4 * scale
    outside = (values < (low - zero_point) * scale - margin) | (values > (high - zero_point) * scale + margin)
    square = (back.astype("f8") - values.astype("f8")) ** 2
    steps = square / numpy.broadcast_to(scale, values.shape).astype("f8") ** 2
    return [
        numpy.where(outside, 0, square).mean(),
        numpy.where(outside, square, 0).mean(),
        outside.mean(),
        math.sqrt(steps.mean()),
        len(numpy.unique(codes)),
    ]


def wilson(right, count):
    p = right / count
    middle = p + Z * Z / (2 * count)
    half = Z * math.sqrt(p * (1 - p) / count + Z * Z / (4 * count * count))
    return [(middle - half) / (1 + Z * Z / count), (middle + half) / (1 + Z * Z / count)]


def paired(broken, fixed, count):
    up, down = (fixed + 1) / (count + 2), (broken + 1) / (count + 2)
    half = Z * math.sqrt((up + down - (up - down) ** 2) / (count + 2))
    n = broken + fixed
    p = min(1, 2 * sum(math.comb(n, k) for k in range(min(broken, fixed) + 1)) / 2**n)
    return [(fixed - broken) / count, up - down - half, up - down + half, p]


def main():
    FOLDER.mkdir(exist_ok=True)
    random = numpy.random.default_rng(5)
    out = {}

    # 1: scores of a classifier, two batches, the second worse.
    batches = []
    for i, noise in enumerate((0.02, 0.3)):
        reference = random.normal(0, 3, (32, 10)).astype("f4")
        batches.append((reference, (reference + random.normal(0.01, noise, reference.shape)).astype("f4")))
        out[f"scores_reference_{i}"], out[f"scores_actual_{i}"] = batches[-1]
    out["scores_errors"] = numpy.array(errors(batches))
    labels = random.integers(0, 10, 64)
    reference = numpy.concatenate([r for r, _ in batches])
    actual = numpy.concatenate([a for _, a in batches])
    labels = numpy.where(random.random(64) < 0.7, reference.argmax(1), labels)
    right_before, right_after = reference.argmax(1) == labels, actual.argmax(1) == labels
    broken, fixed = int((right_before & ~right_after).sum()), int((~right_before & right_after).sum())
    counts = numpy.zeros((10, 10), "i8")
    numpy.add.at(counts, (labels, actual.argmax(1)), 1)
    out["scores_labels"] = labels.astype("i8")
    out["scores_accuracy"] = numpy.array([right_after.mean(), *wilson(int(right_after.sum()), 64)])
    out["scores_paired"] = numpy.array([broken, fixed, *paired(broken, fixed, 64)])
    out["scores_confusion"] = counts

    # 2: an activation per tensor, with values outside the range.
    values = random.normal(0.3, 1, (4, 8, 6, 6)).astype("f4")
    codes, back = quantized(values, numpy.float32(0.0125), -7, -128, 127)
    out["activation_values"], out["activation_back"] = values, back
    out["activation_errors"] = numpy.array(errors([(values, back)]))
    out["activation_losses"] = numpy.array(losses(values, back, codes, numpy.float64(numpy.float32(0.0125)), -7, -128, 127))

    # 3: a weight per channel, axis 1, one channel tiny.
    weight = (random.normal(0, 1, (5, 3, 3, 3)) * numpy.array([1, 0.01, 4])[None, :, None, None]).astype("f4")
    scale = (numpy.abs(weight).max((0, 2, 3)) / 127 * 0.9).astype("f4")
    codes, back = quantized(weight, scale[None, :, None, None], 0, -127, 127)
    out["weight_values"], out["weight_back"], out["weight_scales"] = weight, back, scale
    out["weight_errors"] = numpy.array(errors([(weight, back)]))
    out["weight_losses"] = numpy.array(
        losses(weight, back, codes, scale.astype("f8")[None, :, None, None], 0, -127, 127)
    )

    # Pairs of broken and fixed that are far from each other and from 64 samples.
    cases = [(0, 0, 10), (0, 5, 100), (12, 3, 1000), (40, 60, 10000), (300, 250, 10000)]
    out["paired"] = numpy.array([[*case, *paired(*case)] for case in cases])
    out["wilson"] = numpy.array([[r, n, *wilson(r, n)] for r, n in ((0, 10), (10, 10), (913, 1000), (9187, 10000))])
    numpy.savez(FOLDER / "expected.npz", **out)


if __name__ == "__main__":
    main()
