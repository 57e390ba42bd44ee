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

Where the real stack cannot export, save or load what it converted, ours must load and give the converted module's
outputs; the line says so, and where the stack's own cannot be lowered. Goldens of recipes are left out.

One line a case and flavour; exit code 0 equal, 1 differences, 77 (and SKIPPED with the reason) without environment.
"""
import argparse
import difflib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import stack
from live import FLAVOURS, SECONDS

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
    return module_outputs(recorder, program.module(check_guards=False), batches)


def module_outputs(recorder, module, batches):
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
    """Graph and sub-graphs, with the guards on the inputs that loading makes, which the program does not show, or without."""
    return texts_of(program.module(check_guards=guards))


def texts_of(module):
    bodies = [(name, str(m.graph)) for name, m in module.named_modules() if name and name != "_guards_fn" and hasattr(m, "graph")]
    return "\n".join([str(module.graph).strip()] + [f"{name.replace('.', '/')}: {text.strip()}" for name, text in bodies])


def printed(pt2e, path, module):
    """The same as the program prints it: the bodies are those that Python has."""
    names = [name.replace(".", "/") for name, m in module.named_modules() if name and name != "_guards_fn" and hasattr(m, "graph")]
    return "\n".join([run(pt2e, "print", path).strip()] + [f"{n}: {run(pt2e, 'print', path, '--body', n).strip()}" for n in names])


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


def settings_of(golden, flavour, folder):
    """What the real stack quantizes with, and the options that make the program do the same."""
    settings = golden["notes"]["settings"]
    if not set(settings) & {"global", "module_name", "module_type", "operator_type"}:
        return settings, FLAVOURS[flavour]

    def config(s):
        return {"per_channel": s["per_channel"], "dynamic": s["dynamic"]}

    quantizer = {"flavor": settings["base"], "global": config(settings) if settings.get("global", True) else None}
    for kind in ("module_name", "module_type", "operator_type"):
        quantizer[kind] = [[name, config(s)] for name, s in settings.get(kind, {}).items()]
    path = os.path.join(folder, "recipe.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "pt2e.recipe", "version": 1, "quantizer": quantizer}, f)
    return settings, ["--recipe", path]


def read_case(recorder, name):
    source = os.path.join(CASES, name)
    case = {"name": name, "file": os.path.join(source, "model.pt2"), "data": os.path.join(source, "calib.npz")}
    ep = recorder.load(case)
    spec = ep.call_spec.in_spec
    case["inputs"], case["dynamic_shapes"] = ep.example_inputs[0], dynamic_shapes(recorder.torch, ep)
    case["calib"] = read_batches(recorder.np, recorder.torch, case["data"], spec, "b")
    case["eval"] = read_batches(recorder.np, recorder.torch, os.path.join(source, "eval.npz"), spec, "b")
    return case


def theirs_of(recorder, case, settings, path):
    """The real stack's converted module, saved as `path` and loaded: the module, the program, or None and why not."""
    torch = recorder.torch
    prepared = recorder.prepare_pt2e(recorder.load(case).module(check_guards=False), recorder.build_quantizer(settings))
    with torch.no_grad():
        for batch in case["calib"]:
            prepared(*batch)
    converted = recorder.convert_pt2e(prepared)
    step = "export"
    try:
        exported = torch.export.export(converted, case["inputs"], dynamic_shapes=case["dynamic_shapes"])
        step = "save"
        torch.export.save(exported, path)
        step = "load"
        return converted, recorder.load({"file": path}), None
    except Exception as e:
        while e.__cause__ or e.__context__:
            e = e.__cause__ or e.__context__
        return converted, None, f"{step}: {type(e).__name__}: {recorder.short(str(e).splitlines()[0], 200)}"


