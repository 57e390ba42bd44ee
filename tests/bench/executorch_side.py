"""ExecuTorch's half of xnnpack_speed.py: lowers a .pt2 to XNNPACK and runs it when it is told to.

    executorch_side.py MODEL.pt2 --program FOLDER [--threads N] [--values FOLDER]

Needs torch, torchao and executorch. What it lowers it writes into the folder of programs, and takes it from there the next
time.

Prints "compiled MILLISECONDS DELEGATES NODES" (the time of load_method alone; NODES are those outside of delegates), then
for each line "N" on stdin N times of one run each in ms, on one line.
"""
import argparse
import json
import operator
import sys
import time
import warnings

warnings.filterwarnings("ignore")
from pathlib import Path  # noqa: E402

import numpy  # noqa: E402
import torch  # noqa: E402
from executorch.extension.pybindings import portable_lib  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402


def lower(path):
    import torchao.quantization.pt2e.quantize_pt2e  # noqa: F401
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    program = torch.export.load(path)
    inputs = [x if not x.is_floating_point() else torch.randn(x.shape) for x in pytree.tree_leaves(program.example_inputs)]
    edge = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
    calls = [str(n.target) for n in edge.exported_program().graph.nodes
             if n.op == "call_function" and n.target is not operator.getitem]
    delegates = sum("delegate" in c for c in calls)
    return bytes(edge.to_executorch().buffer), inputs, delegates, len(calls) - delegates


def lowered(model, folder):
    """The program, its inputs, and how many delegates and other calls it has."""
    program, inputs, counts = (folder / f"{model.stem}.{e}" for e in ("pte", "inputs.npz", "json"))
    if not counts.exists():
        data, values, *numbers = lower(model)
        program.write_bytes(data)
        numpy.savez(inputs, **{f"b0_i{i}": x.numpy() for i, x in enumerate(values)})
        counts.write_text(json.dumps(numbers))
    with numpy.load(inputs) as values:
        return program.read_bytes(), [torch.from_numpy(values[f]) for f in values.files], *json.loads(counts.read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--program", type=Path, required=True, help="folder of lowered programs")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--values", help="folder for inputs.npz and theirs.npz")
    options = parser.parse_args()
    torch.manual_seed(0)
    data, inputs, delegates, outside = lowered(options.model, options.program)
    portable_lib._unsafe_reset_threadpool(options.threads)
    start = time.perf_counter()
    module = portable_lib._load_for_executorch_from_buffer(data)
    module.forward(inputs)  # the method is loaded, and the weights packed, by the first call
    compiled = 1e3 * (time.perf_counter() - start)
    if options.values:
        outputs = [o for o in pytree.tree_leaves(list(module.forward(inputs))) if isinstance(o, torch.Tensor)]
        numpy.savez(f"{options.values}/inputs.npz", **{f"b0_i{i}": x.numpy() for i, x in enumerate(inputs)})
        numpy.savez(f"{options.values}/theirs.npz", **{f"b0_o{i}": o.clone().numpy() for i, o in enumerate(outputs)})
    print(f"compiled {compiled:.3f} {delegates} {outside}", flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter()
            module.forward(inputs, clone_outputs=False)
            times.append(f"{1e3 * (time.perf_counter() - start):.4f}")
        print(" ".join(times), flush=True)


main()
