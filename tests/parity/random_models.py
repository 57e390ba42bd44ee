"""Random models for live.py: build(seed) gives the same model, example inputs and batches for the same seed.

A model is a list of steps over a growing list of values. Each step is chosen among those that fit the values there
are, tried once on real tensors and replayed by forward(). The family follows the seed: seed % 4 is cnn, mlp,
attention, mix.
"""
import math
import random

import torch
import torch.nn.functional as F
from torch import nn

FAMILIES = ("cnn", "mlp", "attention", "mix")
MAX_ELEMENTS = 20000


class RandomNet(nn.Module):
    """Steps are (text, function of the earlier values, indices of its inputs)."""

    def __init__(self):
        super().__init__()
        self.steps, self.outputs, self.structure, self.keeps_inputs = [], [], "tuple", True

    def forward(self, *inputs):
        values = list(inputs) if self.keeps_inputs else [i.clone() for i in inputs]
        for _, function, places in self.steps:
            values.append(function(*(values[p] for p in places)))
        results = [values[p] for p in self.outputs]
        if self.structure == "tensor":
            return results[0]
        if self.structure == "dict":
            return {f"out{i}": r for i, r in enumerate(results)}
        return tuple(results)

    def text(self):
        lines = []
        first = self.inputs
        for i, (text, _, places) in enumerate(self.steps):
            lines.append(f"v{first + i} = {text}  [{', '.join(f'v{p}' for p in places)}]")
        if not self.keeps_inputs:
            lines.insert(0, "the inputs are cloned first")
        return "\n".join(lines + [f"return {self.structure} {['v%d' % p for p in self.outputs]}"])


