#!/usr/bin/env python3
"""The program against the real PT2E stack, live, on fresh random models.

    live.py [--graphs 6] [--first-seed 0] [--seed N …] [--flavour NAME …] [--by-turns] [--jobs 1] [--keep DIR] [--pt2e FILE]
            [--make-environment]

Each seed makes one model (random_models.py). torch exports and saves it; torch with torchao or ExecuTorch quantizes it
under every flavour; `pt2e dump` does the same with the saved file and calibration data, `pt2e quantize` and
`pt2e run` give the outputs. Whatever differs is printed, one difference a line, and the case is kept: model, batches,
both dumps, both outputs, what the model does.

Exit code: 0 equal, 1 differences, 77 (and a line SKIPPED with the reason) where there is no environment to run it.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import stack

FLAVOURS = {
    "torchao": [],
    "torchao-pt": ["--per-tensor"],
    "executorch": ["--quantizer", "executorch"],
    "executorch-pt": ["--quantizer", "executorch", "--per-tensor"],
    "torchao-dyn": ["--dynamic"],
    "executorch-dyn": ["--quantizer", "executorch", "--dynamic"],
}
SETTINGS = {f: {"base": f.split("-")[0], "per_channel": not f.endswith("-pt"), "dynamic": f.endswith("-dyn")} for f in FLAVOURS}
DEFAULT = ("torchao", "torchao-pt", "executorch", "executorch-pt")
STRUCTURE, REALS, OUTPUTS, ERRORS = "structure", "reals", "outputs", "errors"
ALLOWED_SHARE = 0.001  # of the elements that may be off, by one quantization step at most
SECONDS = 300


# ---------------------------------------------------------------- one flavour of one model


def ours(pt2e, folder, flavour):
    """Runs the program: its dump (or None), outputs (or None) and what it said."""
    options = ["--calibration", os.path.join(folder, "calib.npz"), *FLAVOURS[flavour], "--threads", "1"]
    model = os.path.join(folder, "model.pt2")
    dump = os.path.join(folder, f"ours-{flavour}.json")
    written, outputs = (os.path.join(folder, f"ours-{flavour}.{e}") for e in ("pt2", "npz"))
    said = []

    def run(*arguments):
        done = subprocess.run([pt2e, *arguments], capture_output=True, text=True, timeout=SECONDS)
        said.append(done.stderr.strip())
        return done.returncode

    status = run("dump", model, *options, "-o", dump)
    if status == 0:
        status = run("quantize", model, *options, "-o", written)
    if status == 0:
        status = run("run", written, "--inputs", os.path.join(folder, "eval.npz"), "--threads", "1", "-o", outputs)
    return dump, outputs if status == 0 else None, "\n".join(s for s in said if s)


def is_real(difference):
    """A number that is off, not something else that is there."""
    _, _, _, a, b = difference

    def numbers(v):
        return isinstance(v, float) or (isinstance(v, list) and v and all(isinstance(x, float) for x in v))

    return numbers(a) and numbers(b)


def largest_step(golden):
    scales = [o["scale"][0] for o in golden["observers"] or [] if o["scale"] and len(o["scale"]) == 1]
    return max((s for s in scales if isinstance(s, float)), default=0.0)


def compare_arrays(np, name, expected, got, step):
    """None if bit-equal, a difference, or ("off", share) within what is allowed."""
    if expected.shape != got.shape or expected.dtype != got.dtype:
        return f"{name}: {expected.dtype}{list(expected.shape)} against {got.dtype}{list(got.shape)}"
    if expected.tobytes() == got.tobytes():
        return None
    if np.array_equal(expected, got, equal_nan=expected.dtype.kind in "fc"):
        return None
    d = np.abs(expected.astype(np.float64) - got.astype(np.float64))
    d[~np.isfinite(expected) & (np.isnan(expected) == np.isnan(got))] = 0
    differing, worst = int((d > 0).sum()), float(d.max())
    share = differing / d.size
    if worst <= step * 1.0001 and share <= ALLOWED_SHARE:
        return "off", share
    steps = f"{worst / step:.3g} steps" if step else "no step"
    return f"{name}: {differing} of {d.size} elements differ, by up to {worst:.3g} ({steps})"


def compare_flavour(np, compare_dump, folder, flavour, golden, arrays, result):
    dump_file, outputs, said = ours(result["pt2e"], folder, flavour)
    found = []

    def differ(kind, text):
        found.append((kind, f"{flavour}\t{text}"))

    if not os.path.exists(dump_file):
        differ(ERRORS, "no dump: " + said[-500:])
        return found
    dump = compare_dump.load(dump_file)
    for d in compare_dump.Comparison(golden, dump).run():
        values = "\t".join(v if isinstance(v, str) and v.startswith("<") else json.dumps(v)[:200] for v in d[3:])
        differ(REALS if is_real(d) else STRUCTURE, "\t".join(d[:3]) + "\t" + values)
    theirs, own = golden.get("error"), dump.get("error")
    # What fails only while running the converted graph is no stage of a dump.
    wanted = None if theirs is None or theirs["stage"] == "run" else theirs["stage"]
    if wanted != (own and own["stage"]):
        differ(ERRORS, f"error\t{json.dumps(theirs)}\t{json.dumps(own)}")
    expected = {k[len(flavour) + 1 :]: v for k, v in arrays.items() if k.startswith(flavour + "_b")}
    if wanted is not None or own is not None:
        return found
    if bool(expected) != (outputs is not None):
        differ(ERRORS, f"run\t{json.dumps(theirs)}\t{said[-500:]}")
    if not expected or outputs is None:
        return found
    np.savez(os.path.join(folder, f"theirs-{flavour}.npz"), **expected)
    with np.load(outputs) as z:
        got = {k: z[k] for k in z.files}
    if set(expected) != set(got):
        differ(OUTPUTS, f"outputs\t{sorted(expected)}\t{sorted(got)}")
        return found
    step = largest_step(golden)
    for k in expected:
        d = compare_arrays(np, k, expected[k], got[k], step)
        result["outputs"] += 1
        if isinstance(d, tuple):
            result["off"].append(f"{flavour} {k}: {d[1]:.2%} of the elements one step off")
        elif d is None:
            result["bit_equal"] += 1
        else:
            differ(OUTPUTS, d)
    return found


# ---------------------------------------------------------------- one model, in a process of its own


def flavours_of(seed, arguments):
    """By turns, four seeds (one of each family) per channel and the next four per tensor, or all that are wanted."""
    if not arguments.by_turns:
        return arguments.flavour
    return [f for f in arguments.flavour if f.endswith("-pt") == bool(seed // 4 % 2)]


def run_seed(seed, flavours, folder, pt2e):
    import make_reference as recorder
    import random_models

    torch, np = recorder.torch, recorder.np
    case = random_models.build(seed)
    result = {"seed": seed, "family": case["family"], "pt2e": pt2e, "found": [], "outputs": 0, "bit_equal": 0, "off": [], "nodes": 0, "errors": []}
    with open(os.path.join(folder, "model.txt"), "w", encoding="utf-8") as f:
        f.write(case["doc"] + "\n" + case["module"].text() + "\n")
    case.update(name=f"seed{seed}", dynamic_shapes=None, dynamic=False, batches=None, extra={}, seed=seed)
    batches = [recorder.default_batch(case["inputs"], i, torch.Generator().manual_seed(seed * 1000 + i)) for i in range(case["n_batches"] + recorder.EVAL_BATCHES)]
    case["calib"], case["eval"] = batches[: case["n_batches"]], batches[case["n_batches"] :]
    case["file"] = os.path.join(folder, "model.pt2")
    ep = recorder.export(case)
    recorder.clean_stack_traces(ep.graph_module)
    torch.export.save(ep, case["file"])
    recorder.save_batches(os.path.join(folder, "calib.npz"), case["calib"])
    recorder.save_batches(os.path.join(folder, "eval.npz"), case["eval"])
    with torch.no_grad():
        gm = recorder.load(case).module(check_guards=False)
        case["fp32"] = [recorder.flat(gm(*b)) for b in case["eval"]]
    import compare_dump

    for flavour in flavours:
        arrays = {}
        golden = recorder.run_flavour(case, flavour, SETTINGS[flavour], os.path.join(folder, f"theirs-{flavour}.json"), arrays, folder, more=False)
        golden = compare_dump.load(os.path.join(folder, f"theirs-{flavour}.json"))
        result["nodes"] = max(result["nodes"], len(golden["stages"].get("converted", golden["stages"]["exported"])["nodes"]))
        if "error" in golden:
            result["errors"].append(f"{flavour}: {golden['error']['stage']}: {golden['error']['type']}: {golden['error']['message'][:150]}")
        result["found"] += compare_flavour(np, compare_dump, folder, flavour, golden, arrays, result)
    with open(os.path.join(folder, "result.json"), "w", encoding="utf-8") as f:
        json.dump(result, f)


def result_in_child(recorder, run, folder, keep, seconds, ended):
    """What `run` leaves in result.json of the folder, from a process of its own; `ended(text)` is the result where it
    leaves none. Where something was found the folder is kept below `keep`, else it goes."""
    log = os.path.join(folder, "log.txt")
    status = recorder.run_in_child(run, log, seconds)
    try:
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
            result = json.load(f)
    except (OSError, ValueError):
        with open(log, errors="replace") as f:
            last = f.read().strip().splitlines()[-1:]
        result = ended(f"the run itself ended with {status}: {last}")
    if result["found"]:
        result["kept"] = os.path.join(keep, os.path.basename(folder))
        shutil.rmtree(result["kept"], ignore_errors=True)
        os.makedirs(keep, exist_ok=True)
        shutil.move(folder, result["kept"])
    else:
        shutil.rmtree(folder)
    return result


def seed_in_child(recorder, seed, arguments, scratch):
    folder = os.path.join(scratch, f"seed{seed}")
    os.makedirs(folder, exist_ok=True)

    def ended(text):
        return {"seed": seed, "family": "?", "found": [[ERRORS, text]], "outputs": 0, "bit_equal": 0, "off": [], "nodes": 0, "errors": []}

    def run():
        run_seed(seed, flavours_of(seed, arguments), folder, arguments.pt2e)

    return result_in_child(recorder, run, folder, arguments.keep, SECONDS * 4, ended)


# ---------------------------------------------------------------- the whole run


def show(result, limit):
    found = result["found"]
    head = f"seed {result['seed']:4d}  {result['family']:9s} {result['nodes']:4d} nodes  {result['bit_equal']}/{result['outputs']} outputs bit-equal"
    print(head + ("" if not found else f"  {len(found)} DIFFERENCES, kept in {result['kept']}"))
    for _, text in found[:limit]:
        print("    " + text)
    if len(found) > limit:
        print(f"    … and {len(found) - limit} more")
    for text in result["off"] + ["the real stack fails, and so do we: " + e for e in result["errors"] if not found]:
        print("    " + text)
    sys.stdout.flush()


def summary(results, flavours, seconds):
    kinds = {k: sum(any(f[0] == k for f in r["found"]) for r in results) for k in (STRUCTURE, REALS, OUTPUTS, ERRORS)}
    outputs, equal, off = (sum(r["outputs"] for r in results), sum(r["bit_equal"] for r in results), sum(len(r["off"]) for r in results))
    different = [r["seed"] for r in results if r["found"]]
    print(f"{len(results)} graphs, {len(flavours)} flavours ({', '.join(flavours)}), {seconds:.0f} s")
    print("graphs with differences: " + ", ".join(f"{k} {n}" for k, n in kinds.items()))
    print(f"outputs: {equal} of {outputs} bit-equal, {off} within one step for at most {ALLOWED_SHARE:.1%} of the elements")
    print("seeds with differences: " + (" ".join(map(str, different)) or "none"))
    return 1 if different else 0


def parse(argv):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--graphs", type=int, default=6, help="how many models (6)")
    ap.add_argument("--first-seed", type=int, default=0, help="seeds count from here (0)")
    ap.add_argument("--seed", type=int, action="append", default=[], help="just this seed; may be repeated")
    ap.add_argument("--flavour", action="append", choices=list(FLAVOURS), help="default: " + ", ".join(DEFAULT))
    ap.add_argument("--by-turns", action="store_true", help="per channel for four seeds, per tensor for the next four: half the time")
    ap.add_argument("--jobs", type=int, default=1, help="models at a time (1)")
    ap.add_argument("--keep", default=os.path.join(tempfile.gettempdir(), "pt2e-parity"), help="where cases that differ are kept")
    ap.add_argument("--pt2e", help="the program (default: that of the newest build)")
    ap.add_argument("--max", type=int, default=20, help="differences shown per model (20)")
    ap.add_argument("--make-environment", action="store_true", help="make the virtual environment if it is not there (about 1.5 GB)")
    return ap.parse_args(argv)


def main(argv):
    arguments = parse(argv)
    stack.enter(arguments.make_environment)
    arguments.pt2e = stack.pt2e_program(arguments.pt2e)
    arguments.flavour = arguments.flavour or list(DEFAULT)
    arguments.keep = os.path.abspath(arguments.keep)
    seeds = arguments.seed or list(range(arguments.first_seed, arguments.first_seed + arguments.graphs))
    import make_reference as recorder

    started = time.monotonic()
    recorder.import_stack()
    print(f"seeds {seeds[0]} to {seeds[-1]}, versions {recorder.versions()}", flush=True)
    scratch = tempfile.mkdtemp(prefix="pt2e-live-")
    results = []
    try:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for result in pool.map(lambda s: seed_in_child(recorder, s, arguments, scratch), seeds):
                show(result, arguments.max)
                results.append(result)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return summary(results, arguments.flavour, time.monotonic() - started)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
