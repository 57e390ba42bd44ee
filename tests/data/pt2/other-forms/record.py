#!/usr/bin/env python3
"""Programs that are not plain float32 ones: converted, with fake quantization, in half and in bfloat16.

Needs torch 2.13 and torchao 0.18, one thread, AVX2 kernels. Each NAME.pt2 has its example input, NAME.npz what came
out of it (b0_o0), NAME.txt the printed graph of ep.module(check_guards=False). half-int8.npz and bfloat16-int8.npz
are the outputs of half.pt2 and bfloat16.pt2 after prepare, calibration with the example input, and convert.
"""
import os
import warnings

import numpy as np
import torch
from torch import nn

warnings.filterwarnings("ignore")
import torchao.testing.pt2e._xnnpack_quantizer as tao  # noqa: E402
import torchao.quantization.pt2e.quantizer.x86_inductor_quantizer as x86  # noqa: E402
from torchao.quantization.pt2e import allow_exported_model_train_eval  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import (  # noqa: E402
    convert_pt2e,
    prepare_pt2e,
    prepare_qat_pt2e,
)

HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(0)
torch.set_num_threads(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.fc = nn.Linear(4, 5)

    def forward(self, x):
        y = torch.relu(self.conv(x))
        y = y + y.mean((2, 3), keepdim=True)
        return self.fc(y.mean((2, 3)))


class FakeQuantNet(nn.Module):
    """Fake quantization called by hand, as a model trained in eager mode has it."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        x = torch.fake_quantize_per_tensor_affine(x, 0.02, 3, -128, 127)
        w = torch.fake_quantize_per_channel_affine(
            self.fc.weight, torch.full((4,), 0.01), torch.zeros(4, dtype=torch.int32), 0, -127, 127
        )
        return torch.fake_quantize_per_tensor_affine(nn.functional.linear(x, w, self.fc.bias), 0.05, 0, -128, 127)


IMG = (torch.randn(2, 3, 8, 8),)


def exported(module, inputs):
    return torch.export.export(module, inputs)


def save(name, ep, inputs):
    for n in ep.graph.nodes:
        n.meta.pop("stack_trace", None)
    path = os.path.join(HERE, name + ".pt2")
    torch.export.save(ep, path)
    module = torch.export.load(path).module(check_guards=False)
    with open(os.path.join(HERE, name + ".txt"), "w") as f:
        f.write(str(module.graph) + "\n")
    record(name, module, inputs)


def record(name, module, inputs):
    out = module(*inputs)
    if out.dtype == torch.bfloat16:
        out = out.float()  # numpy has no bfloat16
    np.savez(os.path.join(HERE, name + ".npz"), b0_o0=out.detach().numpy())


def config(is_qat=False):
    return tao.get_symmetric_quantization_config(is_per_channel=True, is_qat=is_qat)


def xnnpack(is_qat=False):
    return tao.XNNPACKQuantizer().set_global(config(is_qat))


def ptq(module, inputs, quantizer):
    prepared = prepare_pt2e(exported(module, inputs).module(), quantizer)
    prepared(*inputs)
    return convert_pt2e(prepared)


def qat(inputs):
    prepared = prepare_qat_pt2e(exported(Net(), inputs).module(), xnnpack(True))
    allow_exported_model_train_eval(prepared)
    for _ in range(3):
        prepared(*inputs)
    prepared.eval()
    prepared.apply(torch.ao.quantization.disable_observer)
    return prepared


def main():
    net = Net().eval()
    save("torchao-int8", exported(ptq(net, IMG, xnnpack()), IMG), IMG)
    inductor = x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config())
    save("x86-uint8", exported(ptq(net, IMG, inductor), IMG), IMG)
    prepared = qat(IMG)
    save("qat-fake", exported(prepared, IMG), IMG)
    save("qat-int8", exported(convert_pt2e(prepared), IMG), IMG)
    vec = (torch.randn(3, 6),)
    save("eager-fake", exported(FakeQuantNet().eval(), vec), vec)
    for name, dtype in (("half", torch.half), ("bfloat16", torch.bfloat16)):
        module, inputs = Net().eval().to(dtype), (IMG[0].to(dtype),)
        save(name, exported(module, inputs), inputs)
        loaded = torch.export.load(os.path.join(HERE, name + ".pt2")).module(check_guards=False)
        prepared = prepare_pt2e(loaded, xnnpack())
        prepared(*inputs)
        record(name + "-int8", convert_pt2e(prepared), inputs)


main()
