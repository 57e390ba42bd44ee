#!/usr/bin/env python3
"""Runs the real PT2E stack on small models and records what it does.

    make_reference.py --models FILE.py [--case NAME ...] --out DIR [--no-lowering]
    make_reference.py --bodies DIR [--case NAME ...]   (records cases of DIR again, sub-graphs included)
    make_reference.py --report DIR          (prints the README tables)
    make_reference.py --index DIR           (rewrites DIR/index.json only)

FILE.py defines MODELS: name -> function without arguments. The function returns either a tuple
(module, example_inputs[, dynamic_shapes]) or a dict with the keys "module", "inputs" and optionally
"dynamic_shapes", "dynamic" (also record the dynamic flavours), "n_batches" (8), "seed", "batches"
(function (index, generator) -> inputs; the indices n_batches and n_batches + 1 are the evaluation batches),
"extra" (flavour name -> quantizer settings, see build_quantizer) and "doc".

Every golden is made from the program read back from model.pt2, because that is what other programs see; the notes say
whether the program in memory gives the same.

Sub-graphs (bodies of scan, while_loop, cond, no_grad regions) are recorded as "subgraphs" of the graph they stand in;
annotations, points and observers inside one carry its path ("body/linear"). Goldens made before that hold top graphs
only: --bodies reads the case's own model.pt2, calib.npz and the settings in its goldens and writes
golden-<flavour>-bodies.json beside each, for models that have a sub-graph.

Every model runs in its own forked process, and every ExecuTorch lowering in another one inside it, so neither a
crash nor state left behind by one model can touch the next. What the files mean is described in ../data/cases/README.md.
"""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

import argparse
import collections
import contextlib
import functools
import hashlib
import importlib.util
import json
import math
import operator
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from importlib import metadata

FORMAT, VERSION = "pt2e.stages", 1
LOWERING_TIMEOUT_S = 300
EVAL_BATCHES = 2
FLAVOURS = {
    "torchao": {"base": "torchao", "per_channel": True, "dynamic": False},
    "torchao-pt": {"base": "torchao", "per_channel": False, "dynamic": False},
    "executorch": {"base": "executorch", "per_channel": True, "dynamic": False},
    "torchao-dyn": {"base": "torchao", "per_channel": True, "dynamic": True},
    "executorch-dyn": {"base": "executorch", "per_channel": True, "dynamic": True},
}


def import_stack():
    """Imports everything slow once, before the first fork."""
    global np, torch, pytree, FakeTensor, PartialWrapper, is_observer
    global QuantizationSpec, SharedQuantizationSpec, FixedQParamsQuantizationSpec, DerivedQuantizationSpec
    global prepare_pt2e, convert_pt2e, tao_q, et_q, Q_KEY
    import numpy as np
    import torch
    import torch.utils._pytree as pytree
    from torch._subclasses import FakeTensor

    torch.set_num_threads(1)
    torch.set_warn_always(True)
    warnings.filterwarnings("ignore")
    import torchao.testing.pt2e._xnnpack_quantizer as tao_q
    from torchao.quantization.pt2e.observer import PartialWrapper
    from torchao.quantization.pt2e.observer import _is_activation_post_process as is_observer
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
    from torchao.quantization.pt2e.quantizer import (
        DerivedQuantizationSpec,
        FixedQParamsQuantizationSpec,
        QuantizationSpec,
        SharedQuantizationSpec,
    )
    from torchao.quantization.pt2e.quantizer.quantizer import Q_ANNOTATION_KEY as Q_KEY
    import executorch.backends.xnnpack.quantizer.xnnpack_quantizer as et_q
    import executorch.exir  # noqa: F401
    import executorch.kernels.quantized  # noqa: F401  (out variants of the q/dq operators)
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner  # noqa: F401
    import executorch.runtime  # noqa: F401
    import executorch.backends.xnnpack.quantizer.xnnpack_quantizer_utils as et_utils
    import torchao.testing.pt2e._xnnpack_quantizer_utils as tao_utils

    for utils in (tao_utils, et_utils):
        utils.get_source_partitions = in_graph_order(utils.get_source_partitions)


def in_graph_order(original):
    """The node lists of a source partition come from a Python set, so their order changes from run to run and with it
    what the GRU annotator does. Sorting them keeps one of the possible results."""

    def get_source_partitions(graph, *args, **kwargs):
        place = {n: i for i, n in enumerate(graph.nodes)}
        found = original(graph, *args, **kwargs)
        for p in (p for partitions in found.values() for p in partitions):
            for nodes in (p.nodes, p.input_nodes, p.output_nodes, p.params):
                nodes.sort(key=place.__getitem__)
        return found

    return get_source_partitions


def warm_up():
    """One tiny lowering, so that the slow first-time setup is shared by every forked child."""
    m = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).eval()
    x = (torch.zeros(1, 4),)
    q = tao_q.XNNPACKQuantizer().set_global(tao_q.get_symmetric_quantization_config())
    p = prepare_pt2e(torch.export.export(m, x).module(check_guards=False), q)
    p(*x)
    lower(torch.export.export(convert_pt2e(p), x))


# ---------------------------------------------------------------- text that may be written


@functools.lru_cache
def _private_dirs():
    dirs = {os.path.dirname(os.path.abspath(__file__)), os.getcwd(), tempfile.gettempdir(), os.path.expanduser("~")}
    return sorted((d for d in dirs if len(d) > 1), key=len, reverse=True)


