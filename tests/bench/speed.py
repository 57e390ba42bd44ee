#!/usr/bin/env python3
"""How much faster than Python: from process start to the converted graph, on the same files.

    speed.py --pt2e build/release/bin/pt2e --python VENV/bin/python [--pairs 5] [--models mobilenet_v2,resnet18]

VENV holds torch and torchao (also: environment variable PT2E_BENCH_PYTHON). Files are written by `pt2e sample`; each side
runs in turn, first with all cores, then with one thread. Prints medians and ratios; ends with 1 if a target is missed or
the two sides made different graphs, and with "SKIPPED: reason" and 0 where there is no such Python.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGETS = (  # name, target, how it is worked out of one pair's times
    ("process start to converted graph", 10.0, lambda py, ours, one: py["total"] / ours["total"]),
    ("without Python's imports", 4.0, lambda py, ours, one: (py["total"] - py["imports"]) / ours["total"]),
    ("calibration, one thread", 3.0, lambda py, ours, one: one["py"]["calibrated"] / one["ours"]["calibrated"]),
)


class Skip(Exception):
    pass


def run(command):
    """Times of the steps, told as "time: STEP SECONDS s" lines; total is when the converted line came."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    times, rest = {}, []
    for line in process.stdout:
        if line.startswith("time: "):
            step, seconds = line[6:].rsplit(" ", 2)[:2]
            times[step] = float(seconds)
            if step == "converted":
                times["total"] = time.perf_counter() - start
        else:
            rest.append(line)
    if process.wait() != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{''.join(rest)}")
    times["process"] = time.perf_counter() - start
    return times, rest


def python_side(options, model, threads):
    script = Path(__file__).with_name("python_side.py")
    times, rest = run([options.python, script, model, "--threads", str(threads), "--batches", str(options.batches)])
    return times, json.loads(rest[-1])


def our_side(options, model, threads):
    dump = model.with_suffix(".json")
    times, _ = run([options.pt2e, "dump", model, "--calibration", "random", "--batches", str(options.batches), "--seed", "0",
                    "--stage", "converted", "--no-hashes", "--threads", str(threads), "--timings", "-o", dump])
    nodes = json.loads(dump.read_text())["stages"]["converted"]["nodes"]
    scales = [n["args"][1] for n in nodes if "quantize_per_tensor" in n["target"]]
    return times, {"nodes": [n["name"] for n in nodes], "scales": scales}


def differences(ours, theirs):
    if ours["nodes"] != theirs["nodes"]:
        return "the converted graphs have different nodes"
    far = [a - b for a, b in zip(ours["scales"], theirs["scales"]) if abs(a - b) > 1e-5 * abs(b)]
    if len(ours["scales"]) != len(theirs["scales"]) or far:
        return "the converted graphs have different scales"
    return None


def measure(options, name, folder):
    model = folder / f"{name}.pt2"
    subprocess.run([options.pt2e, "sample", name, "--seed", "0", "-o", model], check=True)
    pairs, problem = [], None
    for i in range(options.pairs + 1):
        ours, made = our_side(options, model, options.threads)
        py, made_py = python_side(options, model, options.threads)
        one = {"ours": our_side(options, model, 1)[0], "py": python_side(options, model, 1)[0]}
        problem = problem or differences(made, made_py)
        if i > 0:  # the first pair warms the file cache
            pairs.append((py, ours, one))
        print(f"  {name} pair {i}: Python {py['total']:.2f} s, pt2e {ours['total']:.3f} s", file=sys.stderr)
    return pairs, problem


def steps(title, runs):
    names = list(runs[0])
    print(f"  {title}: " + ", ".join(f"{n} {statistics.median(r[n] for r in runs):.3f}" for n in names))


def report(options, name, pairs, problem):
    print(f"{name}, {options.batches} batches, medians of {len(pairs)} pairs, seconds")
    steps(f"Python, {options.threads} threads", [p[0] for p in pairs])
    steps(f"pt2e, {options.threads} threads", [p[1] for p in pairs])
    steps("Python, 1 thread", [p[2]["py"] for p in pairs])
    steps("pt2e, 1 thread", [p[2]["ours"] for p in pairs])
    reached = True
    for title, target, ratio in TARGETS:
        value = statistics.median(ratio(*p) for p in pairs)
        reached = reached and value >= target
        print(f"  {title}: {value:.1f} times faster, target {target:g}: {'reached' if value >= target else 'MISSED'}")
    if problem:
        print(f"  {problem}")
    return reached and not problem


def check_python(options):
    if not options.python:
        raise Skip("no Python with torch and torchao was given (--python or PT2E_BENCH_PYTHON)")
    probe = subprocess.run([options.python, "-c", "import torch, torchao; print(torch.__version__, torchao.__version__)"],
                           capture_output=True, text=True)
    if probe.returncode != 0:
        raise Skip(f"{options.python} has no torch and torchao: {probe.stderr.strip().splitlines()[-1]}")
    print(f"Python: torch, torchao {probe.stdout.strip()}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pt2e", required=True)
    parser.add_argument("--python", default=os.environ.get("PT2E_BENCH_PYTHON"))
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--models", default="mobilenet_v2,resnet18")
    options = parser.parse_args()
    try:
        check_python(options)
    except Skip as reason:
        print(f"SKIPPED: {reason}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        results = [(name, *measure(options, name, Path(folder))) for name in options.models.split(",")]
    return 0 if all([report(options, *result) for result in results]) else 1


sys.exit(main())
