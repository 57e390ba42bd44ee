#!/usr/bin/env python3
"""Programs with something in them that the reader cannot know, around layers that it does know.

custom_op.pt2 and map_body.pt2 are torch.export.save's own files; the others are edits of plain.pt2's JSON, entry by
entry of the archive. Made with torch 2.13.0.
"""
import json
import os
import re
import zipfile

import torch
import torch.nn.functional as F
from torch import nn
from torch._higher_order_ops.map import map as map_rows

HERE = os.path.dirname(os.path.abspath(__file__))


@torch.library.custom_op("workshop::wobble", mutates_args=())
def wobble(x: torch.Tensor, amount: float) -> torch.Tensor:
    return x + amount * torch.sin(x)


@wobble.register_fake
def _(x, amount):
    return torch.empty_like(x)


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = nn.Conv2d(3, 4, 3, padding=1), nn.Linear(4, 2)

    def middle(self, x):
        return torch.sigmoid(x)

    def forward(self, x):
        y = self.middle(F.relu(self.conv(x)))
        return self.fc(y.mean((2, 3)))


class CustomOp(Plain):
    def middle(self, x):
        return torch.ops.workshop.wobble(x, 0.25)


class MapBody(Plain):
    def middle(self, x):
        return map_rows(lambda row: torch.tanh(row) * 2, x)


def save(module, name):
    torch.manual_seed(3)
    program = torch.export.export(module().eval(), (torch.randn(2, 3, 6, 6),))
    for graph in [m for m in program.graph_module.modules() if isinstance(m, torch.fx.GraphModule)]:
        for node in graph.graph.nodes:
            node.meta.pop("stack_trace", None)
    torch.export.save(program, os.path.join(HERE, name))


def edit(source, name, change):
    with zipfile.ZipFile(os.path.join(HERE, source)) as old, zipfile.ZipFile(os.path.join(HERE, name), "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename.endswith("models/model.json"):
                data = json.dumps(change(json.loads(data)), separators=(",", ":")).encode()
            new.writestr(zipfile.ZipInfo(entry.filename), data)


def rename_op(old, new):
    def change(program):
        text = json.dumps(program)
        assert old in text
        return json.loads(text.replace(old, new))

    return change


def unknown_dtype(program):
    values = program["graph_module"]["graph"]["tensor_values"]
    name = next(k for k in values if re.fullmatch("sigmoid", k))
    values[name]["dtype"] = 97
    return program


if __name__ == "__main__":
    for module, name in ((Plain, "plain.pt2"), (CustomOp, "custom_op.pt2"), (MapBody, "map_body.pt2")):
        save(module, name)
    edit("plain.pt2", "unknown_op.pt2", rename_op("torch.ops.aten.sigmoid.default", "torch.ops.aten.frobnicate.default"))
    edit("plain.pt2", "unknown_dtype.pt2", unknown_dtype)
    edit("map_body.pt2", "opaque_body.pt2", rename_op("torch.ops.higher_order.map_impl", "torch.ops.higher_order.frobnicate"))
