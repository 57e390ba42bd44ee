"""The same work in Python, for speed.py: reads a .pt2, prepares, calibrates with random batches, converts.

    python_side.py MODEL.pt2 --threads N --batches N        needs torch and torchao

Prints "time: STEP SECONDS" lines as the steps end, then one line of JSON with what was made.
"""
import time

started = time.perf_counter()
import argparse  # noqa: E402
import json  # noqa: E402
import warnings  # noqa: E402

warnings.filterwarnings("ignore")
import torch  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e  # noqa: E402
from torchao.testing.pt2e._xnnpack_quantizer import (  # noqa: E402
    XNNPACKQuantizer,
    get_symmetric_quantization_config,
)


def tell(step, since):
    now = time.perf_counter()
    print(f"time: {step} {now - since:.3f} s", flush=True)
    return now


def scales(graph):
    args = [n.args for n in graph.nodes if "quantize_per_tensor" in str(n.target)]
    return [a[1] for a in args]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batches", type=int, default=8)
    options = parser.parse_args()
    now = tell("imports", started)
    torch.set_num_threads(options.threads)
    program = torch.export.load(options.model)
    module = program.module(check_guards=False)
    now = tell("opening", now)
    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True))
    module = prepare_pt2e(module, quantizer)
    now = tell("prepared", now)
    torch.manual_seed(0)
    shapes = [tuple(x.shape) for x in program.example_inputs[0]]
    with torch.no_grad():
        for _ in range(options.batches):
            module(*(torch.randn(shape) for shape in shapes))
    now = tell("calibrated", now)
    module = convert_pt2e(module)
    tell("converted", now)
    print(json.dumps({"nodes": [n.name for n in module.graph.nodes], "scales": scales(module.graph)}))


main()
