"""Hand-written quantizers, written with torchao's documented classes, that recipes with rules must equal.

MODELS and CUSTOM_QUANTIZERS; see make_reference.py.
"""
import torch
from torch import nn

CUSTOM_QUANTIZERS = {}


def quantizer(make):
    CUSTOM_QUANTIZERS[make.__name__] = make
    return make


def settings(name):
    return {"base": "recipe", "per_channel": True, "dynamic": False, "custom": name}


def quantizers():
    import torchao.quantization.pt2e.quantizer as t
    from torchao.quantization.pt2e import observer as o
    from torchao.testing.pt2e._xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config

    def activation():
        return t.QuantizationSpec(
            dtype=torch.int8,
            observer_or_fake_quant_ctr=o.HistogramObserver.with_args(eps=2**-12),
            quant_min=-128,
            quant_max=127,
            qscheme=torch.per_tensor_affine,
        )

    def power_of_two(exponent, zero_point=0):
        return t.FixedQParamsQuantizationSpec(
            dtype=torch.int8, scale=2.0**exponent, zero_point=zero_point, quant_min=-128, quant_max=127, qscheme=torch.per_tensor_symmetric
        )

    class Base(XNNPACKQuantizer):
        """torchao's quantizer, and what a subclass makes of each call."""

        def __init__(self):
            super().__init__()
            self.set_global(get_symmetric_quantization_config(is_per_channel=True))

        def annotate(self, model):
            super().annotate(model)
            for node in model.graph.nodes:
                if node.op == "call_function":
                    self.more(node, node.meta.get("quantization_annotation"))
            return model

    return t, o, activation, power_of_two, Base


@quantizer
def int32_bias():
    """the bias of every convolution and linear as int32 with scale = input scale * weight scale"""
    t, _, activation, _, Base = quantizers()

    def product(observers):
        (a, _), (w, _) = (each.calculate_qparams() for each in observers)
        return a * w, torch.zeros_like(a * w, dtype=torch.int64)

    class Quantizer(Base):
        def more(self, node, annotation):
            if node.target in (torch.ops.aten.conv2d.default, torch.ops.aten.linear.default):
                x, weight, bias = node.args[:3]
                annotation.input_qspec_map[bias] = t.DerivedQuantizationSpec(
                    derived_from=[(x, node), (weight, node)],
                    derive_qparams_fn=product,
                    dtype=torch.int32,
                    quant_min=-(2**31),
                    quant_max=2**31 - 1,
                    qscheme=torch.per_channel_symmetric,
                    ch_axis=0,
                )

    return Quantizer()


@quantizer
def fixed_sigmoid():
    """sigmoid in uint8 with scale 1/256, observed in front"""
    t, _, activation, _, Base = quantizers()

    class Quantizer(Base):
        def more(self, node, annotation):
            if node.target is torch.ops.aten.sigmoid.default:
                node.meta["quantization_annotation"] = t.QuantizationAnnotation(
                    input_qspec_map={node.args[0]: activation()},
                    output_qspec=t.FixedQParamsQuantizationSpec(
                        dtype=torch.uint8, scale=1 / 256, zero_point=0, quant_min=0, quant_max=255, qscheme=torch.per_tensor_affine
                    ),
                    _annotated=True,
                )

    return Quantizer()


@quantizer
def shared_cat():
    """all inputs of a cat and its output with the parameters of the first"""
    t, _, activation, _, Base = quantizers()

    class Quantizer(Base):
        def more(self, node, annotation):
            if node.target is torch.ops.aten.cat.default:
                first, *others = node.args[0]
                shared = t.SharedQuantizationSpec((first, node))
                node.meta["quantization_annotation"] = t.QuantizationAnnotation(
                    input_qspec_map={first: activation(), **dict.fromkeys(others, shared)}, output_qspec=shared, _annotated=True
                )

    return Quantizer()


@quantizer
def powers_of_two():
    """outputs of convolutions with scale 2^-4, those of linear with 2^-5, the model's first input with 2^-5"""
    _, _, _, power_of_two, Base = quantizers()

    class Quantizer(Base):
        first = True

        def more(self, node, annotation):
            if node.target is torch.ops.aten.conv2d.default:
                if self.first:
                    annotation.input_qspec_map[node.args[0]] = power_of_two(-5)
                self.first = False
                annotation.output_qspec = power_of_two(-4)
            if node.target is torch.ops.aten.linear.default:
                annotation.output_qspec = power_of_two(-5)

    return Quantizer()


class HandWritten(nn.Module):
    """two convolutions, sigmoid and relu, a cat, and linear layers behind it"""

    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 3, padding=1)
        self.b = nn.Conv2d(3, 4, 3, padding=1, stride=1)
        self.fc = nn.Linear(8, 6)
        self.out = nn.Linear(6, 5)

    def forward(self, x):
        y = torch.cat([torch.sigmoid(self.a(x)), torch.relu(self.b(x)), x], dim=1)
        y = y.mean(dim=(2, 3))[:, :8]
        return self.out(torch.tanh(self.fc(y)))


def hand_written():
    return {
        "module": HandWritten(),
        "inputs": (torch.randn(2, 3, 6, 6),),
        "doc": HandWritten.__doc__,
        "extra": {"recipe-" + name.replace("_", "-"): settings(name) for name in CUSTOM_QUANTIZERS},
    }


MODELS = {"hand_written": hand_written}
