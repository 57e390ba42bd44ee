"""Writes what torch.export makes of the built-in models, for tests/zoo.

    make_zoo.py zoo.json                       needs torch 2.13 (CPU)
    make_zoo.py zoo-torchvision.json           needs torchvision 0.28 too (any build: only its Python classes are used)

The random stream is the built-in models': manual_seed, the module's own initialisation, the example input, two batches.
Of the large models each node is recorded as its name and a digest of the record that zoo.json has.
"""
import hashlib
import io
import json
import sys

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.conv1 = nn.Conv2d(ch, ch, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(ch)
        self.conv2 = nn.Conv2d(ch, ch, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(ch)

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + x)


class CatPool(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, padding=1)
        self.b = nn.Conv2d(3, 8, 3, padding=1)
        self.out = nn.Conv2d(16, 16, 3, padding=1)

    def forward(self, x):
        y = torch.cat([torch.relu(self.a(x)), torch.relu(self.b(x))], dim=1)
        y = self.out(nn.functional.max_pool2d(y, 2))
        return y + y.mean(dim=(2, 3), keepdim=True)


class Stem(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.conv = nn.Conv2d(3, ch, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(ch)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class DecoderLayer(nn.Module):
    """Pre-norm attention and feed-forward, written out."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.proj = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x, mask=None):
        y = self.norm1(x)
        q, k, v = self.split(self.query(y)), self.split(self.key(y)), self.split(self.value(y))
        scores = torch.matmul(q, k.transpose(2, 3)) * (x.size(2) // self.heads) ** -0.5
        weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -1e9), dim=-1)
        y = torch.matmul(weights, v).transpose(1, 2).reshape(x.shape)
        x = x + self.proj(y)
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Decoder(nn.Module):
    def __init__(self, layers=2, width=64, heads=4, length=16, classes=32):
        super().__init__()
        self.position = nn.Embedding(length, width)
        self.layers = nn.ModuleList([DecoderLayer(width, heads, 2 * width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)
        self.register_buffer("steps", torch.arange(length))
        self.register_buffer("mask", torch.ones(length, length, dtype=torch.bool).triu(1))

    def forward(self, x):
        x = x + self.position(self.steps)
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.head(self.norm(x))


class EncoderLayer(DecoderLayer):
    """Called without a mask."""


class Encoder(nn.Module):
    def __init__(self, layers=4, width=256, heads=4, length=128, classes=10):
        super().__init__()
        self.position = nn.Embedding(length, width)
        self.layers = nn.ModuleList([EncoderLayer(width, heads, 4 * width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)
        self.register_buffer("steps", torch.arange(length))

    def forward(self, x):
        x = x + self.position(self.steps)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x).mean(1))


class DepthwiseSeparable(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.depthwise = nn.Conv2d(ch, ch, 3, padding=1, groups=ch, bias=False)
        self.depthwise_bn = nn.BatchNorm2d(ch)
        self.pointwise = nn.Conv2d(ch, ch, 1, bias=False)
        self.pointwise_bn = nn.BatchNorm2d(ch)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.relu(self.depthwise_bn(self.depthwise(x)))
        return self.relu(self.pointwise_bn(self.pointwise(x)))


class DsCnn(nn.Module):
    """MLPerf Tiny's keyword spotter, its modules named as in ExecuTorch's example."""

    def __init__(self, ch=64, classes=12):
        super().__init__()
        first = [nn.Conv2d(1, ch, (10, 4), stride=2, padding=(5, 1), bias=False), nn.BatchNorm2d(ch), nn.ReLU(inplace=True)]
        blocks = [DepthwiseSeparable(ch) for _ in range(4)]
        self.feature_extractor = nn.Sequential(*first, nn.Dropout(0.2), *blocks, nn.Dropout(0.4))
        self.pool = nn.AvgPool2d((24, 5))
        self.classifier = nn.Linear(ch, classes)

    def forward(self, x):
        return self.classifier(torch.flatten(self.pool(self.feature_extractor(x)), 1))


CASES = {
    "residual": ("residual", {"channels": 8, "seed": 0}, lambda: Residual(), (4, 8, 16, 16)),
    "residual 16": ("residual", {"channels": 16, "seed": 3}, lambda: Residual(16), (4, 16, 16, 16)),
    "cat_pool": ("cat_pool", {"seed": 0}, CatPool, (4, 3, 16, 16)),
    "stem": ("stem", {"seed": 0}, Stem, (4, 3, 16, 16)),
    "decoder": ("decoder", {"layers": 2, "seed": 0}, Decoder, (1, 16, 64)),
    "decoder 3": ("decoder", {"layers": 3, "seed": 7}, lambda: Decoder(3), (1, 16, 64)),
    "ds_cnn": ("ds_cnn", {"seed": 0}, DsCnn, (1, 1, 49, 10)),
    "encoder": ("encoder", {"seed": 2}, Encoder, (1, 128, 256)),
}


def digest(t):
    t = t.detach().contiguous()
    return {"shape": list(t.shape), "dtype": str(t.dtype)[6:], "sha256": hashlib.sha256(t.numpy().tobytes()).hexdigest()}


def class_path(text):
    return text.replace("__main__.", "zoo.")


def node_record(n):
    val = n.meta.get("val")
    stack = n.meta.get("nn_module_stack") if n.op == "call_function" else None
    return {
        "line": n.format_node(),
        "users": [u.name for u in n.users],
        "shape": list(val.shape) if isinstance(val, torch.Tensor) else None,
        "strides": list(val.stride()) if isinstance(val, torch.Tensor) else None,
        "dtype": str(val.dtype)[6:] if isinstance(val, torch.Tensor) else None,
        "stack": [[k, p, class_path(c)] for k, (p, c) in (stack or {}).items()],
        "torch_fn": list(n.meta.get("torch_fn", ())) if n.op == "call_function" else [],
    }


def case(name, options, make, shape):
    torch.manual_seed(options["seed"])
    module = make().eval()
    example = torch.randn(*shape)
    batches = [torch.randn(*shape) for _ in range(2)]
    # Through a file, as every other program sees it.
    buffer = io.BytesIO()
    torch.export.save(torch.export.export(module, (example,)), buffer)
    buffer.seek(0)
    gm = torch.export.load(buffer).module(check_guards=False)
    state = {**dict(gm.named_parameters()), **dict(gm.named_buffers())}
    with torch.no_grad():
        output = gm(example)
    return {
        "name": name,
        "options": options,
        "nodes": [node_record(n) for n in gm.graph.nodes],
        "tensors": {k: digest(v) for k, v in state.items()},
        "parameters": [k for k, _ in gm.named_parameters()],
        "example": digest(example),
        "batches": [digest(b) for b in batches],
        "output": digest(output),
        "sample": output.flatten()[:8].tolist(),
    }


def torchvision_models():
    # A build for another device has no C++ operators here; its fake kernels want them declared all the same.
    for name in ("nms", "qnms"):
        if not hasattr(torch.ops.torchvision, name):
            torch.library.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    from torchvision import models

    return {
        title: (name, {"seed": seed}, getattr(models, name), (1, 3, 224, 224))
        for title, name, seed in (
            ("mobilenet_v2", "mobilenet_v2", 0),
            ("resnet18", "resnet18", 0),
            ("resnet18 5", "resnet18", 5),
            ("resnet50", "resnet50", 1),
            ("squeezenet1_1", "squeezenet1_1", 0),
        )
    }


def shortened(record):
    def digest_of(node):
        text = json.dumps(node, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    record["nodes"] = [[n.split(" ", 1)[0], d] for n, d in ((n["line"], digest_of(n)) for n in record["nodes"])]
    record["tensors"] = {k: v["sha256"] for k, v in record["tensors"].items()}
    record["parameters"] = len(record["parameters"])
    return record


def main():
    torch.set_num_threads(1)
    if sys.argv[1].endswith("torchvision.json"):
        cases = {title: shortened(case(*arguments)) for title, arguments in torchvision_models().items()}
        with open(sys.argv[1], "w") as f:
            json.dump(cases, f, indent=0)
        return
    cases = {title: case(*arguments) for title, arguments in CASES.items()}
    with open(sys.argv[1], "w") as f:
        f.write("{" + ",".join(f'\n"{t}": {{' + ",".join(
            f'\n "{k}": ' + ("[" + ",".join("\n  " + json.dumps(x) for x in v) + "\n ]" if k == "nodes" else json.dumps(v))
            for k, v in c.items()) + "\n}" for t, c in cases.items()) + "\n}\n")


main()
