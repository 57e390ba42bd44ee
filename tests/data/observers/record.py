#!/usr/bin/env python3
"""Records torchao 0.18's observers on numbers that the tests make by the same formula; writes recorded.txt.

A line: kind|dtype|qmin|qmax|qscheme|eps|extra|batches|min|max|scale|zero points|zero point dtype|histogram sha256
A batch: n,mul,add,mod,off,den[,shape][:tail] with element i = ((i * mul + add) % mod - off) / den as float32; the tail
lists values that are appended.
"""
import hashlib
import os
import random
import warnings

import torch

warnings.filterwarnings("ignore")
from torchao.quantization.pt2e import observer as obs  # noqa: E402


def batch(text):
    body, _, tail = text.partition(":")
    fields = body.split(",")
    n, mul, add, mod, off, den = (int(v) for v in fields[:6])
    x = (((torch.arange(n, dtype=torch.int64) * mul + add) % mod - off).double() / den).float()
    if tail:
        x = torch.cat([x, torch.tensor([float(v) for v in tail.split(",")])])
    if len(fields) > 6:
        x = x.reshape([int(v) for v in fields[6].split("x")])
    return x


def line(kind, dtype, qmin, qmax, scheme, eps, batches, out, **extra):
    args = {"dtype": getattr(torch, dtype), "qscheme": getattr(torch, scheme), **extra}
    if qmin is not None:
        args |= {"quant_min": qmin, "quant_max": qmax}
    if eps:
        args["eps"] = eps
    o = getattr(obs, kind)(**args)
    for text in batches:
        o(batch(text))
    scale, zero = o.calculate_qparams()

    def reals(t):
        return ",".join(repr(v) for v in t.reshape(-1).tolist())

    h = getattr(o, "histogram", None)
    sha = "-" if h is None else hashlib.sha256(h.numpy().tobytes()).hexdigest()
    fields = [kind, dtype, qmin, qmax, scheme, eps, ",".join(f"{k}={v}" for k, v in extra.items()), " ".join(batches),
              reals(o.min_val), reals(o.max_val), reals(scale), ",".join(str(v) for v in zero.tolist()),
              str(zero.dtype).replace("torch.", ""), sha]
    out.write("|".join("" if v is None else str(v) for v in fields) + "\n")


def random_batches(r):
    den = r.choice([1, 7, 16, 64, 100, 128, 512, 10000])
    made = []
    for _ in range(r.randint(1, 6)):
        mod = r.randint(2, 3000)
        made.append(f"{r.choice([1, 17, 250, 1000, 4096])},{r.randint(1, 9999)},{r.randint(0, 99)},{mod},"
                    f"{r.randint(-200, mod)},{den * r.choice([1, 1, 2, 3])}")
    return made


EPS = 2**-12
A = "1000,7919,0,1000,300,128"
D = ["512,37,5,211,17,16", "512,41,7,307,150,16", "512,43,9,401,390,16"]
W = "24,7919,0,1000,300,128,2x3x2x2"

if __name__ == "__main__":
    torch.set_num_threads(1)
    r = random.Random(7)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded.txt"), "w") as out:
        for _ in range(120):
            line("HistogramObserver", "int8", -128, 127, "per_tensor_affine", EPS, random_batches(r), out)
        for dtype, low, high, scheme in (("uint8", 0, 127, "per_tensor_symmetric"), ("int8", -8, 7, "per_tensor_symmetric"),
                                         ("uint8", None, None, "per_tensor_affine"), ("int8", None, None, "per_tensor_affine")):
            for _ in range(5):
                line("HistogramObserver", dtype, low, high, scheme, None, random_batches(r), out)
        for special in ([A + ":inf,-inf"], [A, A + ":inf"], ["64,0,0,1,0,1"], ["64,0,0,1,-5,2"], ["64,0,0,1,-5,2", A],
                        ["64,0,0,1,0,1", "64,0,0,1,0,1", A], ["4000,7919,0,1000,500,512:40,-25"], [],
                        ["0,1,0,1,0,1"], ["0,1,0,1,0,1", A], ["1,0,0,1,-3,1"], [A + ":1e30"], [A + ":1e-30,1e20"]):
            line("HistogramObserver", "int8", -128, 127, "per_tensor_affine", EPS, special, out)
        for kind in ("MinMaxObserver", "MovingAverageMinMaxObserver"):
            for dtype, low, high, scheme in (("int8", -127, 127, "per_tensor_symmetric"), ("uint8", None, None, "per_tensor_affine"),
                                             ("uint8", None, None, "per_tensor_symmetric"), ("uint8", 0, 127, "per_tensor_symmetric"),
                                             ("int16", None, None, "per_tensor_affine"), ("int32", None, None, "per_tensor_symmetric"),
                                             ("uint16", None, None, "per_tensor_symmetric"), ("int8", -100, 90, "per_tensor_affine")):
                for _ in range(4):
                    line(kind, dtype, low, high, scheme, r.choice([None, EPS]), random_batches(r), out)
            line(kind, "int8", -128, 127, "per_tensor_affine", EPS, [A + ":inf"], out)
            line(kind, "int8", -128, 127, "per_tensor_affine", EPS, [A + ":-inf"], out)
            line(kind, "int8", -128, 127, "per_tensor_affine", EPS, [], out)
        line("MovingAverageMinMaxObserver", "int8", -128, 127, "per_tensor_affine", None, D, out)
        line("MovingAverageMinMaxObserver", "int8", -128, 127, "per_tensor_affine", None, D, out, averaging_constant=0.1)
        line("MinMaxObserver", "int8", -128, 127, "per_tensor_affine", None, D, out, reduce_range=True)
        line("MinMaxObserver", "int8", None, None, "per_tensor_affine", None, D, out, reduce_range=True)
        for kind in ("PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"):
            for axis in range(4):
                line(kind, "int8", -127, 127, "per_channel_symmetric", EPS, [W, W.replace("300", "111")], out, ch_axis=axis)
                line(kind, "uint8", 0, 255, "per_channel_affine", None, [W], out, ch_axis=axis)
            line(kind, "int8", -127, 127, "per_channel_symmetric", EPS, [], out, ch_axis=0)
