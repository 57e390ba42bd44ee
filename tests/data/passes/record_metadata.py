#!/usr/bin/env python3
"""Records which nodes of the converted graph have a stack trace, and which, after torchao 0.18's PortNodeMetaForQDQ;
writes metadata.json: case → flavour → node → trace. Bodies of loops as "body/node".

    record_metadata.py CASES_FOLDER
"""
import json
import os
import sys
import warnings

import numpy as np
import torch

warnings.filterwarnings("ignore")
import torchao.testing.pt2e._xnnpack_quantizer as quantizer  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e  # noqa: E402

CASES = {"residual": False, "deep_chain": False, "weight_permuted": False, "conv_two_consumers": False, "add_scalar": False,
         "scan_linear": False, "mlp": True, "linear_shared_weight": True, "output_twice": False}


def traces(gm, prefix=""):
    found = {}
    for n in gm.graph.nodes:
        if n.meta.get("stack_trace"):
            found[prefix + n.name] = n.meta["stack_trace"]
        if n.op == "get_attr" and isinstance(getattr(gm, n.target, None), torch.fx.GraphModule):
            found |= traces(getattr(gm, n.target), prefix + n.target + "/")
    return found


if __name__ == "__main__":
    folder, out = sys.argv[1], {}
    for name, has_dynamic in CASES.items():
        for flavour in ("torchao", "torchao-dyn")[: 1 + has_dynamic]:
            case = os.path.join(folder, name)
            model = torch.export.load(os.path.join(case, "model.pt2")).module(check_guards=False)
            config = quantizer.get_symmetric_quantization_config(is_per_channel=True, is_dynamic=flavour.endswith("dyn"))
            model = prepare_pt2e(model, quantizer.XNNPACKQuantizer().set_global(config))
            with np.load(os.path.join(case, "calib.npz")) as z, torch.no_grad():
                model(*(torch.from_numpy(z[f"b0_i{i}"]) for i in range(sum(k.startswith("b0_") for k in z.files))))
            out.setdefault(name, {})[flavour] = traces(convert_pt2e(model))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "metadata.json"), "w") as f:
        json.dump(out, f, indent=1, sort_keys=True)
        f.write("\n")
