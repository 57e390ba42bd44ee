#!/usr/bin/env python3
"""What `pt2e quantize -o` writes, read by the real stack, for every recorded case with a converted stage.

    check_written.py [--case NAME …] [--flavour NAME …] [--no-lowering] [--jobs 1] [--keep DIR] [--pt2e FILE]
                     [--make-environment]

The real stack quantizes the case's model.pt2, exports the converted module, saves it and loads it back. The program
writes its converted program of the same file. Then

  graph     print(module().graph) of both, loaded, is the same text,
  print     and is what `pt2e print` shows for the file;
  outputs   both give the same bits on the evaluation batches;
  bytes     a second `pt2e quantize` writes the same bytes;
  lowering  where ExecuTorch lowers and runs the real stack's program with XnnpackPartitioner, it does so with ours, with
            the same number of delegates, the same operators outside, and the same outputs.

One line a case and flavour; exit code 0 equal, 1 differences, 77 (and SKIPPED with the reason) without environment.
"""
import argparse
import difflib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import stack
from live import FLAVOURS, SECONDS, SETTINGS

CASES = os.path.join(stack.ROOT, "tests", "data", "cases")


def dynamic_shapes(torch, ep):
    """What the program was exported with, as far as its inputs tell: None where all is static."""
    from torch.utils import _pytree as pytree

    symbolic = False

    def dims(v):
        nonlocal symbolic
        if not isinstance(v, torch.Tensor):
            return None
        found = {i: torch.export.Dim.DYNAMIC for i, s in enumerate(v.shape) if isinstance(s, torch.SymInt)}
        symbolic |= bool(found)
        return found or None

    users = set(ep.graph_signature.user_inputs)
    values = [n.meta["val"] for n in ep.graph.nodes if n.op == "placeholder" and n.name in users]
    args, kwargs = pytree.tree_unflatten([dims(v) for v in values], ep.call_spec.in_spec)
    assert not kwargs
    return args if symbolic else None


def outputs_of(recorder, program, batches):
    module = program.module(check_guards=False)
    with recorder.torch.no_grad():
        return [recorder.flat(module(*recorder.pytree.tree_map(lambda t: t.clone() if hasattr(t, "clone") else t, b))) for b in batches]


def same_outputs(torch, a, b):
    for i, (x, y) in enumerate(zip(a, b)):
        if len(x) != len(y):
            return f"batch {i}: {len(x)} outputs against {len(y)}"
        for j, (p, q) in enumerate(zip(x, y)):
            if p.dtype != q.dtype or p.shape != q.shape:
                return f"batch {i}, output {j}: another shape or dtype"
            p, q = (torch.nan_to_num(t) if t.is_floating_point() else t for t in (p, q))
            if not torch.equal(p, q):
                return f"batch {i}, output {j}: {int((p != q).sum())} of {p.numel()} elements differ"
    return None


def first_difference(a, b):
    changes = [line for line in difflib.unified_diff(a.splitlines(), b.splitlines(), lineterm="", n=0) if not line.startswith(("---", "+++", "@@"))]
    return " | ".join(c.strip() for c in changes[:6])[:400]


def text_of(program, guards=True):
    """With the guards on the inputs that loading makes, which the program does not show, or without."""
    return str(program.module(check_guards=guards).graph).strip()


def read_batches(np, torch, path, spec, prefix):
    """Batches of an npz file as the arguments that the program takes."""
    from torch.utils import _pytree as pytree

    batches = []
    with np.load(path) as z:
        n = 0
        while any(k.startswith(f"{prefix}{n}_i") for k in z.files):
            leaves = [torch.from_numpy(z[f"{prefix}{n}_i{i}"].copy()) if f"{prefix}{n}_i{i}" in z.files else None for i in range(spec.num_leaves)]
            args, _ = pytree.tree_unflatten(leaves, spec)
            batches.append(args)
            n += 1
    return batches


