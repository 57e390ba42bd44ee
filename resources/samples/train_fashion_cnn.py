#!/usr/bin/env python3
"""Trains the small CNN that comes with the program and writes fashion_cnn.pt2.

    python train_fashion_cnn.py [--data FOLDER] [--epochs N] [--output FILE.pt2]

It needs torch 2.13 and Debian's dataset-fashion-mnist (60,000 training and 10,000 test images of 28x28 pixels in ten
classes). Pixels go in as value / 255, nothing else. The network has what makes quantizing interesting: batch norms that
are folded, a residual, and a concatenation of branches with different ranges. The batch size is left open.
"""

import argparse
import gzip
import pathlib
import re

import numpy
import torch
from torch import nn
from torch.nn import functional


def read_idx(path):
    with gzip.open(path) as file:
        content = file.read()
    rank = content[3]
    shape = numpy.frombuffer(content, ">i4", rank, 4)
    return numpy.frombuffer(content, "u1", offset=4 + 4 * rank).reshape(shape)


def load(folder, part):
    images = torch.from_numpy(read_idx(folder / f"{part}-images-idx3-ubyte.gz").copy())
    labels = torch.from_numpy(read_idx(folder / f"{part}-labels-idx1-ubyte.gz").astype("i8"))
    return images.unsqueeze(1).float().div(255), labels


class ConvNorm(nn.Module):
    def __init__(self, inputs, outputs, kernel=3, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return self.norm(self.conv(x))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = ConvNorm(channels, channels)
        self.second = ConvNorm(channels, channels)

    def forward(self, x):
        y = functional.relu(self.first(x))
        return functional.relu(self.second(y) + x)


class Branches(nn.Module):
    """The same input seen through a 1x1 and a 3x3 convolution and through pooling, side by side."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.narrow = ConvNorm(inputs, outputs, 1)
        self.wide = ConvNorm(inputs, outputs, 3)

    def forward(self, x):
        pooled = functional.max_pool2d(x, 3, 1, 1)
        return torch.cat([functional.relu(self.narrow(x)), functional.relu(self.wide(x)), pooled], 1)


class FashionCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = ConvNorm(1, 16)
        self.residual = Residual(16)
        self.down = ConvNorm(16, 32, 3, 2)
        self.branches = Branches(32, 24)
        self.mix = ConvNorm(80, 64)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.stem(x)), 2)
        x = self.residual(x)
        x = functional.relu(self.down(x))
        x = self.branches(x)
        x = functional.relu(self.mix(x))
        x = functional.adaptive_avg_pool2d(x, 1)
        return self.head(torch.flatten(x, 1))


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        right = sum(
            (model(images[i : i + 500]).argmax(1) == labels[i : i + 500]).sum().item()
            for i in range(0, len(images), 500)
        )
    return right / len(images)


def shifted(batch):
    """Each image mirrored with probability a half, the batch moved by up to two pixels."""
    mirrored = torch.rand(len(batch)) < 0.5
    batch = torch.where(mirrored[:, None, None, None], batch.flip(3), batch)
    down, right = torch.randint(-2, 3, (2,)).tolist()
    return torch.roll(functional.pad(batch, (2, 2, 2, 2)), (down, right), (2, 3))[:, :, 2:-2, 2:-2]


def train(model, images, labels, epochs, batch_size=128):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=5e-3)
    steps = epochs * (len(images) // batch_size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=6e-3, total_steps=steps)
    for epoch in range(epochs):
        model.train()
        order = torch.randperm(len(images))
        total = 0.0
        for i in range(0, len(images) - batch_size + 1, batch_size):
            chosen = order[i : i + batch_size]
            loss = functional.cross_entropy(
                model(shifted(images[chosen])), labels[chosen], label_smoothing=0.05
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / (len(images) // batch_size):.4f}", flush=True)


def export(model, path):
    model.eval()
    torch.manual_seed(0)
    batch = torch.export.Dim("batch", min=1, max=65536)
    example = (torch.rand(4, 1, 28, 28),)  # noise: the file holds no picture of the data set
    program = torch.export.export(model, example, dynamic_shapes=({0: batch},))
    for node in program.graph.nodes:
        # Where the lines stand on the machine that trained is nobody's business; their names and numbers are of use.
        if "stack_trace" in node.meta:
            node.meta["stack_trace"] = re.sub(r'File "[^"]*/', 'File "', node.meta["stack_trace"])
    torch.export.save(program, path)


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default="/usr/share/datasets/fashion-mnist")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--output", type=pathlib.Path, default=here / "fashion_cnn.pt2")
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = FashionCnn().to(memory_format=torch.channels_last)
    train(model, *load(options.data, "train"), options.epochs)
    model = model.to(memory_format=torch.contiguous_format)
    print(f"test accuracy {accuracy(model, *load(options.data, 't10k')):.4f}")
    export(model, options.output)


if __name__ == "__main__":
    main()
