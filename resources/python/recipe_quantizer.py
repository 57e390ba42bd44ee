"""A PT2E quantizer made from a recipe of PT2E Workbench.

    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    prepared = prepare_pt2e(exported_program.module(check_guards=False), RecipeQuantizer())

The base quantizer annotates first, then the rules in their order, then the edits. A node of a sub-graph is named with
the path of its sub-graph: "scan_combine_graph_0/linear".
"""

import fnmatch
import functools
import importlib
import operator
import warnings

import torch
from torchao.quantization.pt2e import observer as observers
from torchao.quantization.pt2e.quantizer import (
    DerivedQuantizationSpec,
    FixedQParamsQuantizationSpec,
    QuantizationAnnotation,
    QuantizationSpec,
    Quantizer,
    SharedQuantizationSpec,
)

KEY = "quantization_annotation"
KEEP = "keep"  # as it was before the rule


# ---------------------------------------------------------------- specs
#
# Each is a function of `point`, which finds what a name means: "conv2d", "x->conv2d" in an edit; "$input0", "$output" of
# the operator in a rule. It raises LookupError where there is no such point.


def none():
    return lambda point: None


def observed(dtype, observer, quant_min, quant_max, qscheme, ch_axis, is_dynamic, **observer_args):
    def make(point):
        return QuantizationSpec(
            dtype=dtype,
            observer_or_fake_quant_ctr=getattr(observers, observer).with_args(**observer_args),
            quant_min=quant_min,
            quant_max=quant_max,
            qscheme=qscheme,
            ch_axis=ch_axis,
            is_dynamic=is_dynamic,
        )

    return make


def fixed(dtype, scale, zero_point, quant_min, quant_max, qscheme, is_dynamic):
    def make(point):
        return FixedQParamsQuantizationSpec(
            dtype=dtype,
            scale=scale,
            zero_point=zero_point,
            quant_min=quant_min,
            quant_max=quant_max,
            qscheme=qscheme,
            is_dynamic=is_dynamic,
        )

    return make


def shared(with_point):
    return lambda point: SharedQuantizationSpec(point(with_point))


def product_of_scales(instances):
    (first, _), (second, _) = instances[0].calculate_qparams(), instances[1].calculate_qparams()
    scale = first * second
    return scale, torch.zeros_like(scale, dtype=torch.int64)


def derived(from_points, rule, dtype, quant_min, quant_max, qscheme, ch_axis, is_dynamic):
    def make(point):
        return DerivedQuantizationSpec(
            derived_from=[point(name) for name in from_points],
            derive_qparams_fn=rule,
            dtype=dtype,
            quant_min=quant_min,
            quant_max=quant_max,
            qscheme=qscheme,
            ch_axis=ch_axis,
            is_dynamic=is_dynamic,
        )

    return make


# ---------------------------------------------------------------- which operators a rule means


def target_name(node):
    target = node.target
    if isinstance(target, torch._ops.OpOverload):
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        return target.name() if callable(getattr(target, "name", None)) else str(target)
    return getattr(target, "__name__", str(target))


def in_module(node, path):
    frames = (node.meta.get("nn_module_stack") or {}).values()
    return path in (name.removeprefix("L['self'].") for name, _ in frames)


def matching(graph, op=None, module=None, name=None, dtype=None, position="all"):
    def matches(node):
        return (
            node.op == "call_function"
            and (op is None or fnmatch.fnmatchcase(target_name(node), op))
            and (name is None or fnmatch.fnmatchcase(node.name, name))
            and (dtype is None or getattr(node.meta.get("val"), "dtype", None) == dtype)
            and (module is None or in_module(node, module))
        )

    found = [node for node in graph.nodes if matches(node)]
    return {"all": found, "first": found[:1], "last": found[-1:]}[position]


# ---------------------------------------------------------------- annotating


def set_spec(owner, source, spec, allow_implicit_sharing):
    """`source`: None for the output of `owner`, else the node at the other end of the edge."""
    annotation = owner.meta.setdefault(KEY, QuantizationAnnotation())
    annotation._annotated = True
    if not allow_implicit_sharing:
        annotation.allow_implicit_sharing = False
    if source is None:
        annotation.output_qspec = spec
    else:
        annotation.input_qspec_map[source] = spec


