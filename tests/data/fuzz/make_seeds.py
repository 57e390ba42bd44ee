#!/usr/bin/env python3
"""Makes the seeds of fuzz_pt2 and fuzz_recipe from the samples of tests/data: make_seeds.py OUT [--largest BYTES]

OUT/pt2 gets each small .pt2 file, and what lies in it, behind the byte that tells fuzz_pt2 how to read it: 0 the
archive, 1 its JSON, 2 pickles, 3 files of torch.save, 4 the size expressions. OUT/recipe gets the recipes. What is
there already stays, as libFuzzer adds what it finds.
"""
import argparse
import hashlib
import io
import os
import re
import zipfile

DATA = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
ARCHIVE, JSON, PICKLE, TORCH_SAVE, EXPRESSION = range(5)
EXPRESSIONS = re.compile(rb'"expr_str": ?"([^"\\]+)"')


def files(*endings):
    for folder, _, names in sorted(os.walk(DATA)):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.join(folder, name)


def put(folder, content, largest):
    if len(content) <= largest:
        with open(os.path.join(folder, hashlib.sha1(content).hexdigest()), "wb") as f:
            f.write(content)


def entries(archive):
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as z:
            return [(name, z.read(name)) for name in z.namelist()]
    except (zipfile.BadZipFile, NotImplementedError, OSError):
        return []  # samples that are malformed on purpose


def parts(archive):
    """What an archive consists of, each with the byte in front."""
    yield ARCHIVE, archive
    for name, content in entries(archive):
        if name.endswith(".json"):
            yield JSON, content
            for expression in EXPRESSIONS.findall(content):
                yield EXPRESSION, expression
        elif name.endswith("data.pkl"):
            yield PICKLE, content
        elif name.endswith(".pt"):
            yield TORCH_SAVE, content
            for inner, pickled in entries(content):
                if inner.endswith("data.pkl"):
                    yield PICKLE, pickled


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("out")
    ap.add_argument("--largest", type=int, default=65536, help="seeds are no larger than this (65536)")
    arguments = ap.parse_args()
    folders = {kind: os.path.join(arguments.out, kind) for kind in ("pt2", "recipe")}
    for folder in folders.values():
        os.makedirs(folder, exist_ok=True)
    for path in files(".pt2"):
        with open(path, "rb") as f:
            for first, content in parts(f.read()):
                put(folders["pt2"], bytes([first]) + content, arguments.largest)
    for path in files(".json"):
        if os.path.getsize(path) <= arguments.largest:
            with open(path, "rb") as f:
                content = f.read()
            if b'"pt2e.recipe"' in content:
                put(folders["recipe"], content, arguments.largest)
    for kind, folder in folders.items():
        print(f"{folder}: {len(os.listdir(folder))} seeds, with tests/data/fuzz/{kind} beside them")


if __name__ == "__main__":
    main()
