#!/usr/bin/env python3
"""Records what torchao 0.18's observers make of edge cases: nothing, nothing in it, zeros, one value, infinities, NaN;
writes edges.txt.

A line: those of record.py, and what happened: "ok", "observe <batch>: <exception>" or "qparams: <exception>". Where
something was raised there are no numbers. Fixed, derived and placeholder observers: kind|arguments|outcome|scale|zero
points|zero point dtype.
"""
import os

import torch
from record import A, EPS, batch, obs

EDGES = {
    "never": [],
    "empty": ["0,1,0,1,0,1"],
    "empty, then data": ["0,1,0,1,0,1", A],
    "data, then empty": [A, "0,1,0,1,0,1"],
    "zeros": ["64,0,0,1,0,1"],
    "zeros, then data": ["64,0,0,1,0,1", A],
    "constant": ["64,0,0,1,-5,2"],
    "negative constant": ["64,0,0,1,5,2"],
    "constant, then another": ["64,0,0,1,-5,2", "64,0,0,1,-7,2"],
    "one element": ["1,0,0,1,-3,1"],
    "tiny": ["64,1,0,64,32,1000000000"],
    "huge": ["64,1,0,64,32,1:3e38,-3e38"],
    "inf": [A + ":inf"],
    "-inf": [A + ":-inf"],
    "both inf": [A + ":inf,-inf"],
    "only inf": ["0,1,0,1,0,1:inf,inf"],
    "only -inf": ["0,1,0,1,0,1:-inf,-inf"],
    "only both inf": ["0,1,0,1,0,1:inf,-inf"],
    "only inf, then data": ["0,1,0,1,0,1:inf,-inf", A],
    "data, then inf": [A, A + ":-inf"],
    "NaN": [A + ":nan"],
    "only NaN": ["0,1,0,1,0,1:nan,nan"],
    "NaN, then data": [A + ":nan", A],
    "data, then NaN": [A, A + ":nan"],
    "NaN and inf": [A + ":nan,inf"],
}
SCHEMES = (("int8", -128, 127, "affine"), ("int8", -127, 127, "symmetric"), ("uint8", None, None, "affine"),
           ("uint8", None, None, "symmetric"))
KINDS = ("MinMaxObserver", "MovingAverageMinMaxObserver", "HistogramObserver", "PerChannelMinMaxObserver",
         "MovingAveragePerChannelMinMaxObserver")


def per_channel(text):
    """The same numbers as rows of four, so that an edge stands in one channel of many (its last)."""
    body, _, tail = text.partition(":")
    values = int(body.split(",")[0]) + (len(tail.split(",")) if tail else 0)
    rows, rest = divmod(values, 4)
    if rest or (rows != 16 and values):
        n = 64 - (len(tail.split(",")) if tail else 0)
        body = ",".join([str(n)] + body.split(",")[1:])
        rows = 16
    return ",".join(body.split(",")[:6] + [f"{rows}x4"]) + (":" + tail if tail else "")


def reals(t):
    return ",".join(repr(v) for v in t.reshape(-1).tolist())


def line(kind, dtype, low, high, scheme, batches, out):
    extra = {"ch_axis": 0} if "PerChannel" in kind else {}
    args = {"dtype": getattr(torch, dtype), "qscheme": getattr(torch, scheme), "eps": EPS, **extra}
    if low is not None:
        args |= {"quant_min": low, "quant_max": high}
    o = getattr(obs, kind)(**args)
    outcome, numbers = "ok", [""] * 5
    for i, text in enumerate(batches):
        try:
            o(batch(text))
        except Exception as e:
            outcome = f"observe {i}: {type(e).__name__}"
            break
    if outcome == "ok":
        try:
            scale, zero = o.calculate_qparams()
            numbers = [reals(o.min_val), reals(o.max_val), reals(scale), ",".join(str(v) for v in zero.tolist()),
                       str(zero.dtype).replace("torch.", "")]
        except Exception as e:
            outcome = f"qparams: {type(e).__name__}"
    fields = [kind, dtype, low, high, scheme, EPS, ",".join(f"{k}={v}" for k, v in extra.items()), " ".join(batches),
              *numbers, outcome]
    out.write("|".join("" if v is None else str(v) for v in fields) + "\n")


def others(out):
    def write(kind, arguments, o, observed=()):
        for text in observed:
            o(batch(text))
        try:
            scale, zero = o.calculate_qparams()
            numbers = [reals(scale), ",".join(str(v) for v in zero.reshape(-1).tolist()), str(zero.dtype).replace("torch.", "")]
            out.write("|".join([kind, arguments, "ok", *numbers]) + "\n")
        except Exception as e:
            out.write("|".join([kind, arguments, f"qparams: {type(e).__name__}", "", "", ""]) + "\n")

    for observed in ((), (A,), (A + ":nan",)):
        for scale, zero in ((1 / 256, -128), (0.1, 0), (3e-39, 7)):
            write("FixedQParamsObserver", f"{scale!r},{zero}", obs.FixedQParamsObserver(
                scale=scale, zero_point=zero, dtype=torch.int8, quant_min=-128, quant_max=127), observed)
    write("PlaceholderObserver", "", obs.PlaceholderObserver(dtype=torch.int8, eps=EPS, is_dynamic=True))


if __name__ == "__main__":
    torch.set_num_threads(1)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "edges.txt"), "w") as out:
        for kind in KINDS:
            for dtype, low, high, scheme in SCHEMES:
                scope = "per_channel_" if "PerChannel" in kind else "per_tensor_"
                for batches in EDGES.values():
                    if "PerChannel" in kind:
                        batches = [per_channel(b) for b in batches]
                    line(kind, dtype, low, high, scope + scheme, batches, out)
        others(out)
