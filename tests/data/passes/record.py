#!/usr/bin/env python3
"""Records what torchao 0.18 makes of small graphs; writes scenarios.txt beside itself.

Needs torch 2.13 and torchao 0.18. Parameters and buffers are set by a formula that the tests repeat, and every
observer gets made-up quantization parameters (instance n in prepared-graph order: scale 0.01 (n + 1), zero point n;
per channel: scale 0.01 (n + 1) (c + 1), zero point 0), so that structure and folding can be compared without running
the model.
"""
import hashlib
import os
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")
import torchao.testing.pt2e._xnnpack_quantizer as tao  # noqa: E402
from torchao.quantization.pt2e import observer as obs  # noqa: E402
from torchao.quantization.pt2e import quantizer as quant  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e  # noqa: E402

KEY = "quantization_annotation"
SCENARIOS = []


def scenario(inputs, flavour="pc", custom=None, source_fn=False):
    def register(cls):
        SCENARIOS.append((cls.__name__, cls, inputs, flavour, custom, source_fn))
        return cls

    return register


IMG, VEC = ((1, 4, 8, 8),), ((3, 6),)


def conv(cin, cout, k=3, **kw):
    return nn.Conv2d(cin, cout, k, padding=k // 2, **kw)


class Residual(nn.Module):
    def __init__(self, bias=False):
        super().__init__()
        self.conv1, self.bn1 = conv(4, 4, bias=bias), nn.BatchNorm2d(4)
        self.conv2, self.bn2 = conv(4, 4, bias=bias), nn.BatchNorm2d(4)

    def forward(self, x):
        return F.relu(self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x))))) + x)


scenario(IMG)(Residual)


@scenario(IMG)
class ResidualBias(Residual):
    def __init__(self):
        super().__init__(True)


class Linears(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.fc2 = nn.Linear(6, 5), nn.Linear(5, 4)

    def forward(self, x):
        return self.fc2(F.relu(self.fc(x)))


scenario(VEC, "pt")(Linears)


@scenario(VEC, "dyn")
class LinearsDynamic(Linears):
    pass


@scenario(IMG)
class ConvPoolConv(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = conv(4, 4), conv(4, 3)

    def forward(self, x):
        return self.b(F.max_pool2d(self.a(x), 2))


@scenario(IMG, "pt")
class PoolFlatten(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.pool, self.fc = conv(4, 4), nn.AdaptiveAvgPool2d(1), nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(torch.flatten(self.pool(self.conv(x)), 1))


class Fire(nn.Module):
    def __init__(self):
        super().__init__()
        self.s, self.a, self.b = conv(4, 3, 1), conv(3, 4, 1), conv(3, 4)

    def forward(self, x):
        y = F.relu(self.s(x))
        return F.max_pool2d(torch.cat([F.relu(self.a(y)), F.relu(self.b(y))], 1), 2)


scenario(IMG)(Fire)


@scenario(IMG, source_fn=True)
class FireOldFile(Fire):
    """as a file of torch 2.6, whose nodes name torch.cat"""


@scenario(IMG)
class TwoConsumers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = conv(4, 4)

    def forward(self, x):
        y = self.conv(x)
        return F.relu(y), torch.sigmoid(y)


@scenario(VEC)
class Scalars(nn.Module):
    def forward(self, x):
        return (x + 1.0) * 2


@scenario(VEC)
class AddSelf(nn.Module):
    def forward(self, x):
        return x + x


@scenario(IMG)
class SharedWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(4, 4, 3, 3))

    def forward(self, x):
        return F.conv2d(torch.sigmoid(F.conv2d(x, self.w, padding=1)), self.w, padding=1)


@scenario(IMG)
class TransposeRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 3, 2, stride=2)

    def forward(self, x):
        return F.relu(self.up(x))


@scenario(IMG)
class TransposeAlone(TransposeRelu):
    def forward(self, x):
        return self.up(x)


@scenario(VEC)
class Dropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.fc2, self.drop = nn.Linear(6, 5), nn.Linear(5, 4), nn.Dropout(0.5)

    def forward(self, x):
        return self.fc2(self.drop(F.relu(self.fc(x))))


@scenario(VEC)
class UnusedBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 5)
        self.register_buffer("spare", torch.zeros(2))

    def forward(self, x):
        return self.fc(x)


@scenario(IMG)
class UserOrder(nn.Module):
    def __init__(self):
        super().__init__()
        self.b, self.a = conv(4, 4), conv(4, 4)

    def forward(self, x):
        return self.a(x), self.b(x)


