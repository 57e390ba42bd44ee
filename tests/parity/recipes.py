#!/usr/bin/env python3
"""Random recipes, as the program applies them and as the Python class that `pt2e recipe to-python` writes.

    recipes.py [--recipes 200] [--first-seed 0] [--seed N …] [--jobs 1] [--keep DIR] [--pt2e FILE] [--make-environment]

Each seed takes one recorded case and makes a recipe for it: settings, rules, edits (random_recipes.py). The program
writes the stage dump under that recipe, and the recipe as Python; the real stack prepares, calibrates and converts the
same file with that class. The two dumps are compared whole: annotations, sharing, prepared and converted graph,
observers; where the real stack raises, the program must stop at the same stage.

Exit code: 0 equal, 1 differences, 77 (and a line SKIPPED with the reason) where there is no environment to run it.
"""
import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import stack
from check_written import read_batches
from live import SECONDS, result_in_child

CASES = os.path.join(stack.ROOT, "tests", "data", "cases")
FLAVOUR = "recipe"


def case_names():
    """Cases that both quantizers get through: there a recipe has something to say."""
    names = []
    for name in sorted(os.listdir(CASES)):
        golden = os.path.join(CASES, name, "golden-torchao.json")
        if os.path.exists(golden) and os.path.exists(os.path.join(CASES, name, "model.pt2")):
            with open(golden, encoding="utf-8") as f:
                recorded = json.load(f)
            if "error" not in recorded and any(n["op"] == "call_function" for n in recorded["stages"]["exported"]["nodes"]):
                names.append(name)
    return names


def module_paths(gm):
    found = {name.removeprefix("L['self'].") for n in gm.graph.nodes for name, _ in (n.meta.get("nn_module_stack") or {}).values()}
    return sorted(p for p in found if p)


def quantizer_class(path):
    definition = importlib.util.spec_from_file_location("recipe_under_test", path)
    module = importlib.util.module_from_spec(definition)
    definition.loader.exec_module(module)
    return module.RecipeQuantizer


def run_seed(seed, name, folder, pt2e):
    import compare_dump
    import make_reference as recorder
    import random_recipes

    torch = recorder.torch
    source = os.path.join(CASES, name)
    case = {"name": name, "doc": "", "file": os.path.join(source, "model.pt2"), "eval": [], "fp32": []}
    program = recorder.load(case)
    gm = program.module(check_guards=False)
    flavour = ("torchao", "executorch")[seed % 2]
    recipe = random_recipes.make(seed, flavour, recorder.graph_dump(gm), module_paths(gm))
    files = {k: os.path.join(folder, k) for k in ("recipe.json", "recipe.py", "ours.json", "theirs.json")}
    with open(files["recipe.json"], "w", encoding="utf-8") as f:
        json.dump(recipe, f, indent=1)
    case["calib"] = read_batches(recorder.np, torch, os.path.join(source, "calib.npz"), program.call_spec.in_spec, "b")[:2]
    calibration = os.path.join(folder, "calib.npz")
    recorder.save_batches(calibration, case["calib"])
    said = []
    for arguments in (
        ["recipe", "to-python", files["recipe.json"], "-o", files["recipe.py"]],
        ["dump", case["file"], "--recipe", files["recipe.json"], "--calibration", calibration, "--threads", "1", "-o", files["ours.json"]],
    ):
        done = subprocess.run([pt2e, *arguments], capture_output=True, text=True, timeout=SECONDS)
        said.append(done.stderr.strip())
    found = []
    if not os.path.exists(files["ours.json"]) or not os.path.exists(files["recipe.py"]):
        found.append("no dump or no Python: " + " ".join(said)[-500:])
    else:
        recorder.CUSTOM_QUANTIZERS[FLAVOUR] = quantizer_class(files["recipe.py"])
        settings = {"base": "recipe", "custom": FLAVOUR, "per_channel": False, "dynamic": False}
        recorder.run_flavour(case, FLAVOUR, settings, files["theirs.json"], {}, folder, more=False)
        theirs, ours = compare_dump.load(files["theirs.json"]), compare_dump.load(files["ours.json"])
        theirs["quantizer"] = ours["quantizer"]
        found += ["\t".join(v if isinstance(v, str) else json.dumps(v)[:200] for v in d) for d in compare_dump.Comparison(theirs, ours).run()]
        expected = theirs.get("error", {}).get("stage")
        expected = None if expected == "run" else expected
        if expected != ours.get("error", {}).get("stage"):
            found.append(f"error\t{json.dumps(theirs.get('error'))}\t{json.dumps(ours.get('error'))}")
    rules, edits = len(recipe["quantizer"]["rules"]), len(recipe["edits"])
    error = compare_dump.load(files["theirs.json"]).get("error") if os.path.exists(files["theirs.json"]) else None
    with open(os.path.join(folder, "result.json"), "w", encoding="utf-8") as f:
        json.dump({"found": found, "rules": rules, "edits": edits, "error": error and f"{error['stage']}: {error['type']}"}, f)


def seed_in_child(recorder, seed, names, arguments, scratch):
    name = names[(seed * 7) % len(names)]
    folder = os.path.join(scratch, f"seed{seed}")
    os.makedirs(folder)

    def ended(text):
        return {"found": [text], "rules": 0, "edits": 0, "error": None}

    def run():
        run_seed(seed, name, folder, arguments.pt2e)

    result = result_in_child(recorder, run, folder, arguments.keep, SECONDS, ended)
    return {"seed": seed, "case": name, **result}


def parse(argv):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--recipes", type=int, default=200, help="how many (200)")
    ap.add_argument("--first-seed", type=int, default=0, help="seeds count from here (0)")
    ap.add_argument("--seed", type=int, action="append", default=[], help="just this seed; may be repeated")
    ap.add_argument("--jobs", type=int, default=1, help="recipes at a time (1)")
    ap.add_argument("--keep", default=os.path.join(tempfile.gettempdir(), "pt2e-recipes"), help="where recipes that differ are kept")
    ap.add_argument("--pt2e", help="the program (default: that of the newest build)")
    ap.add_argument("--max", type=int, default=10, help="differences shown per recipe (10)")
    ap.add_argument("--make-environment", action="store_true", help="make the virtual environment if it is not there (about 1.5 GB)")
    return ap.parse_args(argv)


def main(argv):
    arguments = parse(argv)
    stack.enter(arguments.make_environment)
    arguments.pt2e = stack.pt2e_program(arguments.pt2e)
    arguments.keep = os.path.abspath(arguments.keep)
    seeds = arguments.seed or list(range(arguments.first_seed, arguments.first_seed + arguments.recipes))
    import make_reference as recorder

    started = time.monotonic()
    recorder.import_stack()
    names, scratch = case_names(), tempfile.mkdtemp(prefix="pt2e-recipes-")
    different = errors = 0
    try:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for r in pool.map(lambda s: seed_in_child(recorder, s, names, arguments, scratch), seeds):
                different += bool(r["found"])
                errors += bool(r["error"])
                end = f"DIFFERENT, kept in {r['kept']}" if r["found"] else "equal" + (f", both fail ({r['error']})" if r["error"] else "")
                print(f"seed {r['seed']:4d}  {r['case']:22s} {r['rules']} rules, {r['edits']} edits: {end}", flush=True)
                for line in r["found"][: arguments.max]:
                    print("    " + line, flush=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{len(seeds)} recipes, {different} differ, {errors} that the real stack refuses, {time.monotonic() - started:.0f} s")
    return 1 if different or not seeds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