def check_flavour(name, flavour, folder, arguments):
    """Lines that tell what differs; an empty list is good."""
    import make_reference as recorder

    torch, np = recorder.torch, recorder.np
    source = os.path.join(CASES, name)
    model, calib = os.path.join(source, "model.pt2"), os.path.join(source, "calib.npz")
    case = {"file": model}
    ep = recorder.load(case)
    spec = ep.call_spec.in_spec
    case["inputs"], case["dynamic_shapes"] = ep.example_inputs[0], dynamic_shapes(torch, ep)
    case["calib"] = read_batches(np, torch, calib, spec, "b")
    case["eval"] = read_batches(np, torch, os.path.join(source, "eval.npz"), spec, "b")
    found = []

    def run(*words):
        done = subprocess.run([arguments.pt2e, *words], capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(f"pt2e {words[0]}: {done.stderr.strip()[-300:]}")
        return done.stdout

    prepared = recorder.prepare_pt2e(recorder.load(case).module(check_guards=False), recorder.build_quantizer(SETTINGS[flavour]))
    with torch.no_grad():
        for batch in case["calib"]:
            prepared(*batch)
    converted = recorder.convert_pt2e(prepared)
    theirs, written = (os.path.join(folder, f"{w}-{flavour}.pt2") for w in ("theirs", "ours"))
    contents = []
    for _ in range(2):
        run("quantize", model, "--calibration", calib, "--threads", "1", *FLAVOURS[flavour], "-o", written)
        with open(written, "rb") as f:
            contents.append(f.read())
    if contents[0] != contents[1]:
        found.append("bytes: others the second time")
    torch.export.save(torch.export.export(converted, case["inputs"], dynamic_shapes=case["dynamic_shapes"]), theirs)
    texts = {
        "graph": [text_of(recorder.load({"file": path})) for path in (theirs, written)],
        "print": [text_of(recorder.load({"file": theirs}), guards=False), run("print", written).strip()],
    }
    for what, (expected, text) in texts.items():
        if text != expected:
            found.append(f"{what}: {first_difference(expected, text)}")
    difference = same_outputs(torch, outputs_of(recorder, recorder.load({"file": theirs}), case["eval"]), outputs_of(recorder, recorder.load({"file": written}), case["eval"]))
    if difference:
        found.append("outputs: " + difference)
    if not arguments.no_lowering:
        found += check_lowering(recorder, case, theirs, written, folder)
    return found


def check_lowering(recorder, case, theirs, written, folder):
    expected, outputs = lowered(recorder, case, theirs, folder)
    if not expected["ok"]:
        return []
    got, own = lowered(recorder, case, written, folder)
    if not got["ok"]:
        return [f"lowering: {got['stage']}: {got['error']}"]
    found = [f"lowering: {k} {got[k]}, expected {expected[k]}" for k in ("delegates", "outside") if got[k] != expected[k]]
    difference = same_outputs(recorder.torch, outputs, own)
    return found + (["lowering: outputs: " + difference] if difference else [])


def lowered(recorder, case, path, folder):
    """As make_reference does with a module, but with the program of a file."""
    return recorder.lower_in_child(None, case, folder, program=recorder.load({"file": path}))


def check_case(name, arguments, folder):
    results = {}
    for flavour in arguments.flavour or list(FLAVOURS):
        golden = os.path.join(CASES, name, f"golden-{flavour}.json")
        if not os.path.exists(golden):
            continue
        with open(golden, encoding="utf-8") as f:
            if "converted" not in json.load(f)["stages"]:
                continue
        try:
            results[flavour] = check_flavour(name, flavour, folder, arguments)
        except Exception as e:  # told, and the next flavour is checked
            results[flavour] = [f"{type(e).__name__}: {str(e)[:400]}"]
    with open(os.path.join(folder, "result.json"), "w", encoding="utf-8") as f:
        json.dump(results, f)


def case_in_child(recorder, name, arguments, scratch):
    folder = os.path.join(scratch, name)
    os.makedirs(folder)
    log = os.path.join(folder, "log.txt")
    status = recorder.run_in_child(lambda: check_case(name, arguments, folder), log, SECONDS * 8)
    try:
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
            results = json.load(f)
    except (OSError, ValueError):
        results = {"-": [f"the check itself ended with {status}"]}
    if any(results.values()) and arguments.keep:
        os.makedirs(arguments.keep, exist_ok=True)
        shutil.rmtree(os.path.join(arguments.keep, name), ignore_errors=True)
        shutil.move(folder, os.path.join(arguments.keep, name))
    else:
        shutil.rmtree(folder)
    return name, results


def parse(argv):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--case", action="append", default=[], help="only this one; may be repeated")
    ap.add_argument("--flavour", action="append", choices=list(FLAVOURS), help="default: all that are recorded")
    ap.add_argument("--no-lowering", action="store_true", help="do not lower and run with ExecuTorch")
    ap.add_argument("--jobs", type=int, default=1, help="cases at a time (1)")
    ap.add_argument("--keep", help="where cases that differ are kept")
    ap.add_argument("--pt2e", help="the program (default: that of the newest build)")
    ap.add_argument("--make-environment", action="store_true", help="make the virtual environment if it is not there (about 1.5 GB)")
    return ap.parse_args(argv)


def main(argv):
    arguments = parse(argv)
    stack.enter(arguments.make_environment)
    arguments.pt2e = stack.pt2e_program(arguments.pt2e)
    names = arguments.case or sorted(n for n in os.listdir(CASES) if os.path.exists(os.path.join(CASES, n, "model.pt2")))
    import make_reference as recorder

    recorder.import_stack()
    if not arguments.no_lowering:
        recorder.warm_up()
    started, scratch = time.monotonic(), tempfile.mkdtemp(prefix="pt2e-written-")
    checked = bad = 0
    try:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for name, results in pool.map(lambda n: case_in_child(recorder, n, arguments, scratch), names):
                for flavour, found in results.items():
                    checked += 1
                    bad += bool(found)
                    print(f"{name:26s} {flavour:15s} {'equal' if not found else 'DIFFERENT'}")
                    for line in found:
                        print("    " + line)
                sys.stdout.flush()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{checked} written files checked, {bad} differ, {time.monotonic() - started:.0f} s")
    return 1 if bad or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
