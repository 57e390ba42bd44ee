"""Writes ArgumentNames.inc: which arguments PyTorch's operators take by position and by keyword only.

    python makeArgumentNames.py > ArgumentNames.inc        (with torch installed; the file says which)
"""
import collections

import torch

NAMESPACES = ("aten", "quantized_decomposed")
# Operators that torch.export never leaves in a graph: left out to keep the table short.
SKIPPED = ("backward", "_foreach", "_fused_", "cudnn", "miopen", "mkldnn", "_cuda", "sparse", "fbgemm", "_test",
           "_sobol", "quantized_", "_nested", "_jagged", "_fft_", "special_", "_mps", "_efficient", "_flash", "_cslt",
           "fake_quantize", "_aminmax", "_ctc", "_dirichlet", "_standard_gamma", "_sample", "_cholesky", "_linalg",
           "coo", "csr", "csc", "bsr", "bsc", "qscheme", "q_", "_embedding_bag_", "_amp", "_thnn", "_pdist", "_cdist",
           "_weight_norm_", "_spdiags", "_segment", "_make_per", "_make_dep", "_neg_view", "_has_", "_cast_", "_coal",
           "_debug", "_lu", "_new_zeros", "_reshape_", "_rowwise", "_slow", "_triton", "_unpack", "_use", "_validate",
           "_version", "_wrapped", "_transf", "_trilinear", "_shape", "_dyn_quant", "_compute_", "_dim", "_indices",
           "_values", "_nnz", "_mixed", "_choose", "_chunk", "_grouped", "_scaled_mm", "_scaled_grouped", "_conj",
           "_convert_", "_convolution_mode", "_convolution_double", "rename", "align", "names", "dequantize.s")


def imported():
    import torch.ao.quantization.fx._decomposed  # noqa: F401  (registers quantized_decomposed)


def wanted(schema):
    namespace, name = schema.name.split("::")
    if namespace not in NAMESPACES or any(a.is_out for a in schema.arguments):
        return False
    if namespace == "aten" and any(s in name for s in SKIPPED):
        return False
    # Python's own number and string functions (aten::add.int, aten::len.t, …) are no graph operators.
    tensors = any("Tensor" in str(a.type) for a in list(schema.arguments) + list(schema.returns))
    asserts = name.startswith("sym_constrain") or name == "_assert_scalar"
    return (tensors or asserts) and "Dimname" not in str(schema) and "Dict" not in schema.overload_name


def returns_list(schema):
    return len(schema.returns) == 1 and str(schema.returns[0].type) == "List[Tensor]"


def main():
    imported()
    rows = collections.OrderedDict()
    for s in sorted((s for s in torch._C._jit_get_all_schemas() if wanted(s)), key=lambda s: (s.name, s.overload_name)):
        names = [",".join(a.name for a in s.arguments if a.kwarg_only is k) for k in (False, True)]
        namespace, name = s.name.split("::")
        op = ("" if namespace == "aten" else namespace + ".") + name + "." + (s.overload_name or "default")
        rows.setdefault(";".join(names) if names[1] else names[0], []).append(op + ("*" if returns_list(s) else ""))
    version = torch.__version__.split("+")[0]
    print(f"// Made by makeArgumentNames.py with torch {version}; do not edit.")
    print("// Positional arguments, after a semicolon the keyword-only ones; then the operators that take just these.")
    print("// \"aten.\" is left out; * marks an operator that returns one list of tensors.")
    print("// clang-format off")
    for names, ops in rows.items():
        print(f'{{"{names}", "{" ".join(ops)}"}},')
    print("// clang-format on")


main()
