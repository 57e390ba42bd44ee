"""Writes the arrays of this folder with NumPy: what core/data must read, and write byte for byte."""
import os
import sys

import numpy as np

out = sys.argv[1]
ramp = np.arange(24).reshape(2, 3, 4)
plain = {t: ramp.astype(t) for t in "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()}
plain["c8"] = (ramp + 1j * (100 - ramp)).astype("c8")
plain["b1"] = ramp % 3 == 0
plain["scalar"] = np.array(2.5, "f4")
plain["vector"] = np.arange(5, dtype="i8")
plain["empty"] = np.zeros((3, 0, 2), "f4")
for name, array in plain.items():
    np.save(os.path.join(out, f"plain_{name}.npy"), array)

odd = {
    "big_f4": ramp.astype(">f4"),
    "big_c8": plain["c8"].astype(">c8"),
    "big_i2": ramp.astype(">i2"),
    "fortran": np.asfortranarray(ramp.astype("f4")),
}
for name, array in odd.items():
    np.save(os.path.join(out, f"odd_{name}.npy"), array)
for version in ((2, 0), (3, 0)):
    with open(os.path.join(out, f"odd_version{version[0]}.npy"), "wb") as f:
        np.lib.format.write_array(f, ramp.astype("f4"), version)

np.save(os.path.join(out, "bad_object.npy"), np.array([{}, 1], object), allow_pickle=True)
np.save(os.path.join(out, "bad_struct.npy"), np.zeros(3, [("a", "f4"), ("b", "i4")]))
np.save(os.path.join(out, "bad_text.npy"), np.array(["abc"]))
np.save(os.path.join(out, "bad_date.npy"), np.array(["2020-01-01"], "datetime64[D]"))

batches = {f"b{b}_i{i}": (np.arange(6) + 10 * b + i).reshape(2, 3).astype("f4") for b in range(12) for i in range(2)}
np.savez(os.path.join(out, "batches.npz"), **batches)
np.savez_compressed(os.path.join(out, "deflated.npz"), **batches)
np.savez(os.path.join(out, "none.npz"))