def run(pt2e, *words):
    done = subprocess.run([pt2e, *words], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise RuntimeError(f"pt2e {words[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout


def write_ours(pt2e, case, options, path):
    """Written twice; a line if the bytes are others the second time."""
    contents = []
    for _ in range(2):
        run(pt2e, "quantize", case["file"], "--calibration", case["data"], "--threads", "1", *options, "-o", path)
        with open(path, "rb") as f:
            contents.append(f.read())
    return ["bytes: others the second time"] if contents[0] != contents[1] else []


def check_flavour(recorder, name, flavour, golden, folder, lowered, arguments):
    """Lines that tell what differs (an empty list is good), and what the real stack itself cannot do, or None.

    `lowered` holds what came of lowering this case's files, by their content: two quantizers often give the same file.
    """
    case = read_case(recorder, name)
    settings, options = settings_of(golden, flavour, folder)
    theirs, written = (os.path.join(folder, w) for w in ("theirs.pt2", "ours.pt2"))
    converted, expected, why_not = theirs_of(recorder, case, settings, theirs)
    try:
        found = write_ours(arguments.pt2e, case, options, written)
    except RuntimeError as e:
        if expected is not None:
            raise
        return [], f"neither can be written, {why_not}; {str(e).splitlines()[-1]}"
    ours = recorder.load({"file": written})
    outputs = outputs_of(recorder, ours, case["eval"])
    if expected is None:  # what is left: that ours loads and gives the converted module's outputs
        difference = same_outputs(recorder.torch, module_outputs(recorder, converted, case["eval"]), outputs)
        return found + (["outputs: " + difference] if difference else []), "their own cannot be written, " + why_not
    texts = {
        "graph": [text_of(expected), text_of(ours)],
        "print": [text_of(expected, guards=False), printed(arguments.pt2e, written, expected.module(check_guards=False))],
    }
    found += [f"{what}: {first_difference(*pair)}" for what, pair in texts.items() if pair[0] != pair[1]]
    difference = same_outputs(recorder.torch, outputs_of(recorder, expected, case["eval"]), outputs)
    if difference:
        found.append("outputs: " + difference)
    if arguments.no_lowering:
        return found, None
    differences, why_not = check_lowering(recorder, case, recorded_lowering(recorder, case, flavour, golden), (expected, ours), lowered, folder)
    return found + differences, why_not and "their own cannot be lowered, " + why_not


def check_lowering(recorder, case, recorded, programs, lowered, folder):
    """What was recorded is expected. Theirs is lowered anew where nothing is recorded, or something else."""
    theirs, ours = programs
    expected = recorded if recorded[0] is not None else recorder.lower_in_child(None, case, folder, program=theirs)
    if not expected[0]["ok"]:
        return [], f"{expected[0]['stage']}: {recorder.short(expected[0]['error'], 120)}"
    with open(os.path.join(folder, "ours.pt2"), "rb") as f:
        content = hashlib.sha256(f.read()).digest()
    if content not in lowered:
        lowered[content] = recorder.lower_in_child(None, case, folder, program=ours)
    found = lowering_differences(recorder.torch, expected, lowered[content])
    if found and expected is recorded:
        found = lowering_differences(recorder.torch, recorder.lower_in_child(None, case, folder, program=theirs), lowered[content])
    return found, None


def recorded_lowering(recorder, case, flavour, golden):
    report = golden["notes"].get("lowering")
    if not report or not report["ok"]:
        return report, None
    prefix = f"{flavour}_xnn_b"
    with recorder.np.load(os.path.join(CASES, case["name"], "eval_out.npz")) as z:
        count = [sum(k.startswith(f"{prefix}{b}_o") for k in z.files) for b in range(len(case["eval"]))]
        return report, [[recorder.torch.from_numpy(z[f"{prefix}{b}_o{j}"]) for j in range(n)] for b, n in enumerate(count)]


def lowering_differences(torch, expected, got):
    (report, outputs), (own_report, own) = expected, got
    if not report["ok"]:
        return []
    if not own_report["ok"]:
        return [f"lowering: {own_report['stage']}: {own_report['error']}"]
    found = [f"lowering: {k} {own_report[k]}, expected {report[k]}" for k in ("delegates", "outside") if own_report[k] != report[k]]
    difference = same_outputs(torch, outputs, own)
    return found + (["lowering: outputs: " + difference] if difference else [])


def converted_goldens(name, wanted):
    """Flavour and recorded dump, where there is a converted stage. A recipe with a quantizer of its own is not for here."""
    found = {}
    for file in sorted(os.listdir(os.path.join(CASES, name))):
        match = re.fullmatch(r"golden-(?!recipe-)(.*?)(-bodies)?\.json", file)
        if match and (not wanted or match[1] in wanted):
            with open(os.path.join(CASES, name, file), encoding="utf-8") as f:
                golden = json.load(f)
            if "converted" in golden["stages"]:
                found.setdefault(match[1], golden)
    return found


def check_case(name, arguments, folder):
    import make_reference as recorder

    results, lowered = {}, {}
    for flavour, golden in converted_goldens(name, arguments.flavour).items():
        own_folder = os.path.join(folder, flavour)
        os.makedirs(own_folder)
        try:
            results[flavour] = check_flavour(recorder, name, flavour, golden, own_folder, lowered, arguments)
        except Exception as e:  # told, and the next flavour is checked
            results[flavour] = [f"{type(e).__name__}: {str(e)[:400]}"], None
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
        results = {"-": ([f"the check itself ended with {status}"], None)}
    if any(found for found, _ in results.values()) and arguments.keep:
        os.makedirs(arguments.keep, exist_ok=True)
        shutil.rmtree(os.path.join(arguments.keep, name), ignore_errors=True)
        shutil.move(folder, os.path.join(arguments.keep, name))
    else:
        shutil.rmtree(folder)
    return name, results


def parse(argv):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--case", action="append", default=[], help="only this one; may be repeated")
    ap.add_argument("--flavour", action="append", help="of the recorded ones; default: all")
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
                for flavour, (found, why_not) in results.items():
                    checked += 1
                    bad += bool(found)
                    print(f"{name:26s} {flavour:24s} {'equal' if not found else 'DIFFERENT'}{'; ' + why_not if why_not else ''}")
                    for line in found:
                        print("    " + line)
                sys.stdout.flush()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{checked} written files checked, {bad} differ, {time.monotonic() - started:.0f} s")
    return 1 if bad or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