@scenario(VEC)
class LinearBn(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.bn1, self.b, self.bn2 = nn.Linear(6, 5, False), nn.BatchNorm1d(5), nn.Linear(5, 4), nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn2(self.b(F.relu(self.bn1(self.a(x)))))


@scenario(IMG)
class TransposeBn(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.bn = nn.ConvTranspose2d(4, 3, 2, stride=2), nn.BatchNorm2d(3, eps=1e-3)

    def forward(self, x):
        return F.relu(self.bn(self.up(x)))


@scenario(IMG)
class BnReachesOthers(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = conv(4, 4), nn.BatchNorm2d(4, affine=False)

    def forward(self, x):
        y = self.conv(x)
        return self.bn(y) + torch.sigmoid(y)


@scenario(IMG)
class BnTwiceOnOneConv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn1, self.bn2 = conv(4, 4, bias=False), nn.BatchNorm2d(4), nn.BatchNorm2d(4)

    def forward(self, x):
        return self.bn2(self.conv(F.relu(self.bn1(self.conv(x)))))


@scenario(IMG)
class RefusedConvs(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(4, 4, 3, padding="same"), nn.Conv2d(4, 4, 3, padding="same")

    def forward(self, x):
        return F.relu(self.b(torch.sigmoid(self.a(x))))


@scenario(((1, 2, 4, 4, 4),))
class Conv3d(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv3d(2, 3, 3, padding=1)

    def forward(self, x):
        return self.a(x)


@scenario(IMG)
class Guards(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("big", torch.full((1,), 1e20))
        self.register_buffer("steps", torch.zeros(8, dtype=torch.int64))

    def forward(self, x):
        return x * self.big + x * self.steps


@scenario(((5, 2, 6), (1, 2, 4)))
class GruHidden(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(6, 4)

    def forward(self, x, h):
        return self.gru(x, h)


@scenario(VEC)
class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        return F.hardtanh(F.relu(self.fc(x), inplace=True).add_(x).relu_(), 0.0, 6.0, inplace=True)


@scenario(VEC)
class PermutedWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(6, 5))

    def forward(self, x):
        return F.linear(x, self.w.t())


@scenario(VEC)
class BufferCopy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)
        self.register_buffer("last", torch.zeros(3, 6))

    def forward(self, x):
        y = self.fc(x)
        self.last.copy_(y)
        return y + self.last


# ---------------------------------------------------------------- annotations by hand


def spec(cls, low, high, scheme="per_tensor_affine", dtype=torch.int8, axis=None, **args):
    return quant.QuantizationSpec(
        dtype=dtype, observer_or_fake_quant_ctr=getattr(obs, cls).with_args(**args), quant_min=low, quant_max=high,
        qscheme=getattr(torch, scheme), ch_axis=axis)


FULL, HALF = spec("HistogramObserver", -128, 127), spec("HistogramObserver", -64, 63)


def two_ranges(note, n):
    note("sigmoid", {"x": FULL}, FULL)
    note("relu", {"x": spec("MinMaxObserver", -128, 127)}, FULL)
    note("tanh", {"x": HALF}, HALF)
    note("neg", {"sigmoid": spec("HistogramObserver", 0, 100)}, None)


def no_implicit(note, n):
    note("sigmoid", {"x": FULL}, FULL, False)
    note("relu", {"x": FULL}, FULL, False)
    note("tanh", {"x": FULL}, FULL)
    note("neg", {"sigmoid": FULL}, FULL, False)


class Ranges(nn.Module):
    def forward(self, x):
        return torch.neg(torch.sigmoid(x)), F.relu(x), torch.tanh(x)


scenario(VEC, custom=two_ranges)(Ranges)


@scenario(VEC, custom=no_implicit)
class NoImplicit(Ranges):
    pass


def shared_cat(note, n):
    shared = quant.SharedQuantizationSpec
    note("sigmoid", {"x": FULL}, FULL)
    note("tanh", {"y": FULL}, FULL)
    anchor = shared((n["sigmoid"], n["cat"]))
    note("cat", {"sigmoid": FULL, "tanh": anchor}, anchor)
    note("relu", {"cat": shared(n["cat"])}, shared(n["cat"]))


class SharedCat(nn.Module):
    def forward(self, x, y):
        return F.relu(torch.cat([torch.sigmoid(x), torch.tanh(y)], 1))


scenario(VEC + VEC, custom=shared_cat)(SharedCat)


def shared_forward(note, n):
    shared = quant.SharedQuantizationSpec
    note("sigmoid", {"x": FULL}, shared((n["sigmoid"], n["cat"])))
    note("cat", {"sigmoid": FULL, "tanh": shared((n["sigmoid"], n["cat"]))}, shared((n["sigmoid"], n["cat"])))


@scenario(VEC + VEC, custom=shared_forward)
class SharedForward(SharedCat):
    pass


def shared_missing(note, n):
    note("cat", {"sigmoid": quant.SharedQuantizationSpec(n["sigmoid"])}, None)


@scenario(VEC + VEC, custom=shared_missing)
class SharedMissing(SharedCat):
    pass


def product(observers):
    (a, _), (w, _) = observers[0].calculate_qparams(), observers[1].calculate_qparams()
    return a * w, torch.zeros_like(a * w, dtype=torch.int64)


def derived(note, n, weight, scheme, axis):
    bias = quant.DerivedQuantizationSpec(
        derived_from=[(n["x"], n["conv2d"]), (n["conv_weight"], n["conv2d"])], derive_qparams_fn=product,
        dtype=torch.int32, quant_min=-(2**31), quant_max=2**31 - 1, qscheme=scheme, ch_axis=axis)
    note("conv2d", {"x": FULL, "conv_weight": weight, "conv_bias": bias}, FULL)
    note("sigmoid", {"conv2d": FULL}, quant.FixedQParamsQuantizationSpec(
        dtype=torch.uint8, scale=1 / 256, zero_point=0, quant_min=0, quant_max=255, qscheme=torch.per_tensor_affine))


class DerivedBias(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = conv(4, 3)

    def forward(self, x):
        return torch.sigmoid(self.conv(x))


scenario(IMG, custom=lambda note, n: derived(
    note, n, spec("MinMaxObserver", -127, 127, "per_tensor_symmetric"), torch.per_tensor_symmetric, None))(DerivedBias)


@scenario(IMG, custom=lambda note, n: derived(
    note, n, spec("PerChannelMinMaxObserver", -127, 127, "per_channel_symmetric", axis=0),
    torch.per_channel_symmetric, 0))
class DerivedBiasChannel(DerivedBias):
    pass


def channel_axis(note, n):
    note("relu", {"conv2d": spec("PerChannelMinMaxObserver", 0, 255, "per_channel_affine", torch.uint8, 1)}, FULL)


@scenario(IMG, custom=channel_axis)
class ChannelAxis(nn.Module):
    """a per-channel activation: its buffers are named after the module it comes from"""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(4, 3))

    def forward(self, x):
        return F.relu(self.body(x))


class Hand(quant.Quantizer):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def annotate(self, model):
        n = {x.name: x for x in model.graph.nodes}

        def note(name, inputs, output, implicit=True):
            n[name].meta[KEY] = quant.QuantizationAnnotation(
                input_qspec_map={n[k]: v for k, v in inputs.items()}, output_qspec=output,
                allow_implicit_sharing=implicit, _annotated=True)

        self.function(note, n)
        return model

    def validate(self, model):
        pass


# ---------------------------------------------------------------- writing


def attribute(module, target):
    for part in target.split("."):
        module = getattr(module, part)
    return module


def fill(gm):
    """The formula the tests repeat: k is the place among the get_attr nodes, i the element."""
    k = 0
    for node in gm.graph.nodes:
        if node.op != "get_attr":
            continue
        t = attribute(gm, node.target)
        with torch.no_grad():
            i = torch.arange(t.numel(), dtype=torch.int64)
            if node.target.endswith("running_var"):
                t.copy_((((i * 37 + 11 * k) % 100 + 50).float() / 100).reshape(t.shape))
            elif t.is_floating_point() and node.target != "big":
                t.copy_((((i * 7919 + 131 * k) % 1000 - 300).float() / 512).reshape(t.shape))
        k += 1


def point(p):
    return f"{p[0].name}->{p[1].name}" if isinstance(p, tuple) else p.name


def short(x):
    return str(x).replace("torch.", "")


def spec_text(s):
    if s is None:
        return "none"
    if isinstance(s, quant.SharedQuantizationSpec):
        return f"shared({point(s.edge_or_node)})"
    common = f"{short(s.dtype)},{s.quant_min},{s.quant_max},{short(s.qscheme)}"
    if isinstance(s, quant.FixedQParamsQuantizationSpec):
        return f"fixed({common},{s.scale},{s.zero_point})"
    if isinstance(s, quant.DerivedQuantizationSpec):
        return f"derived({common},{s.ch_axis},{','.join(point(p) for p in s.derived_from)})"
    ctr = s.observer_or_fake_quant_ctr
    while hasattr(ctr, "p"):
        ctr = ctr.p.func
    return f"observed({common},{s.ch_axis},{s.is_dynamic},{ctr.__name__})"


def fresh_copy(gm):
    """The same graph with users in graph order, as a reader of its text builds it."""
    graph, env = torch.fx.Graph(), {}
    for node in gm.graph.nodes:
        env[node] = graph.node_copy(node, lambda n: env[n])
    return torch.fx.GraphModule(gm, graph)


def node_line(node):
    val = node.meta.get("val")
    shape = "-" if not isinstance(val, torch.Tensor) else f"{short(val.dtype)}:{','.join(str(s) for s in val.shape)}"
    stack = ";".join(f"{path}={cls}" for path, cls in (node.meta.get("nn_module_stack") or {}).values()) or "-"
    source = ";".join(f"{i}={c}" for i, c in node.meta.get("source_text", [])) or "-"
    return f"{node.name}|{shape}|{stack}|{source}"


def record(name, cls, shapes, flavour, custom, source_fn, out):
    ep = torch.export.export(cls().eval(), tuple(torch.zeros(s) for s in shapes))
    gm = fresh_copy(ep.module(check_guards=False))
    fill(gm)
    if source_fn:
        for node in gm.graph.nodes:
            if node.target is torch.ops.aten.cat.default:
                node.meta["source_fn_stack"] = [("cat", torch.cat)]
                node.meta["source_text"] = [("cat", "torch.cat")]
    kinds = {**{k: "parameter" for k, _ in gm.named_parameters()}, **{k: "buffer" for k, _ in gm.named_buffers()}}
    lines = [f"#scenario {name} {'custom' if custom else flavour}", "#exported", str(gm.graph), "#nodes"]
    lines += [node_line(n) for n in gm.graph.nodes]
    lines.append("#attributes")
    for n in gm.graph.nodes:
        if n.op == "get_attr":
            t = attribute(gm, n.target)
            lines.append(f"{n.target}|{short(t.dtype)}|{','.join(str(s) for s in t.shape)}|{kinds.get(n.target, 'constant')}")
    quantizer = Hand(custom) if custom else tao.XNNPACKQuantizer().set_global(
        tao.get_symmetric_quantization_config(is_per_channel=flavour != "pt", is_dynamic=flavour == "dyn"))
    notes = {}

    def on_validate(model, original=quantizer.validate):
        notes["annotations"] = [
            f"{n.name}|{' '.join(f'{i.name}={spec_text(s)}' for i, s in a.input_qspec_map.items()) or '-'}|"
            f"{spec_text(a.output_qspec)}|{a.allow_implicit_sharing}"
            for n in model.graph.nodes if (a := n.meta.get(KEY)) is not None]
        notes["annotated graph"] = [str(model.graph)]
        notes["folded"] = [f"{n.target}|{sha(attribute(model, n.target))}" for n in model.graph.nodes if n.op == "get_attr"]
        return original(model)

    def on_instances(model, instances):
        groups = {}
        for p, o in instances.items():
            if o is not None:
                groups.setdefault(id(o), []).append(point(p))
        notes["groups"] = [" ".join(g) for g in groups.values()]

    quantizer.validate, quantizer.prepare_obs_or_fq_callback = on_validate, on_instances
    try:
        prepared = prepare_pt2e(gm, quantizer)
        notes["prepared"] = [str(prepared.graph)]
        number = {}
        for n in prepared.graph.nodes:
            if n.op == "call_module":
                o = attribute(prepared, n.target)
                if id(o) not in number:
                    number[id(o)] = len(number)
                    stub(o, number[id(o)], n)
        converted = convert_pt2e(prepared)
        notes["converted"] = [str(converted.graph)]
        notes["frozen"] = [f"{n.target}|{sha(attribute(converted, n.target))}" for n in converted.graph.nodes if n.op == "get_attr"]
    except Exception as e:
        notes["error"] = [type(e).__name__]
    for key, value in notes.items():
        lines += ["#" + key, *value]
    out.write("\n".join(lines) + "\n")


def stub(observer, n, node):
    if isinstance(observer, (obs.FixedQParamsObserver, obs.PlaceholderObserver)) or "Derived" in type(observer).__name__:
        return
    if "PerChannel" in type(observer).__name__:
        count = node.args[0].meta["val"].shape[observer.ch_axis]
        scale = torch.tensor([0.01 * (n + 1) * (c + 1) for c in range(count)])
        observer.calculate_qparams = lambda: (scale, torch.zeros(count, dtype=torch.int64))
    else:
        observer.calculate_qparams = lambda: (torch.tensor([0.01 * (n + 1)]), torch.tensor([n], dtype=torch.int32))


def sha(t):
    return hashlib.sha256(t.detach().contiguous().numpy().tobytes()).hexdigest()


if __name__ == "__main__":
    torch.set_num_threads(1)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios.txt"), "w") as out:
        for name, cls, shapes, flavour, custom, source_fn in SCENARIOS:
            record(name, cls, shapes, flavour, custom, source_fn, out)
