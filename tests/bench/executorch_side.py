"""ExecuTorch's half of xnnpack_speed.py: lowers a .pt2 to XNNPACK and runs it when it is told to.

    executorch_side.py MODEL.pt2 [--threads N] [--values FOLDER]        needs torch, torchao and executorch

Prints "compiled MILLISECONDS DELEGATES NODES" (the time of load_method alone; NODES are those outside of delegates), then
for each line "N" on stdin N times of one run each in ms, on one line.
"""
import argparse
import operator
import sys
import time
import warnings

warnings.filterwarnings("ignore")
import numpy  # noqa: E402
import torch  # noqa: E402
import torchao.quantization.pt2e.quantize_pt2e  # noqa: E402,F401
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner  # noqa: E402
from executorch.exir import to_edge_transform_and_lower  # noqa: E402
from executorch.extension.pybindings import portable_lib  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402


def lower(path):
    program = torch.export.load(path)
    inputs = [x if not x.is_floating_point() else torch.randn(x.shape) for x in pytree.tree_leaves(program.example_inputs)]
    edge = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
    calls = [str(n.target) for n in edge.exported_program().graph.nodes
             if n.op == "call_function" and n.target is not operator.getitem]
    delegates = sum("delegate" in c for c in calls)
    return bytes(edge.to_executorch().buffer), inputs, delegates, len(calls) - delegates


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--values", help="folder for inputs.npz and theirs.npz")
    options = parser.parse_args()
    torch.manual_seed(0)
    data, inputs, delegates, outside = lower(options.model)
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