class Builder:
    def __init__(self, seed):
        self.seed, self.family = seed, FAMILIES[seed % 4]
        self.rng = random.Random(seed)
        torch.manual_seed(seed)
        self.net, self.values, self.names, self.places = RandomNet(), [], {}, {}
        self.shared = []  # modules that may be called again
        self.pending = []  # modules to be registered: not always in the order of their use

    # ---- small choices

    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, p):
        return self.rng.random() < p

    # ---- modules and parameters

    def path(self, kind):
        parent = self.pick("", "", "", "block.", "block2.", "body.layers.", "Head.", "stem.conv1.")
        base = parent + self.pick(kind, kind, kind[:2], "layer", "mod", kind.capitalize())
        n = self.names.get(base, 0)
        self.names[base] = n + 1
        return base if n == 0 and self.chance(0.5) else f"{base}{'_' if self.chance(0.2) else ''}{n}"

    def module(self, kind, module):
        """Registered at once, or at the end: then its parameters come after those that are used later."""
        entry = (self.path(kind), module)
        if self.chance(0.15):
            self.pending.append(entry)
        else:
            self.register(*entry)
        module.eval()
        return module

    def owner(self, path):
        parent, (*folders, name) = self.net, path.split(".")
        for folder in folders:
            child = getattr(parent, folder, None)
            if not isinstance(child, nn.Module):
                child = nn.Module()
                parent.add_module(folder, child)
            parent = child
        while hasattr(parent, name):
            name += "x"
        return parent, name

    def register(self, path, module):
        parent, name = self.owner(path)
        parent.add_module(name, module)

    def tensor(self, kind, value, parameter):
        """A parameter or buffer: a function that reads it."""
        parent, name = self.owner(self.path(kind))
        if parameter:
            parent.register_parameter(name, nn.Parameter(value))
        else:
            parent.register_buffer(name, value, persistent=self.chance(0.8))
        return lambda: getattr(parent, name)

    # ---- steps

    def step(self, text, function, *places):
        """Adds a step if it works and stays small; gives its place, or None."""
        try:
            with torch.no_grad():
                value = function(*(self.values[p].clone() for p in places))
        except (RuntimeError, ValueError, IndexError):
            return None
        if not isinstance(value, torch.Tensor) or value.numel() == 0 or value.numel() > MAX_ELEMENTS:
            return None
        if value.dtype.is_floating_point and not torch.isfinite(value).all():
            return None
        self.net.steps.append((text, function, places))
        self.values.append(value)
        return len(self.values) - 1

    def floats(self, dim=None):
        """Places of float values, later ones more often."""
        return [i for i, v in enumerate(self.values) if v.dtype == torch.float32 and (dim is None or v.dim() == dim)]

    def some(self, dim=None):
        found = self.floats(dim)
        if not found:
            return None
        if self.chance(0.65):
            return found[-1]
        return self.rng.choice(found[-6:])

    def same_shape(self, place):
        return [i for i in self.floats() if self.values[i].shape == self.values[place].shape and i != place]

    # ---- the ops, each a method op_… that adds steps or does nothing

    def activation(self, place, names=None):
        name = names and self.pick(*names) or self.pick(
            "relu", "relu", "relu", "relu_", "relu6", "hardtanh", "hardswish", "hardsigmoid", "sigmoid", "tanh", "gelu", "silu", "leaky_relu", "elu", "clamp", "softplus", "relu_module", "abs", "neg"
        )
        functions = {
            "relu": F.relu,
            "relu_": lambda x: F.relu(x, inplace=True),
            "relu6": F.relu6,
            "hardtanh": F.hardtanh,
            "hardswish": F.hardswish,
            "hardsigmoid": F.hardsigmoid,
            "sigmoid": torch.sigmoid,
            "tanh": torch.tanh,
            "gelu": F.gelu,
            "silu": F.silu,
            "leaky_relu": lambda x: F.leaky_relu(x, 0.1),
            "elu": F.elu,
            "clamp": lambda x: torch.clamp(x, -0.5, 1.5),
            "softplus": F.softplus,
            "abs": torch.abs,
            "neg": torch.neg,
        }
        if name == "relu_module":
            module = self.module("relu", nn.ReLU(inplace=self.chance(0.3)))
            return self.step("ReLU module", module, place)
        return self.step(name, functions[name], place)

    def op_activation(self):
        place = self.some()
        return place is not None and self.activation(place)

    def norm(self, cls, features):
        bn = cls(features, affine=self.chance(0.85))
        bn.running_mean.normal_(0.0, 0.3)
        bn.running_var.uniform_(0.4, 1.6)
        if bn.affine:
            with torch.no_grad():
                bn.weight.uniform_(0.5, 1.5)
                bn.bias.normal_(0.0, 0.3)
        return self.module("bn", bn)

    def after_conv(self, place, norm_class):
        features = self.values[place].shape[1]
        if self.chance(0.45):
            place = self.step("batch norm", self.norm(norm_class, features), place) or place
        if self.chance(0.55):
            place = self.activation(place, ("relu", "relu", "relu_", "relu_module", "relu6", "hardtanh")) or place
        return place

    def op_conv(self, dim=2):
        place = self.some(dim + 2)
        if place is None:
            return None
        cin = self.values[place].shape[1]
        groups = self.pick(1, 1, 1, math.gcd(cin, 4), cin)
        cout = groups * self.rng.randint(1, max(1, 10 // groups))
        k = self.pick(1, 3, 3, 5)
        cls = {1: nn.Conv1d, 2: nn.Conv2d}[dim]
        options = dict(stride=self.pick(1, 1, 2), padding=self.pick(0, k // 2, k // 2), dilation=self.pick(1, 1, 1, 2), groups=groups, bias=self.chance(0.7))
        if self.chance(0.05):
            options.update(stride=1, padding="same")
        conv = self.module("conv", cls(cin, cout, k, **options))
        placed = self.step(f"conv{dim}d {cin}->{cout} k{k} {options}", conv, place)
        if placed is None:
            return None
        self.shared.append((conv, dim + 2, cin))
        return self.after_conv(placed, {1: nn.BatchNorm1d, 2: nn.BatchNorm2d}[dim])

    def op_conv1d(self):
        return self.op_conv(1)

    def op_conv_transpose(self):
        place = self.some(4)
        if place is None:
            return None
        cin = self.values[place].shape[1]
        groups = self.pick(1, 1, 1, math.gcd(cin, 2))
        cout = groups * self.rng.randint(1, 5)
        k = self.pick(1, 2, 3)
        options = dict(stride=self.pick(1, 2), padding=self.pick(0, 0, k // 2), groups=groups, bias=self.chance(0.7))
        conv = self.module("deconv", nn.ConvTranspose2d(cin, cout, k, **options))
        placed = self.step(f"conv_transpose2d {cin}->{cout} k{k} {options}", conv, place)
        return placed and self.after_conv(placed, nn.BatchNorm2d)

    def op_linear(self):
        place = self.some()
        if place is None or self.values[place].dim() < 2:
            return None
        fin = self.values[place].shape[-1]
        if fin > 600:
            return None
        fout = self.rng.randint(2, 16)
        linear = self.module("fc", nn.Linear(fin, fout, bias=self.chance(0.8)))
        placed = self.step(f"linear {fin}->{fout}", linear, place)
        if placed is None:
            return None
        self.shared.append((linear, None, fin))
        if self.values[placed].dim() == 2 and self.chance(0.3):
            placed = self.step("batch norm 1d", self.norm(nn.BatchNorm1d, fout), placed) or placed
        if self.chance(0.5):
            placed = self.activation(placed, ("relu", "relu", "relu_", "relu_module", "gelu", "hardtanh")) or placed
        return placed

    def op_shared(self):
        """A module that was used already, called once more."""
        if not self.shared:
            return None
        module, dim, features = self.rng.choice(self.shared)
        fitting = [i for i in self.floats(dim) if self.values[i].shape[1 if dim else -1] == features and self.values[i].dim() >= 2]
        return fitting and self.step("shared module", module, self.rng.choice(fitting))

    def op_binary(self):
        place = self.some()
        if place is None:
            return None
        others = self.same_shape(place)
        other = self.rng.choice(others) if others and self.chance(0.9) else place
        name = self.pick("add", "add", "add", "mul", "mul", "sub", "add_", "div", "maximum")
        functions = {
            "add": lambda a, b: a + b,
            "mul": lambda a, b: a * b,
            "sub": lambda a, b: a - b,
            "add_": lambda a, b: (a * 1.5).add_(b),
            "div": lambda a, b: a / (b.abs() + 1.0),
            "maximum": torch.maximum,
        }
        placed = self.step(name, functions[name], place, other)
        if placed and self.chance(0.4):
            placed = self.activation(placed, ("relu", "relu", "relu_", "relu6")) or placed
        return placed

    def op_scalar(self):
        place = self.some()
        if place is None:
            return None
        c = self.pick(2, 0.5, 1.0, 3, -0.25, 0.1)
        name = self.pick("x + c", "c + x", "x * c", "c * x", "c - x", "x / c", "x - c", "add alpha")
        functions = {
            "x + c": lambda x: x + c,
            "c + x": lambda x: c + x,
            "x * c": lambda x: x * c,
            "c * x": lambda x: c * x,
            "c - x": lambda x: c - x,
            "x / c": lambda x: x / c,
            "x - c": lambda x: x - c,
            "add alpha": lambda x: torch.add(x, x, alpha=c),
        }
        return self.step(f"{name}, c = {c}", functions[name], place)

    def op_parameter(self):
        """Adds or multiplies a parameter or buffer, broadcast or not."""
        place = self.some()
        if place is None:
            return None
        shape = list(self.values[place].shape)
        shape[0] = 1
        for i in range(1, len(shape)):
            if self.chance(0.4):
                shape[i] = 1
        while shape and len(shape) > 1 and self.chance(0.4):
            shape.pop(0)
        if self.chance(0.1):
            shape = []
        read = self.tensor(self.pick("gain", "pos", "mask", "gamma"), torch.randn(shape), self.chance(0.6))
        if self.chance(0.5):
            return self.step(f"add parameter {shape}", lambda x: x + read(), place)
        return self.step(f"mul parameter {shape}", lambda x: read() * x, place)

    def op_pool(self):
        place = self.some(4)
        if place is None:
            return None
        kind = self.pick("max", "max", "avg", "adaptive", "adaptive_module", "mean", "mean_keep", "interpolate", "adaptive_max")
        k, s = self.pick(2, 3), self.pick(1, 2)
        functions = {
            "max": lambda x: F.max_pool2d(x, k, s, padding=k // 2 if k == 3 else 0),
            "avg": lambda x: F.avg_pool2d(x, k, s),
            "adaptive": lambda x: F.adaptive_avg_pool2d(x, s),
            "adaptive_module": self.module("pool", nn.AdaptiveAvgPool2d(s)) if kind == "adaptive_module" else None,
            "mean": lambda x: x.mean([2, 3]),
            "mean_keep": lambda x: x.mean([2, 3], keepdim=True),
            "interpolate": lambda x: F.interpolate(x, scale_factor=2, mode="nearest"),
            "adaptive_max": lambda x: F.adaptive_max_pool2d(x, s),
        }
        return self.step(f"pool {kind} {k} {s}", functions[kind], place)

    def op_cat(self):
        place = self.some()
        if place is None or self.values[place].dim() < 2:
            return None
        shape = self.values[place].shape
        dim = self.rng.randrange(1, len(shape))
        fits = [i for i in self.floats(len(shape)) if all(a == b for d, (a, b) in enumerate(zip(self.values[i].shape, shape)) if d != dim)]
        n = self.pick(2, 2, 2, 3, 4)
        chosen = [place] + [self.rng.choice(fits) for _ in range(n - 1)]
        self.rng.shuffle(chosen)
        if self.chance(0.15):
            stackable = [place] + self.same_shape(place)[-2:]
            return self.step("stack", lambda *v: torch.stack(v, 1).flatten(1, 2), *stackable)
        negative = self.chance(0.3)
        return self.step(f"cat dim {dim}", lambda *v: torch.cat(v, dim - len(shape) if negative else dim), *chosen)

    def op_slice(self):
        place = self.some()
        if place is None or self.values[place].dim() < 2:
            return None
        shape = self.values[place].shape
        dim = self.rng.randrange(1, len(shape))
        n = shape[dim]
        if n < 2:
            return None
        name = self.pick("slice", "slice", "slice step", "chunk0", "chunk1", "split", "narrow", "select", "index", "unbind", "chunk add")
        half = n // 2

        def index(x, s):
            return x[(slice(None),) * dim + (s,)]

        functions = {
            "slice": lambda x: index(x, slice(0, half) if half % 2 else slice(half, n)),
            "slice step": lambda x: index(x, slice(0, n, 2)),
            "chunk0": lambda x: torch.chunk(x, 2, dim)[0],
            "chunk1": lambda x: torch.chunk(x, 2, dim)[1],
            "split": lambda x: torch.split(x, [half, n - half], dim)[1],
            "narrow": lambda x: torch.narrow(x, dim, n - half, half),
            "select": lambda x: torch.select(x, dim, half),
            "index": lambda x: torch.index_select(x, dim, torch.tensor([0, half])),
            "unbind": lambda x: torch.unbind(x, dim)[half],
            "chunk add": lambda x: (lambda c: c[0] * torch.sigmoid(c[1]))(torch.chunk(index(x, slice(0, 2 * half)), 2, dim)),
        }
        return self.step(f"{name} dim {dim}", functions[name], place)

    def op_view(self):
        place = self.some()
        if place is None or self.values[place].dim() < 2:
            return None
        shape = list(self.values[place].shape)
        d = len(shape)
        a, b = self.rng.randrange(d), self.rng.randrange(d)
        factor = next((f for f in (4, 3, 2) if shape[1] % f == 0), None)
        name = self.pick("flatten", "view", "reshape", "transpose", "permute", "unsqueeze", "squeeze", "contiguous", "expand", "pad", "dropout", "roll", "shuffle", "clone", "flip", "to")
        order = list(range(1, d))
        self.rng.shuffle(order)
        functions = {
            "flatten": lambda x: torch.flatten(x, 1),
            "view": lambda x: x.contiguous().view(shape[0], shape[1] // factor, -1) if factor else x.reshape(shape[0], -1),
            "reshape": lambda x: x.reshape(shape[0], -1, shape[-1]),
            "transpose": lambda x: x.transpose(a, b),
            "permute": lambda x: x.permute(0, *order),
            "unsqueeze": lambda x: x.unsqueeze(1),
            "squeeze": lambda x: x.unsqueeze(-1).squeeze(-1),
            "contiguous": lambda x: x.transpose(a, b).contiguous(),
            "expand": lambda x: x.unsqueeze(1).expand(-1, 2, *[-1] * (d - 1)).flatten(1, 2),
            "pad": lambda x: F.pad(x, (1, 0)),
            "dropout": self.module("drop", nn.Dropout(0.3)) if name == "dropout" else None,
            "roll": lambda x: torch.roll(x, 1, -1),
            "shuffle": lambda x: x.reshape(shape[0], factor or 1, -1, *shape[2:]).transpose(1, 2).reshape(shape),
            "clone": lambda x: x.clone(),
            "flip": lambda x: torch.flip(x, [-1]),
            "to": lambda x: x.to(torch.float32),
        }
        if shape[0] == self.values[place].shape[0] and name == "transpose" and 0 in (a, b) and self.chance(0.8):
            return None
        return self.step(name, functions[name], place)

    def op_squeeze_excite(self):
        place = self.some(4)
        if place is None:
            return None
        c = self.values[place].shape[1]
        r = max(1, c // 2)
        down = self.module("fc1", nn.Conv2d(c, r, 1))
        up = self.module("fc2", nn.Conv2d(r, c, 1))
        gate = self.pick(torch.sigmoid, F.hardsigmoid)
        s = self.step("se pool", lambda x: F.adaptive_avg_pool2d(x, 1), place)
        s = s and self.step("se down", down, s)
        s = s and self.step("se relu", F.relu, s)
        s = s and self.step("se up", up, s)
        s = s and self.step("se gate", gate, s)
        return s and self.step("se mul", lambda g, x: g * x, s, place)

    def op_residual_block(self):
        place = self.some(4)
        if place is None:
            return None
        c = self.values[place].shape[1]
        y = self.step("block conv", self.module("conv", nn.Conv2d(c, c, 3, padding=1, bias=False)), place)
        y = y and self.step("block bn", self.norm(nn.BatchNorm2d, c), y)
        y = y and self.activation(y, ("relu", "relu_", "relu6"))
        y = y and self.step("block conv", self.module("conv", nn.Conv2d(c, c, 3, padding=1, bias=False)), y)
        y = y and self.step("block bn", self.norm(nn.BatchNorm2d, c), y)
        y = y and (self.step("block add_", lambda a, b: a.add_(b), y, place) if self.chance(0.3) else self.step("block add", lambda a, b: a + b, y, place))
        return y and self.activation(y, ("relu", "relu_", "relu_module"))

    def op_layer_norm(self):
        place = self.some()
        if place is None or self.values[place].dim() < 2:
            return None
        n = self.values[place].shape[-1]
        if n < 2:
            return None
        return self.step("layer norm", self.module("ln", nn.LayerNorm(n, elementwise_affine=self.chance(0.8))), place)

    def op_softmax(self):
        place = self.some()
        return place is not None and self.step("softmax", lambda x: torch.softmax(x, -1), place)

    def op_reduce(self):
        place = self.some()
        if place is None or self.values[place].dim() < 3:
            return None
        name = self.pick("mean", "mean", "sum", "amax", "max values")
        functions = {
            "mean": lambda x: x.mean(1),
            "sum": lambda x: x.sum(-1),
            "amax": lambda x: x.amax(1),
            "max values": lambda x: x.max(1).values,
        }
        return self.step(name, functions[name], place)

    def op_matmul(self):
        place = self.some()
        if place is None or self.values[place].dim() < 2:
            return None
        name = self.pick("x @ xT", "matmul parameter", "bmm", "einsum")
        n = self.values[place].shape[-1]
        if name == "matmul parameter":
            read = self.tensor("proj", torch.randn(n, 5) / math.sqrt(n), self.chance(0.7))
            return self.step(name, lambda x: torch.matmul(x, read()), place)
        if self.values[place].dim() == 3:
            if name == "bmm":
                return self.step(name, lambda x: torch.bmm(x, x.transpose(1, 2)) / 4.0, place)
            if name == "einsum":
                return self.step(name, lambda x: torch.einsum("bij,bkj->bik", x, x) / 4.0, place)
        return self.step("x @ xT", lambda x: x @ x.transpose(-1, -2) / 4.0, place)

    def op_attention(self):
        place = self.some(3)
        if place is None:
            return None
        b, t, n = self.values[place].shape
        heads = self.pick(1, 2, 2)
        d = self.pick(4, 6) * heads
        h = self.step("pre norm", self.module("norm1", nn.LayerNorm(n)), place) if self.chance(0.5) else place
        if h is None:
            return None

        def split(x):
            return x.reshape(b, -1, heads, d // heads).transpose(1, 2)

        if self.chance(0.5):
            fused = self.step("qkv", self.module("qkv", nn.Linear(n, 3 * d, bias=self.chance(0.7))), h)
            if fused is None:
                return None
            q, k, v = (self.step(f"qkv chunk {i}", lambda x, i=i: split(x.chunk(3, -1)[i]), fused) for i in range(3))
        else:
            q, k, v = (self.step(f"{p} proj", lambda x, m=self.module(p, nn.Linear(n, d)): split(m(x)), h) for p in ("query", "key", "value"))
        if None in (q, k, v):
            return None
        kind = self.pick("explicit", "explicit", "sdpa", "sdpa causal", "masked")
        if kind == "explicit":
            y = self.step(kind, lambda q, k, v: torch.softmax(q @ k.transpose(-2, -1) * (d // heads) ** -0.5, -1) @ v, q, k, v)
        elif kind == "masked":
            read = self.tensor("mask", torch.zeros(t, t).masked_fill(torch.triu(torch.ones(t, t), 1).bool(), -1e4), False)
            y = self.step(kind, lambda q, k, v: torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(d // heads) + read(), -1) @ v, q, k, v)
        else:
            y = self.step(kind, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal="causal" in kind), q, k, v)
        y = y and self.step("merge heads", lambda x: x.transpose(1, 2).reshape(b, -1, d), y)
        y = y and self.step("out proj", self.module("out_proj", nn.Linear(d, n)), y)
        y = y and self.step("residual", lambda a, x: a + x, y, place)
        if y and self.chance(0.6):
            hidden = self.rng.randint(6, 20)
            z = self.step("norm", self.module("norm2", nn.LayerNorm(n)), y) if self.chance(0.7) else y
            z = z and self.step("mlp up", self.module("fc1", nn.Linear(n, hidden)), z)
            z = z and self.activation(z, ("gelu", "relu", "silu"))
            z = z and self.step("mlp down", self.module("fc2", nn.Linear(hidden, n)), z)
            y = z and self.step("residual", lambda a, x: a + x, y, z)
        return y

    def op_token(self):
        """A class token in front, or a positional embedding."""
        place = self.some(3)
        if place is None:
            return None
        b, t, n = self.values[place].shape
        if self.chance(0.5):
            read = self.tensor("cls_token", torch.randn(1, 1, n), True)
            return self.step("class token", lambda x: torch.cat([read().expand(b, -1, -1), x], 1), place)
        read = self.tensor("pos_embed", torch.randn(1, t, n), True)
        return self.step("positions", lambda x: x + read(), place)

    # ---- whole models

    COMMON = ("activation", "binary", "scalar", "parameter")
    RECIPES = {
        "cnn": (("conv",) * 6 + ("residual_block", "residual_block", "pool", "pool", "binary", "binary", "conv_transpose", "squeeze_excite", "shared", "cat", "linear") + COMMON),
        "mlp": (("linear",) * 6 + ("layer_norm", "softmax", "shared", "cat", "slice", "matmul") + COMMON),
        "attention": (("attention",) * 4 + ("linear", "linear", "token", "layer_norm", "slice", "matmul", "reduce", "conv1d", "view") + COMMON),
        "mix": (("cat",) * 4 + ("slice",) * 4 + ("view",) * 4 + ("conv", "conv", "conv", "linear", "linear", "conv1d", "pool", "shared", "reduce") + COMMON),
    }

    def inputs(self):
        b = self.pick(1, 2, 2, 3)
        if self.family == "cnn" or (self.family == "mix" and self.chance(0.6)):
            c, s = self.pick(1, 3, 4, 6, 8), self.pick(6, 8, 9, 12)
            made = [torch.randn(b, c, s, s)]
        elif self.family == "mlp":
            shape = (b, self.rng.randint(3, 16)) if self.chance(0.7) else (b, self.pick(3, 5), self.rng.randint(3, 12))
            made = [torch.randn(shape)]
        else:
            made = [torch.randn(b, self.pick(4, 5, 8), self.pick(6, 8, 12))]
            if self.family == "attention" and self.chance(0.3):
                made = [torch.randint(0, 20, (b, self.pick(4, 5, 8)))]
        if self.chance(0.2):
            made.append(torch.randn(made[-1].shape))
        return made

    def build(self):
        self.values = self.inputs()
        self.net.inputs = first = len(self.values)
        if not self.values[0].dtype.is_floating_point:
            n = self.pick(6, 8)
            self.step("embedding", self.module("embed", nn.Embedding(20, n)), 0)
        wanted = self.rng.randint(3, 12)
        done = tries = 0
        while done < wanted and tries < 200:
            tries += 1
            if getattr(self, "op_" + self.rng.choice(self.RECIPES[self.family]))():
                done += 1
        for path, module in self.pending:
            self.register(path, module)
        read = {p for _, _, places in self.net.steps for p in places}
        loose = [i for i in range(first, len(self.values)) if i not in read]
        outputs = loose[-self.rng.randint(1, 3):] or [len(self.values) - 1]
        if self.chance(0.15):
            outputs.append(self.rng.randrange(first, len(self.values)) if len(self.values) > first else 0)
        if self.chance(0.05):
            outputs.append(outputs[0])
        self.net.outputs = outputs
        self.net.structure = self.pick("tensor", "tuple", "dict") if len(outputs) == 1 else self.pick("tuple", "tuple", "dict")
        given = [v.clone() for v in self.values[:first]]
        with torch.no_grad():
            self.net.eval()(*given)
        # An op in place on an input would change the batches that are used again.
        self.net.keeps_inputs = all(torch.equal(a, b) for a, b in zip(given, self.values))
        return self.net


def build(seed):
    """A case for make_reference.run_flavour, without its files."""
    builder = Builder(seed)
    net = builder.build()
    inputs = tuple(v.clone() for v in builder.values[: net.inputs])
    return {"module": net, "inputs": inputs, "family": builder.family, "n_batches": builder.pick(1, 2, 3, 5, 8), "doc": f"{builder.family}, seed {seed}"}
