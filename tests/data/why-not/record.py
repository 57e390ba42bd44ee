#!/usr/bin/env python3
"""Small programs of which the quantizers leave something float without a word; writes them and unannotated.txt beside itself.

Needs torch 2.13, torchao 0.18 and executorch 1.5 (which gives ExecuTorch's quantizer). cat_pool_torch26.pt2 is made
by record_torch26.py under torch 2.6. unannotated.txt has a line per program, settings and quantizer: the call_function
nodes (without getitem) that have no valid annotation when the real quantizer is done, in graph order.
"""
import operator
import os
import warnings

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")
import torchao.testing.pt2e._xnnpack_quantizer as tao  # noqa: E402
import executorch.backends.xnnpack.quantizer.xnnpack_quantizer as et  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import prepare_pt2e  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {}


def program(*inputs, strict=False):
    def register(cls):
        PROGRAMS[cls.__name__] = (cls, inputs, strict)
        return cls

    return register


IMG = torch.linspace(-1, 1, 2 * 4 * 8 * 8).reshape(2, 4, 8, 8)
VEC = torch.linspace(-1, 1, 3 * 6).reshape(3, 6)


def conv(k=3, **kw):
    return nn.Conv2d(4, 4, k, padding=k // 2, **kw)


@program(IMG)
class cat_pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.out = conv(), conv(), nn.Conv2d(8, 4, 1)

    def forward(self, x):
        y = torch.cat([torch.relu(self.a(x)), torch.relu(self.b(x))], 1)
        y = self.out(F.max_pool2d(y, 2))
        return y + y.mean((2, 3), keepdim=True)


@program(IMG, strict=True)
class cat_pool_strict(cat_pool):
    pass


@program(IMG)
class source_partitions(nn.Module):
    def forward(self, x):
        y = torch.sigmoid(x)
        return F.adaptive_avg_pool2d(y, 2), torch.cat([y, y], 1), torch.stack([y, y])


@program(IMG)
class cascade(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = conv()

    def forward(self, x):
        y = F.max_pool2d(torch.cat([torch.relu(self.a(x)), x], 1), 2)
        y = F.hardtanh(y).permute(0, 2, 3, 1)
        return y.mean(1).view(-1), torch.flatten(y, 1)


@program(IMG)
class share_list(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = conv()

    def forward(self, x):
        y = self.a(x)
        first, second = torch.chunk(y, 2, 1)
        third, _ = torch.split(y, [1, 3], 1)
        return (y.transpose(1, 2), y.reshape(2, -1), y[:, 1:], F.relu_(y - 1), y.squeeze(), y.unsqueeze(0),
                y[:, :1].expand(2, 4, 8, 8), first, second, third, F.avg_pool2d(y, 2), F.pad(y, (1, 1)),
                torch.clamp(y, 0, 1), F.dropout(y, training=False))


@program(IMG)
class relu_filtered(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.act = conv(), nn.ReLU()

    def forward(self, x):
        return self.act(self.a(x))


@program(VEC)
class more_users(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        y = self.fc(x)
        return torch.relu(y), torch.sigmoid(y)


@program(IMG)
class clamp_behind(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = conv(), conv()

    def forward(self, x):
        return F.relu6(self.b(F.hardtanh(self.a(x), 0.0, 6.0)))


@program(IMG)
class transposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.ConvTranspose2d(4, 4, 2)
        self.b = nn.ConvTranspose2d(4, 4, 2)
        self.c = nn.ConvTranspose2d(4, 4, 2, groups=2)
        self.d = nn.ConvTranspose2d(4, 4, 2, groups=2)

    def forward(self, x):
        return self.a(x), torch.relu(self.b(x)), torch.relu(self.c(x)), self.d(x)


@program(VEC, torch.arange(18).reshape(3, 6))
class guards(nn.Module):
    def forward(self, x, n):
        return x + 3.5e16, torch.relu(x * 1e30), n + n, x * n, x.half() + x.half(), torch.add(x, 2)


@program(VEC, torch.tensor([[1, 2], [3, 4], [0, 1]]))
class no_rule(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.table, self.rnn = nn.LayerNorm(6), nn.Embedding(5, 6), nn.LSTM(6, 6)

    def forward(self, x, n):
        y = self.table(n)
        z, _ = self.rnn(y)
        a = F.scaled_dot_product_attention(z, y, y)
        return (torch.matmul(x, x.t()), torch.bmm(y, z.transpose(1, 2)), F.softmax(x, 1), self.norm(x), x - 1, x / 2,
                torch.sigmoid(x), F.silu(x), F.gelu(x), F.hardswish(x), a)


@program(IMG)
class several_outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = conv()

    def forward(self, x):
        y = self.a(x)
        left, right = torch.chunk(y, 2, 1)
        one, _, _, _ = torch.unbind(y, 1)
        top, _ = torch.max(y, 1)
        return left + right, one, top


@program(VEC)
class sub_graphs(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.head = nn.Linear(6, 6), nn.Linear(6, 2)

    def forward(self, x):
        with torch.no_grad():
            y = torch.relu(self.fc(x))
        return self.head(y)


@program(VEC)
class cond_branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 6)

    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda v: v + v, lambda v: v * v, (x,))
        return self.fc(y)


@program(VEC)
class twice(nn.Module):
    def forward(self, x):
        return torch.add(x, x), torch.mul(x, x)


@program(VEC)
class one_linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        return self.fc(x) - 1


@program(IMG)
class shared_weight(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = conv()

    def forward(self, x):
        return self.a(torch.sigmoid(self.a(x)))


def config(mod):
    return mod.get_symmetric_quantization_config(is_per_channel=True)


def default(mod):
    return mod.XNNPACKQuantizer().set_global(config(mod))


def relu_type(mod):
    """A setting of its own for nn.ReLU keeps the global one away from it."""
    return default(mod).set_module_type(nn.ReLU, config(mod))


def operators_only(mod):
    return mod.XNNPACKQuantizer().set_operator_type(torch.ops.aten.linear.default, config(mod))


def module_name(mod):
    return mod.XNNPACKQuantizer().set_module_name("a", config(mod))


SETTINGS = {"relu_filtered": (default, relu_type, module_name), "one_linear": (default, operators_only)}


def watched(quantizer, into):
    original = quantizer.annotate

    def annotate(model):
        result = original(model)
        for n in model.graph.nodes:
            if n.op != "call_function" or n.target is operator.getitem:
                continue
            a = n.meta.get("quantization_annotation")
            if a is None or not (a.input_qspec_map or a.output_qspec):
                into.append(n.name)
        return result

    quantizer.annotate = annotate
    return quantizer


def unannotated(path, settings, mod):
    names = []
    module = torch.export.load(path).module(check_guards=False)
    try:
        prepare_pt2e(module, watched(settings(mod), names))
    except Exception as e:  # what counts is what annotate did
        print(path, settings.__name__, mod.__name__, type(e).__name__)
    return names


def main():
    torch.manual_seed(0)
    lines = []
    for name, (cls, inputs, strict) in PROGRAMS.items():
        path = os.path.join(HERE, name + ".pt2")
        ep = torch.export.export(cls().eval(), inputs, strict=strict)
        for part in ep.graph_module.modules():
            for n in part.graph.nodes if hasattr(part, "graph") else ():
                n.meta.pop("stack_trace", None)
        torch.export.save(ep, path)
    for name in [*PROGRAMS, "cat_pool_torch26"]:
        for settings in SETTINGS.get(name, (default,)):
            for flavor, mod in (("torchao", tao), ("executorch", et)):
                names = unannotated(os.path.join(HERE, name + ".pt2"), settings, mod)
                lines.append("|".join([name, settings.__name__, flavor, " ".join(names)]))
    with open(os.path.join(HERE, "unannotated.txt"), "w") as f:
        f.write("\n".join(lines) + "\n")


main()
