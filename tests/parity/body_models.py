"""Models with sub-graphs: which bodies prepare and convert go into, and what they do there.

MODELS maps a name to a function that builds the model; see make_reference.py.
"""
import re

import torch
import torch.nn.functional as F
from torch import nn
from torch._higher_order_ops import scan, while_loop

MODELS = {}


def build(cls, options):
    spec = {"module": cls(), "inputs": cls.inputs(), "doc": cls.__doc__, **options}
    if hasattr(cls, "batch"):
        spec["batches"] = cls.batch
    for m in spec["module"].modules():
        if isinstance(m, nn.BatchNorm2d):
            m.running_mean.normal_(0.0, 0.3)
            m.running_var.uniform_(0.4, 1.6)
    return spec


def case(**options):
    """Registers a module class under its snake-case name."""

    def register(cls):
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
        MODELS[name] = lambda: build(cls, options)
        return cls

    return register


@case(dynamic=True)
class ScanLinear(nn.Module):
    """scan with a linear and an add in its combine function, per-step results used by a linear outside"""

    def __init__(self):
        super().__init__()
        self.cell, self.mix, self.out = nn.Linear(6, 6), nn.Linear(6, 6, bias=False), nn.Linear(6, 3)

    def forward(self, x, h):
        def step(carry, row):
            carry = torch.tanh(self.cell(carry) + self.mix(row))
            return carry, F.relu(carry)

        last, rows = scan(step, h, x)
        return self.out(rows) + 1.5, last

    @staticmethod
    def inputs():
        return torch.randn(5, 2, 6), torch.randn(2, 6)


@case()
class CondConv(nn.Module):
    """cond with a conv in each branch, one of them with batch norm: neither branch is visited"""

    def __init__(self):
        super().__init__()
        self.first, self.a, self.b = (nn.Conv2d(3, 3, 3, padding=1) for _ in range(3))
        self.bn = nn.BatchNorm2d(3)

    def forward(self, x):
        y = F.relu(self.first(x))
        return torch.cond(x.mean() > 0, lambda t: F.relu(self.a(t)), lambda t: self.bn(self.b(t)), (y,))

    @staticmethod
    def inputs():
        return (torch.randn(1, 3, 8, 8),)


@case()
class WhileNoGrad(nn.Module):
    """while_loop over convs with a no_grad region in its body: the body is visited, the region in it is not"""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = (nn.Conv2d(4, 4, 3, padding=1) for _ in range(3))

    def forward(self, x, n):
        def go_on(i, t):
            return i.sum() > 0

        def body(i, t):
            t = F.relu(self.a(t))
            with torch.no_grad():
                t = torch.tanh(self.b(t))
            return i - torch.ones_like(i), t

        _, y = while_loop(go_on, body, (n, x))
        return self.c(y)

    @staticmethod
    def inputs():
        return torch.randn(1, 4, 6, 6), torch.full((1,), 3)

    @staticmethod
    def batch(index, generator):
        return torch.randn(1, 4, 6, 6, generator=generator) * (1 + index % 3), torch.full((1,), 1 + index % 4)


@case()
class ScanInScan(nn.Module):
    """a scan inside a scan's combine function, and a scan behind it: bodies in bodies, every one visited"""

    def __init__(self):
        super().__init__()
        self.inner, self.outer, self.last = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        def step(carry, row):
            carry = F.relu(self.inner(carry + row))
            return carry, carry * 0.5

        def around(carry, plane):
            inside, rows = scan(step, carry, plane)
            return torch.tanh(self.outer(inside + rows.mean(0))), inside.clone()

        y, _ = scan(around, h, x)

        def again(carry, row):
            carry = self.last(carry) * row
            return carry, carry.clone()

        return scan(again, y, x[0])

    @staticmethod
    def inputs():
        return torch.randn(2, 3, 2, 4), torch.randn(2, 4)


@case()
class LoopsMixed(nn.Module):
    """a while_loop before a scan: prepare visits scans first, and names and numbers start anew in every body"""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 5), nn.Linear(5, 5)

    def forward(self, x, n):
        def go_on(i, t):
            return i.sum() > 0

        def body(i, t):
            return i - torch.ones_like(i), F.relu(self.a(t)) + t

        _, y = while_loop(go_on, body, (n, x[0]))

        def step(carry, row):
            carry = torch.sigmoid(self.b(carry)) * row
            return carry, carry + 1.0

        last, rows = scan(step, x[1] * 0.5, x)
        return y + last, rows

    @staticmethod
    def inputs():
        return torch.randn(4, 2, 5), torch.full((1,), 2)


@case()
class WhileNever(nn.Module):
    """a while_loop that no calibration batch enters: its observers stay without data"""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 5), nn.Linear(5, 2)

    def forward(self, x, n):
        def go_on(i, t):
            return i.sum() > 100

        def body(i, t):
            return i - torch.ones_like(i), self.a(t)

        _, y = while_loop(go_on, body, (n, x))
        return self.b(y)

    @staticmethod
    def inputs():
        return torch.randn(2, 5), torch.full((1,), 2)


@case()
class WhileConvBn(nn.Module):
    """conv with batch norm in a while_loop's body: their parameters are inputs there, which the fold does not expect"""

    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.out = nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3), nn.Conv2d(3, 2, 1)

    def forward(self, x, n):
        def go_on(i, t):
            return i.sum() > 0

        def body(i, t):
            return i - torch.ones_like(i), self.bn(self.conv(t))

        _, y = while_loop(go_on, body, (n, x))
        return self.out(y)

    @staticmethod
    def inputs():
        return torch.randn(1, 3, 6, 6), torch.full((1,), 2)


@case()
class ScanConstant(nn.Module):
    """a tensor constant and a dead op in a combine function; a fan-out there, so that dq is duplicated"""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        def step(carry, row):
            unused = torch.exp(row)  # noqa: F841
            mixed = carry + row
            left, right = self.a(mixed), self.b(mixed)
            return left * 0.25 + right, mixed.clone()

        return scan(step, h, x)

    @staticmethod
    def inputs():
        return torch.randn(3, 2, 4), torch.randn(2, 4)
