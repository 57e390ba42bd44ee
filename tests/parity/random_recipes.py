"""Random recipes for a recorded case: settings, rules and edits that name what its graph has."""

import random

CONFIG = {"per_channel": True, "dynamic": False, "act_qmin": -128, "act_qmax": 127, "weight_qmin": -127, "weight_qmax": 127}
WEIGHTED = ("aten.conv1d.default", "aten.conv2d.default", "aten.linear.default")


def config(rng):
    narrow = rng.random() < 0.2
    return {**CONFIG, "per_channel": rng.random() < 0.6, "act_qmin": -64 if narrow else -128, "act_qmax": 63 if narrow else 127}


def observed(rng):
    dtype, low, high = rng.choice([("int8", -128, 127), ("int8", -127, 127), ("uint8", 0, 255), ("int8", -8, 7)])
    observer = rng.choice(["HistogramObserver", "MinMaxObserver", "MovingAverageMinMaxObserver"])
    scheme = "per_tensor_affine" if dtype == "uint8" else rng.choice(["per_tensor_affine", "per_tensor_symmetric"])
    args = {"eps": 2.0**-12} if rng.random() < 0.7 else {}
    if observer == "MovingAverageMinMaxObserver" and rng.random() < 0.5:
        args["averaging_constant"] = 0.1
    if observer == "HistogramObserver" and rng.random() < 0.2:
        args["bins"] = 256
    return spec("observed", dtype, low, high, scheme, ch_axis=None, is_dynamic=False, observer=observer, observer_args=args)


def weight(rng):
    observer = rng.choice(["PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"])
    return spec("observed", "int8", -127, 127, "per_channel_symmetric", ch_axis=0, is_dynamic=False, observer=observer, observer_args={"eps": 2.0**-12})


def fixed(rng):
    if rng.random() < 0.5:
        return spec("fixed", "uint8", 0, 255, "per_tensor_affine", scale=1.0 / 256, zero_point=0)
    return spec("fixed", "int8", -128, 127, "per_tensor_affine", scale=2.0 ** rng.randint(-8, -3), zero_point=rng.choice([0, -128, 5]))


def derived(points, per_channel):
    scheme = "per_channel_symmetric" if per_channel else "per_tensor_symmetric"
    return spec("derived", "int32", -(2**31), 2**31 - 1, scheme, ch_axis=0 if per_channel else None, **{"from": points, "rule": "product_of_scales"})


def spec(kind, dtype, low, high, scheme, **more):
    return {"kind": kind, "dtype": dtype, "quant_min": low, "quant_max": high, "qscheme": scheme, **more}


# ---------------------------------------------------------------- rules


def pattern(rng, text):
    return text if rng.random() < 0.6 else text.split(".default")[0] + "*" if "." in text else text[: max(1, len(text) // 2)] + "*"


def match(rng, calls, paths):
    node = rng.choice(calls)
    wanted = {}
    if rng.random() < 0.8:
        wanted["op"] = pattern(rng, node["target"])
    if rng.random() < 0.3:
        wanted["name"] = pattern(rng, node["name"])
    if paths and rng.random() < 0.3:
        wanted["module"] = rng.choice(paths)
    if rng.random() < 0.3:
        wanted["dtype"] = rng.choice(["float32", node["dtype"] or "float32", "int64"])
    if rng.random() < 0.4:
        wanted["position"] = rng.choice(["first", "last", "all"])
    return wanted


def rule(rng, calls, paths):
    wanted = match(rng, calls, paths)
    kind = rng.choice(["skip", "share", "specs", "specs", "weights", "bias"])
    if kind == "skip":
        return {"match": wanted, "skip": True}
    if kind == "share":
        anchor = {"kind": "shared", "with": "$input0"}
        return {"match": wanted, "inputs": [observed(rng)], "other_inputs": anchor, "output": rng.choice([anchor, observed(rng)])}
    if kind == "weights":
        wanted["op"] = rng.choice(WEIGHTED)
        return {"match": wanted, "inputs": [{"kind": "default"}, weight(rng)]}
    if kind == "bias":
        wanted["op"] = rng.choice(WEIGHTED)
        bias = derived(["$input0", "$input1"], True)
        return {"match": wanted, "inputs": [observed(rng), weight(rng), bias], "output": observed(rng)}
    asked = {"match": wanted}
    if rng.random() < 0.7:
        asked["inputs"] = [rng.choice([None, {"kind": "default"}, observed(rng), fixed(rng)])]
    if "inputs" not in asked or rng.random() < 0.5:
        asked["output"] = rng.choice([None, observed(rng), fixed(rng), {"kind": "shared", "with": "$input0"}])
    if rng.random() < 0.15:
        asked["allow_implicit_sharing"] = False
    return asked


# ---------------------------------------------------------------- edits


def inputs_of(node):
    found = []

    def visit(value):
        if isinstance(value, dict) and "%" in value:
            if value["%"] not in found:
                found.append(value["%"])
        elif isinstance(value, dict):
            for v in value.values():
                visit(v)
        elif isinstance(value, list):
            for v in value:
                visit(v)

    visit(node["args"])
    visit(list(node["kwargs"].values()))
    return found


def edit(rng, calls, names):
    node = rng.choice(calls)
    inputs = inputs_of(node)
    at = node["name"] if not inputs or rng.random() < 0.4 else f"{rng.choice(inputs)}->{node['name']}"
    kind = rng.choice(["none", "observed", "observed", "fixed", "shared", "missing" if rng.random() < 0.2 else "none"])
    if kind == "missing":
        return {"at": rng.choice(["nowhere", f"nowhere->{node['name']}", f"{rng.choice(names)}->nowhere"]), "spec": None}
    if kind == "shared":
        other = rng.choice(calls)
        ends = [other["name"], *(f"{i}->{other['name']}" for i in inputs_of(other))]
        return {"at": at, "spec": {"kind": "shared", "with": rng.choice([e for e in ends if e != at] or [other["name"]])}}
    made = {"at": at, "spec": {"none": lambda: None, "observed": lambda: observed(rng), "fixed": lambda: fixed(rng)}[kind]()}
    if rng.random() < 0.1:
        made["allow_implicit_sharing"] = False
    return made


def make(seed, flavour, graph, paths):
    """`graph`: the exported stage of a case's dump; `paths`: its modules."""
    rng = random.Random(seed)
    calls = [n for n in graph["nodes"] if n["op"] == "call_function"]
    quantizer = {"flavor": flavour, "global": config(rng) if rng.random() < 0.85 else None}
    if paths and rng.random() < 0.3:
        quantizer["module_name"] = [[rng.choice(paths), config(rng)]]
    if rng.random() < 0.2:
        quantizer["module_type"] = [[rng.choice(["torch.nn.Linear", "torch.nn.modules.conv.Conv2d"]), rng.choice([config(rng), None])]]
    rules = [rule(rng, calls, paths) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    edits = [edit(rng, calls, [n["name"] for n in graph["nodes"]]) for _ in range(rng.choice([0, 1, 1, 2, 4]))]
    # One edit a point, as the program keeps them.
    edits = list({e["at"]: e for e in edits}.values())
    return {"format": "pt2e.recipe", "version": 1, "quantizer": {**quantizer, "rules": rules}, "edits": edits}
