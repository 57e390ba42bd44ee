"""The real stack's virtual environment (packaging/bootstrap --python-stack) for the tools of this folder.

enter() is called before anything of the stack is imported: it sets what the numbers depend on, and starts the
program anew with the environment's Python where this one lacks the stack.
"""
import importlib.util
import os
import subprocess
import sys

SKIPPED = 77  # exit code; CTest's SKIP_RETURN_CODE
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PACKAGES = ("torch", "torchao", "executorch")
# One thread, and the kernels that the recorded cases were made with, on whatever CPU.
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "TORCH_CPP_LOG_LEVEL": "ERROR",
}


def skip(reason):
    print("SKIPPED: " + reason, flush=True)
    sys.exit(SKIPPED)


def has_stack():
    return all(importlib.util.find_spec(p) for p in PACKAGES)


def python_of_stack(make):
    """The environment's Python, or None and why not."""
    option = "--python-stack" if make else "--find-python-stack"
    bootstrap = os.path.join(ROOT, "packaging", "bootstrap")
    done = subprocess.run([bootstrap, option], stdout=subprocess.PIPE, stderr=None if make else subprocess.PIPE, text=True)
    if done.returncode == 0:
        return done.stdout.strip(), None
    said = (done.stderr or "").strip().splitlines()
    return None, said[-1] if said else "packaging/bootstrap could not make it"


def enter(make=False):
    for key, value in SETTINGS.items():
        os.environ.setdefault(key, value)
    if has_stack():
        return
    if os.environ.get("PT2E_STACK_ENTERED"):
        skip("the environment lacks one of " + ", ".join(PACKAGES))
    python, reason = python_of_stack(make)
    if python is None:
        skip("no environment with " + ", ".join(PACKAGES) + ": " + reason)
    os.environ["PT2E_STACK_ENTERED"] = "1"
    sys.stdout.flush()
    os.execv(python, [python] + sys.argv)


def pt2e_program(given):
    """The program under test: as named, or of the newest build."""
    if given:
        return os.path.abspath(given)
    folder = os.environ.get("PT2E_BIN_DIR")
    found = [os.path.join(folder, "pt2e")] if folder else []
    found += [os.path.join(ROOT, "build", preset, "bin", "pt2e") for preset in ("dev", "release")]
    for path in found:
        if os.path.exists(path):
            return path
    sys.exit("no pt2e program; build it, or name it with --pt2e")