class Rule:
    def __init__(self, match, skip=False, inputs=(), other_inputs=KEEP, output=KEEP, allow_implicit_sharing=True):
        self.match, self.skip, self.inputs, self.other_inputs, self.output = match, skip, inputs, other_inputs, output
        self.allow_implicit_sharing = allow_implicit_sharing

    def apply(self, graph):
        for node in matching(graph, **self.match):
            if self.skip:
                node.meta[KEY] = QuantizationAnnotation(_annotated=True)
            else:
                self.annotate(node)

    def annotate(self, node):
        sources = list(node.all_input_nodes)

        def point(name):
            if name == "$output":
                return node
            number = int(name.removeprefix("$input"))
            if number >= len(sources):
                raise LookupError(f"{node.name} has no input {number}")
            return sources[number], node

        wanted = [(s, self.inputs[i] if i < len(self.inputs) else self.other_inputs) for i, s in enumerate(sources)]
        for source, make in [*wanted, (None, self.output)]:
            if make is KEEP:
                continue
            try:
                spec = make(point)
            except LookupError as error:
                warnings.warn(f"rule: {error}; the spec is left out")
                continue
            set_spec(node, source, spec, self.allow_implicit_sharing)


class Edit:
    def __init__(self, at, make, allow_implicit_sharing=True):
        self.at, self.make, self.allow_implicit_sharing = at, make, allow_implicit_sharing

    def path(self):
        return self.at.partition("->")[0].rpartition("/")[0]

    def apply(self, graph, before):
        nodes = {node.name: node for node in graph.nodes}

        def node_of(name):
            name = name.rpartition("/")[2]
            if name not in nodes:
                raise LookupError(f"there is no node '{name}'")
            return nodes[name]

        def point(name):
            source, _, user = name.partition("->")
            if not user:
                return node_of(source)
            if node_of(source) not in node_of(user).all_input_nodes:
                raise LookupError(f"'{user}' does not read '{source}'")
            return node_of(source), node_of(user)

        try:
            at = point(self.at)
            source, owner = at if isinstance(at, tuple) else (None, at)
            if self.make is KEEP:
                restore(owner, source, before.get(owner))
            else:
                set_spec(owner, source, self.make(point), self.allow_implicit_sharing)
        except LookupError as error:
            warnings.warn(f"edit at '{self.at}': {error}; it is left out")


def restore(owner, source, before):
    """Puts a point back to what it was before the edits: (input specs, output spec), or None."""
    now = owner.meta.get(KEY)
    if now is None:
        return
    if source is None:
        now.output_qspec = before[1] if before else None
    elif before and source in before[0]:
        now.input_qspec_map[source] = before[0][source]
    else:
        now.input_qspec_map.pop(source, None)
    if before is None and not now.input_qspec_map and now.output_qspec is None:
        del owner.meta[KEY]


def module_type(name):
    """The class of that name; where it is not installed, something that goes by the name, which is all it is used for."""
    owner, _, cls = name.rpartition(".")
    try:
        return getattr(importlib.import_module(owner), cls)
    except (ImportError, AttributeError, ValueError):
        return type(cls, (), {"__module__": owner, "__qualname__": cls})


def operator_type(name):
    return functools.reduce(getattr, name.split("."), torch.ops)


class RecipeQuantizer(Quantizer):
    def __init__(self):
        self.base = base_quantizer()
        self.bodies = {}  # id of a sub-graph -> its path and itself

    def transform_for_annotation(self, model):
        return model if self.base is None else self.base.transform_for_annotation(model)

    def annotate(self, model):
        path, _ = self.bodies.get(id(model), ("", None))
        self.find_bodies(model, path)
        if self.base is not None:
            self.base.annotate(model)
        for rule in RULES:
            rule.apply(model.graph)
        annotations = ((node, node.meta.get(KEY)) for node in model.graph.nodes)
        before = {node: (dict(a.input_qspec_map), a.output_qspec) for node, a in annotations if a is not None}
        for edit in EDITS:
            if edit.path() == path:
                edit.apply(model.graph, before)
        return model

    def find_bodies(self, model, path):
        """prepare_pt2e comes back for the bodies of scan and while_loop, one at a time."""
        takes_body = {torch.ops.higher_order.scan: 0, torch.ops.higher_order.while_loop: 1}
        for node in model.graph.nodes:
            if node.op == "call_function" and node.target in takes_body:
                attribute = node.args[takes_body[node.target]].target
                body = operator.attrgetter(attribute)(model)
                self.bodies[id(body)] = (f"{path}/{attribute}" if path else attribute, body)

    def validate(self, model):
        pass


# ---------------------------------------------------------------- the recipe