def clean(text):
    """Removes machine paths, addresses and times from a text, so that it is the same on every run."""
    text = re.sub(r"(?:/[^\s/\"'():]+)+/(?:site|dist)-packages/", "", str(text))
    text = re.sub(r"(?:/[^\s/\"'():]+)+/lib/python[\d.]+/", "", text)
    for d in _private_dirs():
        text = text.replace(d + "/", "")
    text = re.sub(r"(?<![\w.)])/(?:[^\s/\"'():]+/)+", "", text)
    text = re.sub(r"0x[0-9a-fA-F]{6,}", "0x…", text)
    text = re.sub(r"\nUse tlparse to see full graph\..*", "", text)
    return text


def short(text, limit=1200):
    text = clean(text).strip()
    return text if len(text) <= limit else text[:limit] + " […]"


def error_of(stage, e):
    return {"stage": stage, "type": type(e).__name__, "message": short(e)}


# ---------------------------------------------------------------- the stage dump


def strip(prefix, value):
    s = str(value)
    return s[len(prefix):] if s.startswith(prefix) else s


def dtype_name(t):
    return None if t is None else strip("torch.", t)


def real(v):
    v = float(v)
    if math.isfinite(v):
        return v
    return {"float": "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"}


def encode(x):
    """ARG of the schema."""
    if isinstance(x, torch.fx.Node):
        return {"%": x.name}
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, int):
        return int(x)
    if isinstance(x, float):
        return real(x)
    if isinstance(x, (list, tuple)):
        return [encode(v) for v in x]
    if isinstance(x, torch.dtype):
        return {"dtype": dtype_name(x)}
    if isinstance(x, torch.device):
        return {"device": str(x)}
    if isinstance(x, torch.layout):
        return {"layout": strip("torch.", x)}
    if isinstance(x, torch.memory_format):
        return {"memory_format": strip("torch.", x)}
    if isinstance(x, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return {"sym": str(x)}
    return {"repr": clean(repr(x))}


def target_of(node):
    t = node.target
    if isinstance(t, str):
        return t
    if isinstance(t, torch._ops.OpOverload):
        return str(t)
    if isinstance(t, torch._ops.HigherOrderOperator):
        return t.name() if callable(getattr(t, "name", None)) else str(t)
    return getattr(t, "__name__", str(t))


def attribute(gm, target):
    obj = gm
    for part in target.split("."):
        obj = getattr(obj, part)
    return obj


def tensor_dump(t):
    c = t.detach().cpu().contiguous()
    if c.dtype == torch.bfloat16:
        c = c.view(torch.int16)
    return {"shape": list(t.shape), "dtype": dtype_name(t.dtype), "sha256": hashlib.sha256(c.numpy().tobytes()).hexdigest()}


def bodies_of(gm):
    """Sub-graphs by attribute, in the order in which the graph first names them."""
    found = {}
    for n in gm.graph.nodes:
        if n.op == "get_attr" and n.target not in found:
            value = attribute(gm, n.target)
            if isinstance(value, torch.fx.GraphModule):
                found[n.target] = value
    return found


def with_bodies(gm, prefix=""):
    """(module, path prefix) of a graph and of all sub-graphs, each before its own."""
    yield gm, prefix
    for name, body in bodies_of(gm).items():
        yield from with_bodies(body, prefix + name + "/")


def graph_dump(gm):
    nodes, tensors = [], {}
    for n in gm.graph.nodes:
        val = n.meta.get("val")
        is_tensor = isinstance(val, torch.Tensor)
        nodes.append(
            {
                "name": n.name,
                "op": n.op,
                "target": target_of(n),
                "args": [encode(a) for a in n.args],
                "kwargs": {k: encode(v) for k, v in n.kwargs.items()},
                "users": [u.name for u in n.users],
                "shape": [s if isinstance(s, int) else str(s) for s in val.shape] if is_tensor else None,
                "dtype": dtype_name(val.dtype) if is_tensor else None,
            }
        )
        if n.op == "get_attr" and n.target not in tensors:
            value = attribute(gm, n.target)
            if isinstance(value, torch.Tensor):
                tensors[n.target] = tensor_dump(value)
    dump = {"nodes": nodes, "tensors": tensors}
    bodies = bodies_of(gm)
    if bodies:
        dump["subgraphs"] = {name: graph_dump(body) for name, body in bodies.items()}
    return dump


def point(p, prefix=""):
    return f"{prefix}{p[0].name}->{prefix}{p[1].name}" if isinstance(p, tuple) else prefix + p.name


def spec_dump(s, prefix=""):
    if s is None:
        return None
    if isinstance(s, SharedQuantizationSpec):
        return {"kind": "shared", "with": point(s.edge_or_node, prefix)}
    common = {
        "dtype": dtype_name(s.dtype),
        "quant_min": s.quant_min,
        "quant_max": s.quant_max,
        "qscheme": None if s.qscheme is None else strip("torch.", s.qscheme),
    }
    if isinstance(s, FixedQParamsQuantizationSpec):
        return {"kind": "fixed", **common, "scale": real(s.scale), "zero_point": s.zero_point}
    if isinstance(s, DerivedQuantizationSpec):
        return {"kind": "derived", **common, "ch_axis": s.ch_axis, "from": [point(p, prefix) for p in s.derived_from]}
    ctr, args = s.observer_or_fake_quant_ctr, {}
    while isinstance(ctr, PartialWrapper):
        args = {**ctr.p.keywords, **args}
        ctr = ctr.p.func
    return {
        "kind": "observed",
        **common,
        "ch_axis": s.ch_axis,
        "is_dynamic": s.is_dynamic,
        "observer": ctr.__name__,
        "observer_args": {k: encode(v) for k, v in args.items()},
    }


def is_valid(annotation):
    return annotation is not None and (bool(annotation.input_qspec_map) or annotation.output_qspec is not None)


class Recorder:
    """Hangs on one quantizer and notes annotations and sharing, graph by graph. Graphs are known by their Graph object:
    prepare makes a new module around it."""

    def __init__(self, quantizer, gm):
        self.paths = {id(m.graph): prefix for m, prefix in with_bodies(gm)}
        self.graphs = [m.graph for m, _ in with_bodies(gm)]  # kept, so that no id is given out twice
        self.ops = {}
        self.annotations_of, self.unannotated_of, self.sharing_of = {}, {}, {}
        quantizer.validate = self.wrap(quantizer.validate, self.on_validate)
        quantizer.prepare_obs_or_fq_callback = self.wrap(quantizer.prepare_obs_or_fq_callback, self.on_instances)

    @staticmethod
    def wrap(original, first):
        def both(*args):
            first(*args)
            return original(*args)

        return both

    def on_validate(self, model):
        prefix = self.paths[id(model.graph)]
        if not prefix:
            for g in self.graphs:
                self.ops[self.paths[id(g)]] = [n.name for n in g.nodes if n.op == "call_function"]
        annotations, unannotated = [], []
        for n in model.graph.nodes:
            a = n.meta.get(Q_KEY)
            if a is not None:
                annotations.append(
                    {
                        "node": prefix + n.name,
                        "target": target_of(n),
                        "inputs": [[prefix + i.name, spec_dump(s, prefix)] for i, s in a.input_qspec_map.items()],
                        "output": spec_dump(a.output_qspec, prefix),
                    }
                )
            if n.op == "call_function" and not is_valid(a):
                unannotated.append(prefix + n.name)
        self.annotations_of[prefix], self.unannotated_of[prefix] = annotations, unannotated

    def on_instances(self, model, instances):
        prefix, groups = self.paths[id(model.graph)], {}
        for p, obs in instances.items():
            if obs is not None:
                groups.setdefault(id(obs), []).append(point(p, prefix))
        self.sharing_of[prefix] = list(groups.values())

    def put_into(self, golden):
        """Graphs in the order of with_bodies. The ops of a body that prepare does not visit are not annotated."""
        if "" not in self.annotations_of:
            return
        paths = list(self.paths.values())
        golden["annotations"] = [a for p in paths for a in self.annotations_of.get(p, [])]
        golden["unannotated"] = [u for p in paths for u in self.unannotated_of.get(p, [p + n for n in self.ops[p]])]
        if "" in self.sharing_of:
            golden["sharing"] = [g for p in paths for g in self.sharing_of.get(p, [])]


def observers_dump(prepared, calibrated):
    """Also returns, per instance, a few facts about the histogram."""
    number, qparams, out, histograms = {}, {}, [], []
    for gm, prefix, n in ((m, p, n) for m, p in with_bodies(prepared) for n in m.graph.nodes):
        if n.op != "call_module":
            continue
        obs = attribute(gm, n.target)
        if not is_observer(obs):
            continue
        if id(obs) not in number:
            number[id(obs)] = len(number)
            scale = zero_point = None
            if calibrated and not getattr(obs, "is_dynamic", False):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        s, z = obs.calculate_qparams()
                        scale, zero_point = [real(v) for v in s.reshape(-1).tolist()], [int(v) for v in z.reshape(-1).tolist()]
                    except Exception:  # the same call fails in convert and is recorded there
                        pass
            qparams[id(obs)] = scale, zero_point
            hist = getattr(obs, "histogram", None)
            if calibrated and hist is not None:
                histograms.append(
                    {
                        "instance": number[id(obs)],
                        "sum": real(hist.sum()),
                        "nonzero": int((hist != 0).sum()),
                        "largest_bin": int(hist.argmax()),
                    }
                )
        scale, zero_point = qparams[id(obs)]

        def bound(key):
            v = getattr(obs, key, None)
            return [real(x) for x in v.detach().reshape(-1).tolist()] if calibrated and isinstance(v, torch.Tensor) else None

        qscheme = getattr(obs, "qscheme", None)
        out.append(
            {
                "name": prefix + n.name,
                "class": type(obs).__name__,
                "from": prefix + n.args[0].name,
                "to": [prefix + u.name for u in n.users],
                "dtype": dtype_name(getattr(obs, "dtype", None)),
                "quant_min": getattr(obs, "quant_min", None),
                "quant_max": getattr(obs, "quant_max", None),
                "qscheme": None if qscheme is None else strip("torch.", qscheme),
                "ch_axis": getattr(obs, "ch_axis", None),
                "scale": scale,
                "zero_point": zero_point,
                "min": bound("min_val"),
                "max": bound("max_val"),
                "instance": number[id(obs)],
            }
        )
    return out, histograms


def op_counts(gm):
    """Of the top graph, as the published notebook counts."""
    counts = collections.Counter()
    for n in gm.graph.nodes:
        if n.op == "call_function":
            counts[target_of(n)] += 1
        elif n.op == "call_module":
            counts[f"<module:{type(attribute(gm, n.target)).__name__}>"] += 1
    return counts


def diff_ops(counts):
    """Rows sorted by operator; null in a column that was not reached."""
    ops = sorted(set().union(*(c for c in counts.values() if c is not None)))
    return [{"op": o, **{s: None if c is None else c.get(o, 0) for s, c in counts.items()}} for o in ops]


# ---------------------------------------------------------------- one flavour


def build_quantizer(settings):
    """settings: base, per_channel, dynamic, and for the extra flavours: global (True), module_name {name: {..}},
    module_type {"module.Class": {..}}, operator_type {"aten.linear.default": {..}} with {per_channel, dynamic}.
    Base "recipe": "custom" names a function in CUSTOM_QUANTIZERS of the models file that makes the quantizer."""
    if settings["base"] == "recipe":
        return CUSTOM_QUANTIZERS[settings["custom"]]()
    mod = tao_q if settings["base"] == "torchao" else et_q

    def config(s):
        return mod.get_symmetric_quantization_config(is_per_channel=s["per_channel"], is_dynamic=s["dynamic"])

    q = mod.XNNPACKQuantizer()
    if settings.get("global", True):
        q.set_global(config(settings))
    for name, s in settings.get("module_name", {}).items():
        q.set_module_name(name, config(s))
    for name, s in settings.get("module_type", {}).items():
        owner, _, cls = name.rpartition(".")
        q.set_module_type(getattr(importlib.import_module(owner), cls), config(s))
    for name, s in settings.get("operator_type", {}).items():
        q.set_operator_type(functools.reduce(getattr, name.split("."), torch.ops), config(s))
    return q


@contextlib.contextmanager
def recorded_warnings(into):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            seen = list(dict.fromkeys(f"{w.category.__name__}: {short(w.message, 400)}" for w in caught))
            into.extend(seen)


def export(case):
    return torch.export.export(case["module"], case["inputs"], dynamic_shapes=case["dynamic_shapes"])


def load(case):
    """A fresh program from model.pt2: prepare changes sub-graphs in place, so a program is used only once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.load(case["file"])


def versions():
    return {
        "python": ".".join(map(str, sys.version_info[:2])),
        **{p: metadata.version(p).split("+")[0] for p in ("torch", "torchao", "executorch", "numpy")},
    }


def flat(outputs):
    return [o for o in pytree.tree_leaves(outputs) if isinstance(o, torch.Tensor)]


def to_arrays(prefix, batches):
    return {f"{prefix}b{b}_o{j}": o.detach().contiguous().numpy() for b, outs in enumerate(batches) for j, o in enumerate(outs)}


def run_flavour(case, flavour, settings, golden_file, arrays, scratch, more=True):
    """Without `more` neither the program in memory is compared nor anything lowered."""
    notes = {
        "doc": case["doc"],
        "case": case["name"],
        "flavour": flavour,
        "settings": settings,
        "versions": versions(),
        "calibration_batches": len(case["calib"]),
        "warnings": {"prepare": [], "calibrate": [], "convert": []},
    }
    golden = {
        "format": FORMAT,
        "version": VERSION,
        "quantizer": {"flavor": settings["base"], "per_channel": settings["per_channel"], "dynamic": settings["dynamic"]},
        "stages": {},
        "annotations": None,
        "unannotated": None,
        "sharing": None,
        "observers": None,
        "diff_ops": None,
    }
    counts = {"exported": None, "prepared": None, "converted": None}
    stage, converted, rec = "export", None, None
    try:
        gm = load(case).module(check_guards=False)
        golden["stages"]["exported"] = graph_dump(gm)
        counts["exported"] = op_counts(gm)
        stage = "prepare"
        with recorded_warnings(notes["warnings"]["prepare"]):
            q = build_quantizer(settings)
            rec = Recorder(q, gm)
            prepared = prepare_pt2e(gm, q)
        golden["stages"]["prepared"] = graph_dump(prepared)
        counts["prepared"] = op_counts(prepared)
        golden["observers"], _ = observers_dump(prepared, False)
        stage = "calibrate"
        with torch.no_grad(), recorded_warnings(notes["warnings"]["calibrate"]):
            for batch in case["calib"]:
                prepared(*batch)
        golden["observers"], notes["histograms"] = observers_dump(prepared, True)
        stage = "convert"
        with recorded_warnings(notes["warnings"]["convert"]):
            converted = convert_pt2e(prepared)
        golden["stages"]["converted"] = graph_dump(converted)
        counts["converted"] = op_counts(converted)
        stage = "run"
        with torch.no_grad():
            simulated = [flat(converted(*b)) for b in case["eval"]]
        arrays.update(to_arrays(flavour + "_", simulated))
        notes["sqnr_db"] = {"simulated_to_fp32": [sqnr(f, o) for f, o in zip(zip(*case["fp32"]), zip(*simulated))]}
        stage = None
    except Exception as e:
        golden["error"] = error_of(stage, e)
        sys.stderr.write(f"--- {flavour}: {stage}\n{traceback.format_exc()}")
        if stage == "run":
            stage = None
    if rec is not None:
        rec.put_into(golden)
    golden["diff_ops"] = diff_ops(counts)
    if more:
        notes["same_in_memory"] = same_in_memory(case, settings, golden)
    if more and converted is not None and case.get("lowered", True):
        notes["lowering"], xnn = lower_in_child(converted, case, scratch)
        if xnn is not None:
            arrays.update(to_arrays(flavour + "_xnn_", xnn))
            if "error" not in golden:
                notes["xnn_vs_simulated"] = compare_outputs(converted, simulated, xnn, case["fp32"])
                notes["sqnr_db"]["xnn_to_fp32"] = [sqnr(f, o) for f, o in zip(zip(*case["fp32"]), zip(*xnn))]
    golden["notes"] = notes
    write_golden(golden, golden_file)
    return golden


def same_in_memory(case, settings, golden):
    """Does the stack do the same with the program as exported, without saving and loading it?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = {"exported": None, "annotations": None, "prepared": None}
        try:
            gm = export(case).module(check_guards=False)
            result["exported"] = graph_dump(gm) == golden["stages"].get("exported")
            q = build_quantizer(settings)
            rec = Recorder(q, gm)
            prepared = prepare_pt2e(gm, q)
            seen = {"annotations": None, "sharing": None}
            rec.put_into(seen)
            result["annotations"] = all(seen[k] == golden[k] for k in seen if k != "unannotated")
            result["prepared"] = graph_dump(prepared) == golden["stages"].get("prepared")
        except Exception as e:
            result["error"] = f"{type(e).__name__}: {short(e, 300)}"
        return result


def sqnr(signal, other):
    """20 log10(|signal| / |signal - other|) over all elements, in dB; null if it cannot be computed."""
    a = torch.cat([t.double().reshape(-1) for t in signal])
    b = torch.cat([t.double().reshape(-1) for t in other])
    if a.shape != b.shape or not (torch.isfinite(a).all() and torch.isfinite(b).all()) or not a.any():
        return None
    noise = float((a - b).norm())
    return round(20 * math.log10(float(a.norm()) / noise), 2) if noise else {"float": "inf"}


def compare_outputs(converted, simulated, xnn, fp32):
    out_args = pytree.tree_leaves(next(iter(reversed(converted.graph.nodes))).args[0])
    rows = []
    for j, (node, first) in enumerate(zip(out_args, simulated[0])):
        scale = None
        if isinstance(node, torch.fx.Node) and target_of(node) == "quantized_decomposed.dequantize_per_tensor.default":
            scale = float(node.args[1])
        worst, differ, total = 0.0, 0, 0
        finite = [f[j][torch.isfinite(f[j].double())].double() for f in fp32]
        spread = max((float(f.max() - f.min()) for f in finite if f.numel()), default=0.0)
        for s, x in zip(simulated, xnn):
            if s[j].shape != x[j].shape:
                worst = math.inf
                continue
            d = (s[j].double() - x[j].double()).abs()
            d = torch.nan_to_num(d, nan=0.0 if torch.equal(s[j].isnan(), x[j].isnan()) else math.inf)
            total += d.numel()
            differ += int((d > 0).sum())
            worst = max(worst, float(d.max()) if d.numel() else 0.0)
        lsb = scale if scale else spread / 255 or None
        rows.append(
            {
                "output": j,
                "max_abs": real(worst),
                "lsb": lsb,
                "lsb_from": "scale" if scale else "range/255",
                "max_lsb": real(worst / lsb) if lsb else None,
                "elements": total,
                "differing": differ,
            }
        )
    return rows


# ---------------------------------------------------------------- ExecuTorch, in a child process


def lower(ep):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    return to_edge_transform_and_lower(ep, partitioner=[XnnpackPartitioner()])


def lower_child(converted, case, folder, program):
    report = {"ok": False, "stage": "export", "error": None, "delegates": None, "outside": None, "repeatable": None}
    try:
        with torch.no_grad():
            ep = program or torch.export.export(converted, case["inputs"], dynamic_shapes=case["dynamic_shapes"])
        report["stage"] = "lower"
        edge = lower(ep)
        delegates, outside = 0, collections.Counter()
        for n in edge.exported_program().graph.nodes:
            if n.op != "call_function" or n.target is operator.getitem:
                continue
            op = getattr(n.target, "_op", None)
            name = str(op) if isinstance(op, torch._ops.OpOverload) else target_of(n)
            if "executorch_call_delegate" in name:
                delegates += 1
            else:
                outside[name] += 1
        report["delegates"], report["outside"] = delegates, dict(sorted(outside.items()))
        report["stage"] = "to_executorch"
        lowered = edge.to_executorch()
        report["stage"] = "load"
        from executorch.runtime import Runtime

        runtime = Runtime.get()  # the four objects must stay alive: a method does not own its program or its data
        data = bytes(lowered.buffer)
        loaded = runtime.load_program(data)
        method = loaded.load_method("forward")
        report["stage"] = "run"
        arrays, report["repeatable"] = {}, True
        for b, batch in enumerate(case["eval"]):
            inputs = pytree.tree_leaves(batch)
            outs, again = ([o.detach().clone().contiguous().numpy() for o in flat(list(method.execute(inputs)))] for _ in range(2))
            report["repeatable"] &= all(x.tobytes() == y.tobytes() for x, y in zip(outs, again))
            arrays.update({f"b{b}_o{j}": o for j, o in enumerate(outs)})
        np.savez(os.path.join(folder, "xnn.npz"), **arrays)
        report["ok"], report["stage"] = True, None
    except BaseException as e:
        report["error"] = f"{type(e).__name__}: {short(e)}"
        traceback.print_exc()
    with open(os.path.join(folder, "report.json"), "w") as f:
        json.dump(report, f)


def lower_in_child(converted, case, scratch, program=None):
    """Lowers and runs a converted module, or a program that was exported already. Gives a report, and outputs or None."""
    folder = tempfile.mkdtemp(dir=scratch)
    log = os.path.join(folder, "log")
    status = run_in_child(lambda: lower_child(converted, case, folder, program), log, LOWERING_TIMEOUT_S)
    try:
        with open(os.path.join(folder, "report.json")) as f:
            report = json.load(f)
    except (OSError, ValueError):
        report = {"ok": False, "stage": None, "error": None, "delegates": None, "outside": None, "repeatable": None}
    if status != 0 and not report["ok"] and report["error"] is None:
        report["error"] = status if isinstance(status, str) else f"the process ended with status {status}"
    if not report["ok"]:
        with open(log, errors="replace") as f:
            lines = [short(l, 300) for l in f if re.match(r"\[\w+\.(cpp|h|cc):\d+\]", l) and "cpuinfo" not in l]
        if lines:
            report["runtime_messages"] = list(dict.fromkeys(lines))[:6]
    outputs = None
    if report["ok"]:
        with np.load(os.path.join(folder, "xnn.npz")) as z:
            outputs = [
                [torch.from_numpy(z[f"b{b}_o{j}"]) for j in range(sum(k.startswith(f"b{b}_o") for k in z.files))]
                for b in range(len(case["eval"]))
            ]
    shutil.rmtree(folder, ignore_errors=True)
    return report, outputs


def run_in_child(function, log, timeout):
    """0, an exit status, or a text that says how the child ended."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            fd = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(fd, 1)
            os.dup2(fd, 2)
            function()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    end = time.monotonic() + timeout
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return f"stopped after {timeout} s"
        time.sleep(0.02)
    if os.WIFSIGNALED(status):
        return f"crashed with {signal.Signals(os.WTERMSIG(status)).name}"
    return os.WEXITSTATUS(status)


# ---------------------------------------------------------------- one model

SCALES = (1.0, 0.5, 1.7, 0.8, 2.4, 1.2, 0.3, 3.1)
OFFSETS = (0.0, 0.25, -0.4, 0.9, -0.2, 0.1, 1.5, -1.1)


def default_batch(example, index, gen):
    """Normal data whose scale and offset change from batch to batch; every third batch has a few outliers."""

    def one(t):
        if t.dtype == torch.bool:
            return torch.rand(t.shape, generator=gen) > 0.5
        if not t.dtype.is_floating_point:
            high = int(t.max()) + 1 if t.numel() else 2
            return torch.randint(0, max(high, 2), t.shape, generator=gen).to(t.dtype)
        x = torch.randn(t.shape, generator=gen) * SCALES[index % 8] + OFFSETS[index % 8]
        if index % 3 == 2:
            x = torch.where(torch.rand(t.shape, generator=gen) < 0.01, x * 3, x)
        return x.to(t.dtype)

    return pytree.tree_map(lambda t: one(t) if isinstance(t, torch.Tensor) else t, example)


def build_case(name, function):
    seed = zlib.crc32(name.encode()) & 0xFFFF
    torch.manual_seed(seed)
    spec = function()
    if isinstance(spec, tuple):
        spec = dict(zip(("module", "inputs", "dynamic_shapes"), spec))
    case = {"dynamic_shapes": None, "dynamic": False, "n_batches": 8, "batches": None, "extra": {}, "doc": "", **spec}
    case["name"] = name
    case["seed"] = spec.get("seed", seed)
    case["module"].eval()
    make = case["batches"] or (lambda i, g: default_batch(case["inputs"], i, g))
    batches = []
    for i in range(case["n_batches"] + EVAL_BATCHES):
        batches.append(make(i, torch.Generator().manual_seed(case["seed"] * 1000 + i)))
    case["calib"], case["eval"] = batches[: case["n_batches"]], batches[case["n_batches"]:]
    case["doc"] = " ".join((case["doc"] or "").split())
    return case


def clean_stack_traces(gm):
    for m in gm.modules():
        if isinstance(m, torch.fx.GraphModule):
            for n in m.graph.nodes:
                if isinstance(n.meta.get("stack_trace"), str):
                    n.meta["stack_trace"] = clean(n.meta["stack_trace"])


def save_batches(path, batches):
    arrays = {}
    for b, batch in enumerate(batches):
        for i, t in enumerate(pytree.tree_leaves(batch)):
            if isinstance(t, torch.Tensor):
                arrays[f"b{b}_i{i}"] = t.contiguous().numpy()
    np.savez(path, **arrays)


def run_case(name, function, folder, lowered, scratch):
    case = build_case(name, function)
    case["lowered"] = lowered
    if os.path.isdir(folder):
        shutil.rmtree(folder)
    os.makedirs(folder)
    ep = export(case)
    clean_stack_traces(ep.graph_module)
    case["file"] = os.path.join(folder, "model.pt2")
    torch.export.save(ep, case["file"])
    save_batches(os.path.join(folder, "calib.npz"), case["calib"])
    save_batches(os.path.join(folder, "eval.npz"), case["eval"])
    with torch.no_grad():
        gm = load(case).module(check_guards=False)
        case["fp32"] = [flat(gm(*b)) for b in case["eval"]]
    arrays = to_arrays("fp32_", case["fp32"])
    flavours = {f: s for f, s in FLAVOURS.items() if case["dynamic"] or not s["dynamic"]}
    flavours.update(case["extra"])
    for flavour, settings in flavours.items():
        run_flavour(case, flavour, settings, os.path.join(folder, f"golden-{flavour}.json"), arrays, scratch)
    np.savez(os.path.join(folder, "eval_out.npz"), **arrays)


def load_batches(path):
    """Batches as save_batches wrote them; only flat inputs are known in a file."""
    with np.load(path) as z:
        count = 1 + max((int(k[1:].split("_i")[0]) for k in z.files), default=-1)
        return [
            tuple(torch.from_numpy(z[f"b{b}_i{i}"]) for i in range(sum(k.startswith(f"b{b}_i") for k in z.files)))
            for b in range(count)
        ]


def run_bodies(name, folder, scratch):
    """The goldens of an existing case once more, with sub-graphs, for models that have any."""
    path = {k: os.path.join(folder, k) for k in ("model.pt2", "calib.npz", "eval.npz")}
    ep = load({"file": path["model.pt2"]})
    if not bodies_of(ep.module(check_guards=False)):
        return
    case = {"name": name, "file": path["model.pt2"], "dynamic_shapes": None}
    case["calib"], case["eval"] = load_batches(path["calib.npz"]), load_batches(path["eval.npz"])
    with torch.no_grad():
        gm = ep.module(check_guards=False)
        case["fp32"] = [flat(gm(*b)) for b in case["eval"]]
    arrays = {}
    goldens = re.compile(r"golden-(.*(?<!-bodies))\.json")
    for flavour in sorted(m[1] for m in map(goldens.fullmatch, os.listdir(folder)) if m):
        with open(os.path.join(folder, f"golden-{flavour}.json"), encoding="utf-8") as f:
            notes = json.load(f)["notes"]
        case["doc"] = notes["doc"]
        file = os.path.join(folder, f"golden-{flavour}-bodies.json")
        run_flavour(case, flavour, notes["settings"], file, arrays, scratch, more=False)
    with np.load(os.path.join(folder, "eval_out.npz")) as z:
        for k, v in arrays.items():
            if v.tobytes() != z[k].tobytes():
                raise AssertionError(f"{name}: output {k} is not the recorded one")


# ---------------------------------------------------------------- files


def write_golden(golden, path):
    """One line per node, observer, annotation and group; expanded above that."""
    expand = {(): 1, ("stages",): 1, ("stages", "*"): 1, ("stages", "*", "nodes"): 1, ("stages", "*", "tensors"): 1, ("notes",): 1}
    expand.update({(k,): 1 for k in ("annotations", "sharing", "observers", "diff_ops")})

    def known(path):
        while "subgraphs" in path[2:-1]:  # as the graph it stands in
            at = path.index("subgraphs", 2)
            path = path[:at] + path[at + 2:]
        return path[2:] == ("subgraphs",) or path in expand or (len(path) >= 2 and path[0] == "stages" and ("stages", "*") + path[2:] in expand)

    def text(v, path):
        pad = " " * (len(path) + 1)
        if isinstance(v, dict) and v and known(path):
            return "{\n" + ",\n".join(f"{pad}{json.dumps(k)}: {text(x, path + (k,))}" for k, x in v.items()) + "\n" + pad[:-1] + "}"
        if isinstance(v, list) and v and known(path):
            return "[\n" + ",\n".join(pad + dump(x) for x in v) + "\n" + pad[:-1] + "]"
        return dump(v)

    def dump(v):
        return json.dumps(v, ensure_ascii=False, allow_nan=False)

    with open(path, "w", encoding="utf-8") as f:
        f.write(text(golden, ()) + "\n")


def write_index(out):
    """index.json: what each case contains and how it ended."""
    cases = []
    for name in sorted(os.listdir(out)):
        folder = os.path.join(out, name)
        files = sorted(f for f in os.listdir(folder) if f.startswith("golden-")) if os.path.isdir(folder) else []
        if not files:
            continue
        entry = {"name": name, "doc": "", "flavours": {}}
        for f in files:
            with open(os.path.join(folder, f), encoding="utf-8") as fh:
                g = json.load(fh)
            notes = g["notes"]
            entry["doc"] = notes["doc"]
            row = {s: len(g["stages"][s]["nodes"]) for s in g["stages"]}
            obs = g["observers"] or []
            row["observers"], row["instances"] = len(obs), len({o["instance"] for o in obs})
            row["unannotated"] = len(g["unannotated"] or [])
            row["error"] = f"{g['error']['stage']}: {g['error']['type']}" if "error" in g else None
            low = notes.get("lowering")
            row["lowering"] = None if low is None else "ok" if low["ok"] else f"{low['stage']} failed"
            row["repeatable"] = low and low["repeatable"]
            row["delegates"] = low and low["delegates"]
            row["outside"] = low and low["outside"]
            lsb = [r["max_lsb"] for r in notes.get("xnn_vs_simulated", []) if r["max_lsb"] is not None]
            finite = [v for v in lsb if isinstance(v, (int, float))]
            row["max_lsb"] = None if not lsb else max(finite) if len(finite) == len(lsb) else {"float": "inf"}
            entry["flavours"][notes["flavour"]] = row
        cases.append(entry)
    with open(os.path.join(out, "index.json"), "w", encoding="utf-8") as f:
        f.write('{"format": "pt2e.cases", "version": 1, "cases": [\n')
        f.write(",\n".join(json.dumps(c, ensure_ascii=False) for c in cases) + "\n]}\n")
    return cases


def report(out):
    order = list(FLAVOURS)
    with open(os.path.join(out, "index.json"), encoding="utf-8") as f:
        cases = json.load(f)["cases"]
    print("| fixture | tests | torchao | torchao-pt | executorch | others |\n| --- | --- | --- | --- | --- | --- |")

    def cell(r):
        if r is None:
            return ""
        head = f"{r.get('exported', '–')}/{r.get('prepared', '–')}/{r.get('converted', '–')} · {r['observers']}"
        if r["instances"] != r["observers"]:
            head += f" ({r['instances']})"
        if r["error"]:
            return head + " · **" + r["error"] + "**"
        if r["lowering"] != "ok":
            return head + " · **" + str(r["lowering"]) + "**"
        return head + f" · ok, {r['delegates']} d" + (f" + {sum(r['outside'].values())}" if r["outside"] else "")

    for c in cases:
        fl = c["flavours"]
        others = "<br>".join(f"{k}: {cell(v)}" for k, v in sorted(fl.items(), key=lambda kv: (order.index(kv[0]) if kv[0] in order else 99, kv[0])) if k not in order[:3])
        print(f"| {c['name']} | {c['doc']} | {cell(fl.get('torchao'))} | {cell(fl.get('torchao-pt'))} | {cell(fl.get('executorch'))} | {others} |")
    print("\n| fixture | flavour: largest difference in LSB (differing elements) |\n| --- | --- |")
    for c in cases:
        cells = []
        for flavour in c["flavours"]:
            with open(os.path.join(out, c["name"], f"golden-{flavour}.json"), encoding="utf-8") as f:
                rows = json.load(f)["notes"].get("xnn_vs_simulated", [])
            for r in rows:
                if r["differing"]:
                    lsb = r["max_lsb"]
                    txt = "inf" if isinstance(lsb, dict) else "?" if lsb is None else f"{lsb:.3g}"
                    tag = f" o{r['output']}" if len(rows) > 1 else ""
                    cells.append(f"{flavour}{tag}: {txt}{'' if r['lsb_from'] == 'scale' else '*'} ({r['differing']}/{r['elements']})")
        if cells:
            print(f"| {c['name']} | {' · '.join(cells)} |")


CUSTOM_QUANTIZERS = {}


def load_models(path):
    path = os.path.abspath(path)
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    mod = importlib.util.module_from_spec(spec)
    sys.modules[name] = mod
    spec.loader.exec_module(mod)
    CUSTOM_QUANTIZERS.update(getattr(mod, "CUSTOM_QUANTIZERS", {}))
    return mod.MODELS


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--models", metavar="FILE.py")
    ap.add_argument("--case", action="append", default=[], metavar="NAME")
    ap.add_argument("--out", metavar="DIR")
    ap.add_argument("--no-lowering", action="store_true", help="do not lower to XNNPACK and run there")
    ap.add_argument("--bodies", metavar="DIR")
    ap.add_argument("--report", metavar="DIR")
    ap.add_argument("--index", metavar="DIR")
    a = ap.parse_args()
    if a.report:
        return report(a.report)
    if a.index:
        write_index(a.index)
        return
    if a.bodies:
        import_stack()
        names = a.case or sorted(n for n in os.listdir(a.bodies) if os.path.isfile(os.path.join(a.bodies, n, "model.pt2")))
        sys.exit(run_all({n: functools.partial(run_bodies, n, os.path.join(a.bodies, n)) for n in names}))
    if not a.models or not a.out:
        ap.error("--models and --out are needed")
    import_stack()
    models = load_models(a.models)
    wanted = a.case or list(models)
    unknown = [n for n in wanted if n not in models]
    if unknown:
        ap.error("no such case: " + ", ".join(unknown))
    os.makedirs(a.out, exist_ok=True)
    if not a.no_lowering:
        warm_up()
    failed = run_all({n: functools.partial(run_case, n, models[n], os.path.join(a.out, n), not a.no_lowering) for n in wanted})
    write_index(a.out)
    sys.exit(failed)


def run_all(jobs):
    """Each job in a process of its own; 1 if one failed."""
    scratch = tempfile.mkdtemp(prefix="pt2e-ref-")
    failed = 0
    for name, job in jobs.items():
        t = time.monotonic()
        log = os.path.join(scratch, name + ".log")
        status = run_in_child(lambda: job(scratch), log, 3600)
        print(f"{name:28s} {time.monotonic() - t:6.1f} s  {'ok' if status == 0 else status}", flush=True)
        if status != 0:
            failed = 1
            with open(log, errors="replace") as f:
                sys.stderr.write("".join(f.readlines()[-30:]))
    shutil.rmtree(scratch, ignore_errors=True)
    return failed


if __name__ == "__main__":
    main()
