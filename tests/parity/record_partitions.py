#!/usr/bin/env python3
"""Records which operators of the reference cases ExecuTorch's XNNPACK partitioner takes, and in what type.

    record_partitions.py --out FILE.json [--case NAME …] [--zoo] [--flavour NAME …] [--pt2e FILE] [--make-environment]

The real stack quantizes each case's model.pt2 as its goldens were made, and lowers the converted module with
XnnpackPartitioner. Of each ATen operator of the converted graph is told what became of it:

  int8      what it reads and its result are statically quantized tensors in the delegate
  dynamic   its input is quantized while running
  float     it is in a delegate, in float
  outside   no delegate has it

An operator that became several (a decomposition) has all of them, "float, outside". One that a pass merged into the
operator before it, as an activation, or removed, as dropout, has that one's. With --zoo the program's built-in models
are recorded too (as `pt2e sample` writes them, calibrated with two batches of normal numbers).

FILE.json is updated: cases that it has stay unless named.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback

import stack
from check_written import CASES, converted_goldens, read_case
from live import SETTINGS

ZOO = ("mobilenet_v2", "resnet18", "squeezenet1_1", "ds_cnn", "encoder", "fashion_cnn")
ORDER = ("int8", "dynamic", "float", "outside")


def sources(node):
    """All nodes that a node was made from, as far as its history goes back: (graph, name)."""
    found, open_ones = [], list(node.meta.get("from_node", []))
    while open_ones:
        source = open_ones.pop()
        found.append((source.graph_id, source.name))
        open_ones += source.from_node
    return found


class Visits:
    """Listens to the delegate's serialization: the type of each operator's input and result."""

    def __init__(self, preprocess):
        self.preprocess, self.original, self.seen = preprocess, preprocess.get_node_visitors, {}

    def __enter__(self):
        self.preprocess.get_node_visitors = self.visitors
        return self

    def __exit__(self, *_):
        self.preprocess.get_node_visitors = self.original

    def visitors(self, *arguments):
        visitors = self.original(*arguments)
        for visitor in visitors.values():
            object.__setattr__(visitor, "define_node", self.listening(visitor.define_node))
        return visitors

    def listening(self, define):
        def define_node(node, graph, ids, handle):
            before = len(graph.xnodes)
            define(node, graph, ids, handle)
            for made in graph.xnodes[before:]:
                kind = type_of(graph, made.xnode_union)
                for source in sources(node):
                    self.seen.setdefault(source, set()).add(kind)

        return define_node


def type_of(graph, made):
    def datatype(id):
        value = graph.xvalues[id].xvalue_union
        return (getattr(value, "datatype", None) or value.tensor_value.datatype).name.removeprefix("xnn_datatype_")

    outputs = [getattr(made, k) for k in ("output_id", "output1_id") if hasattr(made, k)]
    inputs = [getattr(made, k) for k in ("input_id", "input1_id", "input2_id") if hasattr(made, k)]
    if any(datatype(i) == "qdint8" for i in inputs):
        return "dynamic"
    return "int8" if all(any(datatype(i) == "qint8" for i in ids) for ids in (inputs, outputs)) else "float"


def partition(recorder, converted, case):
    """What became of each ATen operator of the converted module, by name."""
    torch = recorder.torch
    from executorch.backends.xnnpack import xnnpack_preprocess

    with torch.no_grad():
        program = torch.export.export(converted, case["inputs"], dynamic_shapes=case["dynamic_shapes"])
    with Visits(xnnpack_preprocess) as visits:
        edge = recorder.lower(program)
    graph = id(converted.graph)
    outer = edge.exported_program().graph_module
    outside = set()
    for node in outer.graph.nodes:
        if node.op == "call_function" and "executorch_call_delegate" not in node.name and "getitem" not in node.name:
            outside.update(name for g, name in sources(node) if g == graph)
    found = {}
    for node in converted.graph.nodes:
        if node.op != "call_function" or not str(node.target).startswith("aten."):
            continue
        kinds = set(visits.seen.get((graph, node.name), ()))
        if node.name in outside:
            kinds.add("outside")
        if not kinds:  # merged into what it reads, or removed
            source = getattr(node.args[0] if node.args else None, "name", None)
            kinds = set(found.get(source, "outside").split(", "))
        found[node.name] = ", ".join(k for k in ORDER if k in kinds)
    return found


def converted_of(recorder, case, settings):
    prepared = recorder.prepare_pt2e(recorder.load(case).module(check_guards=False), recorder.build_quantizer(settings))
    with recorder.torch.no_grad():
        for batch in case["calib"]:
            prepared(*batch)
    return recorder.convert_pt2e(prepared)


def zoo_case(recorder, pt2e, name, folder):
    path = os.path.join(folder, name + ".pt2")
    subprocess.run([pt2e, "sample", name, "-o", path], check=True, capture_output=True)
    case = {"name": name, "file": path}
    torch, program = recorder.torch, recorder.load(case)
    case["inputs"], case["dynamic_shapes"] = program.example_inputs[0], None
    torch.manual_seed(0)
    case["calib"] = [tuple(torch.randn_like(t) if t.is_floating_point() else t for t in case["inputs"]) for _ in range(2)]
    return case


def structure(converted, case):
    """What the partitioner looks at: the graph without its scales, and the shapes. Two quantizers often give the same,
    and some cases differ in their data only."""
    text = re.sub(r"(?<=, )[0-9.]+(?:e[-+]?[0-9]+)?, -?[0-9]+, (?=-?[0-9]+, -?[0-9]+, torch)", "", str(converted.graph))
    shapes = [str(getattr(n.meta.get("val"), "shape", None)) for n in converted.graph.nodes]
    return text, *shapes, str(case["dynamic_shapes"]), *(str(v.shape) for v in converted.state_dict().values())


def record(recorder, case, flavours, known):
    """known: results by structure."""
    results = {}
    for flavour, settings in flavours.items():
        started = time.monotonic()
        try:
            converted = converted_of(recorder, case, settings)
            key = structure(converted, case)
            if key not in known:
                known[key] = partition(recorder, converted, case)
            results[flavour] = known[key]
            said = f"{len(results[flavour])} operators"
        except Exception as e:
            traceback.print_exc(limit=1)
            said = f"{type(e).__name__}: {recorder.short(str(e).splitlines()[0], 160) if str(e) else ''}"
            results[flavour] = {"error": said}
        print(f"{case['name']:26s} {flavour:22s} {said}, {time.monotonic() - started:.1f} s", flush=True)
    return results


def write(path, everything):
    """One line an operator list, so that changes can be read."""
    lines = []
    for name, flavours in sorted(everything["cases"].items()):
        rows = [f"   {json.dumps(flavour)}: {json.dumps(ops)}" for flavour, ops in sorted(flavours.items())]
        lines.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(rows) + "\n  }")
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write('{\n "versions": ' + json.dumps(everything["versions"]) + ',\n "cases": {\n' + ",\n".join(lines) + "\n }\n}\n")
    os.replace(path + ".new", path)


def parse(argv):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--out", required=True, help="the JSON file")
    ap.add_argument("--case", action="append", default=[], help="only this one; may be repeated")
    ap.add_argument("--flavour", action="append", help="of the recorded ones; default: all")
    ap.add_argument("--zoo", action="store_true", help="the built-in models instead of the cases")
    ap.add_argument("--pt2e", help="the program (default: that of the newest build)")
    ap.add_argument("--make-environment", action="store_true", help="make the virtual environment if it is not there (about 1.5 GB)")
    return ap.parse_args(argv)


def wanted_flavours(name, arguments):
    """Flavour and settings."""
    if arguments.zoo:
        return {f: SETTINGS[f] for f in arguments.flavour or ("torchao", "executorch")}
    return {f: g["notes"]["settings"] for f, g in converted_goldens(name, arguments.flavour).items()}


def main(argv):
    arguments = parse(argv)
    stack.enter(arguments.make_environment)
    import make_reference as recorder

    recorder.import_stack()
    everything = {"cases": {}}
    if os.path.exists(arguments.out):
        with open(arguments.out, encoding="utf-8") as f:
            everything = json.load(f)
    everything["versions"] = recorder.versions()
    known, structures = everything["cases"], {}
    names = arguments.case or (ZOO if arguments.zoo else sorted(n for n in os.listdir(CASES) if os.path.exists(os.path.join(CASES, n, "model.pt2"))))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            key = "zoo/" + name if arguments.zoo else name
            flavours = wanted_flavours(name, arguments)
            if not arguments.case:
                flavours = {f: s for f, s in flavours.items() if f not in known.get(key, {})}
            if not flavours:
                continue
            case = zoo_case(recorder, stack.pt2e_program(arguments.pt2e), name, folder) if arguments.zoo else read_case(recorder, name)
            known.setdefault(key, {}).update(record(recorder, case, flavours, structures))
            write(arguments.out, everything)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
