#!/usr/bin/env python3
"""cat_pool as torch 2.6 exports it: with source_fn_stack, in the old container. Needs torch 2.6."""
import os

import torch
import torch.nn.functional as F
from torch import nn


class cat_pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(4, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1)
        self.out = nn.Conv2d(8, 4, 1)

    def forward(self, x):
        y = torch.cat([torch.relu(self.a(x)), torch.relu(self.b(x))], 1)
        y = self.out(F.max_pool2d(y, 2))
        return y + y.mean((2, 3), keepdim=True)


torch.manual_seed(0)
x = torch.linspace(-1, 1, 2 * 4 * 8 * 8).reshape(2, 4, 8, 8)
ep = torch.export.export_for_training(cat_pool().eval(), (x,), strict=True)
for n in ep.graph.nodes:
    n.meta.pop("stack_trace", None)
    print(n.name, n.meta.get("source_fn_stack"))
torch.export.save(ep, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cat_pool_torch26.pt2"))
