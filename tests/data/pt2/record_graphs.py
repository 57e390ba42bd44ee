"""Records what PyTorch makes of the samples: for every program, the graph of ep.module(check_guards=False), sub-graphs
included, in the form of a stage dump's GRAPH. Used by tst_pt2_reader; run again when samples are added:

    python record_graphs.py > graphs.json       (with torch; the file says which version)
"""
import hashlib
import json
import math
import pathlib
import re
import sys
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401

HERE = pathlib.Path(__file__).parent


def real(v):
    return v if math.isfinite(v) else {"float": "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"}


def encode(x):
    if isinstance(x, torch.fx.Node):
        return {"%": x.name}
    if x is None or isinstance(x, (bool, str, int)):
        return x
    if isinstance(x, float):
        return real(x)
    if isinstance(x, (list, tuple)):
        return [encode(v) for v in x]
    for kind, name in ((torch.dtype, "dtype"), (torch.device, "device"), (torch.layout, "layout"),
                       (torch.memory_format, "memory_format")):
        if isinstance(x, kind):
            return {name: str(x).removeprefix("torch.")}
    return {"repr": repr(x)}


def target_of(node):
    t = node.target
    if isinstance(t, str):
        return t
    if isinstance(t, torch._ops.OpOverload):
        return str(t)
    if isinstance(t, torch._ops.HigherOrderOperator):
        return t.name()
    return getattr(t, "__name__", str(t))


def tensor(t):
    c = t.detach().cpu().contiguous()
    data = c.view(torch.uint8) if c.dim() else c.reshape(1).view(torch.uint8)
    return {"shape": list(t.shape), "dtype": str(t.dtype).removeprefix("torch."),
            "sha256": hashlib.sha256(data.numpy().tobytes()).hexdigest()}


def modules_of(stack):
    """Dotted paths: strict mode of torch 2.6 wrote L['fn'] for the root and getattr(L['fn'], '0') for a child; entries
    made up by PyTorch are left out."""
    paths = [path for path, _ in stack.values() if not path.startswith("_empty_nn_module_stack")]
    paths = [re.sub(r"getattr\((.*), '(\w+)'\)", r"\1.\2", path) for path in paths]
    return [re.sub(r"^L\['\w+'\]\.?", "", path) for path in paths]


def graph_of(gm):
    nodes, tensors, bodies = [], {}, {}
    for n in gm.graph.nodes:
        val = n.meta.get("val")
        is_tensor = isinstance(val, torch.Tensor)
        stack = n.meta.get("nn_module_stack") or {}
        nodes.append({
            "name": n.name, "op": n.op, "target": target_of(n), "args": [encode(a) for a in n.args],
            "kwargs": {k: encode(v) for k, v in n.kwargs.items()}, "users": [u.name for u in n.users],
            "shape": [s if isinstance(s, int) else str(s) for s in val.shape] if is_tensor else None,
            "dtype": str(val.dtype).removeprefix("torch.") if is_tensor else None,
            "modules": modules_of(stack),
        })
        if n.op == "get_attr":
            value = gm
            for part in n.target.split("."):
                value = getattr(value, part)
            if isinstance(value, torch.Tensor):
                tensors[n.target] = tensor(value)
            else:
                bodies[n.target] = graph_of(value)
    return {"nodes": nodes, "tensors": tensors, "subgraphs": bodies}


def examples_of(ep):
    if not ep.example_inputs:
        return []
    leaves = torch.utils._pytree.tree_leaves(ep.example_inputs)
    return [tensor(x) if isinstance(x, torch.Tensor) else encode(x) for x in leaves]


def main():
    out = {"torch": torch.__version__.split("+")[0], "programs": {}}
    for path in sorted(HERE.glob("*/*.pt2")):
        name = str(path.relative_to(HERE))
        try:
            if path.stem == "two_models":
                from torch.export.pt2_archive._package import load_pt2
                programs = load_pt2(path).exported_programs
            else:
                programs = {"": torch.export.load(path)}
            for key, ep in programs.items():
                out["programs"][name + (":" + key if key else "")] = {
                    "graph": graph_of(ep.module(check_guards=False)), "examples": examples_of(ep)}
        except Exception as e:
            print(name, type(e).__name__, str(e)[:100].replace("\n", " "), file=sys.stderr)
    json.dump(out, sys.stdout, separators=(",", ":"))
    print()


main()
