#!/usr/bin/env python3
"""Compares a stage dump with a golden one (format pt2e.stages, version 1).

    compare_dump.py GOLDEN.json DUMP.json [--section NAME,…] [--rtol-scale 1e-6] [--no-sha] [--max 50]
    compare_dump.py --self-test [GOLDEN.json]

One difference a line: section, node, field, golden value, got value, separated by tabs.
Exit status: 0 equal, 1 different, 2 bad input. Standard library only, Python 3.9 or newer.

Rules: names, orders, users, arguments and integers are exact. Reals match within the relative tolerance; an observer's
min and max are measured against the larger of the two magnitudes. Groups of "sharing" are a set of sets, "diff_ops" is
a map. A null in the golden means: shape and dtype of a node may be anything; a section or a stage was not reached and
is not compared. If the golden's error is in "calibrate", the observers' numbers are not compared; if it is in
"prepare", sharing and the lists' entries in sub-graphs are not. Sub-graphs ("subgraphs"
of a graph, "body/name" elsewhere) are compared likewise; where the golden was recorded without any and the dump has
some, what the dump says about them is not compared.
"""
import argparse
import copy
import json
import os
import sys

SECTIONS = ["exported", "prepared", "converted", "annotations", "unannotated", "sharing", "observers", "diff_ops", "tensors"]
STAGES = SECTIONS[:3]
MISSING = "<missing>"


class BadInput(Exception):
    pass


class Comparison:
    def __init__(self, golden, dump, sections=SECTIONS, rtol=1e-6, sha=True):
        self.golden, self.dump, self.sections, self.rtol, self.sha = golden, dump, sections, rtol, sha
        self.differences, self.skipped = [], []
        self.has_bodies = tells_bodies(golden) or not tells_bodies(dump)
        self.is_prepared = (golden.get("error") or {}).get("stage") != "prepare"
        if not self.has_bodies:
            self.skipped.append("sub-graphs")

    def compared(self, names):
        """Without what stands in sub-graphs, where the golden does not tell about them."""
        return [n for n in names if (self.has_bodies and self.is_prepared) or "/" not in n]

    def differ(self, section, node, field, golden, got):
        self.differences.append((section, node, field, golden, got))

    # ---- values

    def same(self, a, b, size=0.0):
        """Equal, with the tolerance for reals; size is a magnitude the tolerance may also refer to."""
        if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
            return type(a) is type(b) and a == b
        if isinstance(a, float) and isinstance(b, float):
            return a == b or abs(a - b) <= self.rtol * max(abs(a), abs(b), size)
        if type(a) is not type(b):
            return False
        if isinstance(a, list):
            return len(a) == len(b) and all(self.same(x, y, size) for x, y in zip(a, b))
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(self.same(v, b[k], size) for k, v in a.items())
        return a == b

    def check(self, section, node, field, golden, got, size=0.0):
        if not self.same(golden, got, size):
            self.differ(section, node, field, golden, got)

    def check_names(self, section, golden, got):
        """Reports what is missing, what is too much, and the first place where the order of the rest differs."""
        gset, dset = set(golden), set(got)
        for n in golden:
            if n not in dset:
                self.differ(section, n, "present", True, MISSING)
        for n in got:
            if n not in gset:
                self.differ(section, n, "present", MISSING, True)
        a, b = [n for n in golden if n in dset], [n for n in got if n in gset]
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y:
                self.differ(section, x, "order", "%d: %s" % (i, x), "%d: %s" % (i, y))
                break
        if len(a) != len(b):
            self.differ(section, "", "length", len(golden), len(got))

    def listed(self, section, owner, key):
        """The two values of a section, or None if there is nothing to compare."""
        g = owner[0].get(key)
        if g is None:
            self.skipped.append(section)
            return None
        d = owner[1].get(key) if isinstance(owner[1], dict) else None
        if d is None:
            self.differ(section, "", "present", True, MISSING)
            return None
        if type(g) is not type(d):
            raise BadInput('"%s" has another kind of value in the dump' % key)
        return g, d

    def entries(self, section, key, name):
        pair = self.listed(section, (self.golden, self.dump), key)
        if pair is None:
            return
        g, d = pair
        self.check_names(section, self.compared(e[name] for e in g), self.compared(e[name] for e in d))
        by_name = {e[name]: e for e in d}
        for e in g:
            if e[name] in by_name:
                yield e, by_name[e[name]]

    # ---- sections

    def run(self):
        for s in self.sections:
            if s in STAGES:
                self.stage(s)
            else:
                getattr(self, s)()
        return self.differences

    def stage(self, s):
        pair = self.listed(s, (self.golden["stages"], self.dump.get("stages")), s)
        if pair is None:
            return
        self.graph(s, "", *pair)

    def graph(self, s, path, golden, dump):
        """One graph and its sub-graphs; path is "" or "body/"."""
        g, d = golden["nodes"], dump["nodes"]
        self.check_names(s, [path + n["name"] for n in g], [path + n["name"] for n in d])
        by_name = {n["name"]: n for n in d}
        for n in g:
            m = by_name.get(n["name"])
            if m is None:
                continue
            for field in ("op", "target", "kwargs", "users"):
                self.check(s, path + n["name"], field, n[field], m.get(field, MISSING))
            self.args(s, path + n["name"], "args", n["args"], m.get("args", MISSING))
            for field in ("shape", "dtype"):
                if n[field] is not None:
                    self.check(s, path + n["name"], field, n[field], m.get(field, MISSING))
        if not self.has_bodies:
            return
        g, d = golden.get("subgraphs", {}), dump.get("subgraphs", {})
        for name in list(g) + [k for k in d if k not in g]:
            if name in g and name in d:
                self.graph(s, path + name + "/", g[name], d[name])
            else:
                self.differ(s, path + name + "/", "present", name in g or MISSING, name in d or MISSING)

    def args(self, section, node, path, golden, got):
        """One line per argument that differs."""
        if isinstance(golden, list) and isinstance(got, list) and len(golden) == len(got):
            for i, (a, b) in enumerate(zip(golden, got)):
                self.args(section, node, "%s[%d]" % (path, i), a, b)
        else:
            self.check(section, node, path, golden, got)

    def annotations(self):
        for g, d in self.entries("annotations", "annotations", "node"):
            self.check("annotations", g["node"], "target", g["target"], d.get("target", MISSING))
            gi, di = g["inputs"], d.get("inputs", [])
            if [i[0] for i in gi] != [i[0] for i in di]:
                self.differ("annotations", g["node"], "inputs", [i[0] for i in gi], [i[0] for i in di])
            else:
                for (name, a), (_, b) in zip(gi, di):
                    self.spec(g["node"], "input " + name, a, b)
            self.spec(g["node"], "output", g["output"], d.get("output", MISSING))

    def spec(self, node, field, g, d):
        if isinstance(g, dict) and isinstance(d, dict) and g.get("kind") == d.get("kind"):
            # How a derived spec computes ("rule") is a function in Python and not recorded.
            for k in list(g) + [k for k in d if k not in g and k != "rule"]:
                self.check("annotations", node, field + "." + k, g.get(k, MISSING), d.get(k, MISSING))
        else:
            self.check("annotations", node, field, g, d)

    def unannotated(self):
        pair = self.listed("unannotated", (self.golden, self.dump), "unannotated")
        if pair:
            self.check_names("unannotated", *map(self.compared, pair))

    def sharing(self):
        pair = self.listed("sharing", (self.golden, self.dump), "sharing") if self.is_prepared else None
        if not pair:
            return
        g, d = ([frozenset(x) for x in map(self.compared, side) if x] for side in pair)
        for group in g:
            if group not in d:
                self.differ("sharing", min(group), "group", sorted(group), MISSING)
        for group in d:
            if group not in g:
                self.differ("sharing", min(group), "group", MISSING, sorted(group))
        if len(g) != len(d):
            self.differ("sharing", "", "groups", len(g), len(d))

    def observers(self):
        numbers = (self.golden.get("error") or {}).get("stage") != "calibrate"
        if not numbers:
            self.skipped.append("observers' numbers")
        for g, d in self.entries("observers", "observers", "name"):
            for k in ("class", "from", "to", "dtype", "quant_min", "quant_max", "qscheme", "ch_axis", "instance"):
                self.check("observers", g["name"], k, g[k], d.get(k, MISSING))
            if not numbers:
                continue
            for k in ("scale", "zero_point"):
                self.check("observers", g["name"], k, g[k], d.get(k, MISSING))
            size = max([abs(v) for k in ("min", "max") for v in (g[k] or []) if isinstance(v, float)], default=0.0)
            for k in ("min", "max"):
                self.check("observers", g["name"], k, g[k], d.get(k, MISSING), size)

    def diff_ops(self):
        pair = self.listed("diff_ops", (self.golden, self.dump), "diff_ops")
        if not pair:
            return
        g, d = ({r["op"]: r for r in side} for side in pair)
        for op in sorted(set(g) | set(d)):
            for s in STAGES:
                a, b = g.get(op, {}).get(s, 0), d.get(op, {}).get(s, 0)
                if a is not None and s in self.golden["stages"]:
                    self.check("diff_ops", op, s, a, b)

    def tensors(self):
        for s in STAGES:
            if s not in self.golden["stages"] or not (self.dump.get("stages") or {}).get(s):
                continue
            self.graph_tensors(s + ":", self.golden["stages"][s], self.dump["stages"][s])

    def graph_tensors(self, place, golden, dump):
        g, d = golden["tensors"], dump.get("tensors", {})
        for fqn in list(g) + [k for k in d if k not in g]:
            if fqn not in g or fqn not in d:
                self.differ("tensors", place + fqn, "present", fqn in g or MISSING, fqn in d or MISSING)
                continue
            for k in ("shape", "dtype") + (("sha256",) if self.sha else ()):
                self.check("tensors", place + fqn, k, g[fqn][k], d[fqn].get(k, MISSING))
        for name, body in golden.get("subgraphs", {}).items():
            self.graph_tensors(place + name + "/", body, dump.get("subgraphs", {}).get(name, {"tensors": {}}))


def tells_bodies(dump):
    return any("subgraphs" in (g or {}) for g in dump["stages"].values())


def load(path):
    def no_constant(name):
        raise BadInput("%s: %s is not allowed" % (path, name))

    try:
        with open(path, encoding="utf-8") as f:
            obj = json.load(f, parse_constant=no_constant)
    except (OSError, ValueError) as e:
        raise BadInput("%s: %s" % (path, e))
    if not isinstance(obj, dict) or obj.get("format") != "pt2e.stages" or obj.get("version") != 1:
        raise BadInput("%s: not a pt2e.stages version 1 object" % path)
    if not isinstance(obj.get("stages"), dict):
        raise BadInput('%s: no "stages"' % path)
    return obj


def show(differences, limit, out=sys.stdout):
    def text(v):
        s = v if v is MISSING else json.dumps(v, ensure_ascii=False)
        return s if len(s) <= 240 else s[:240] + "…"

    for section, node, field, a, b in differences[:limit]:
        out.write("\t".join((section, node or "-", field, text(a), text(b))) + "\n")
    if len(differences) > limit:
        out.write("… and %d more\n" % (len(differences) - limit))


# ---------------------------------------------------------------- self-test


def mutations(golden):
    """(what, section that must report it, function that changes a copy)."""

    def nodes(g, s):
        return g["stages"][s]["nodes"]

    def find(g, s, part):
        return next(n for n in nodes(g, s) if part in n["target"])

    def first_call(g, s):
        return next(n for n in nodes(g, s) if n["op"] == "call_function")

    def rename(g):
        first_call(g, "exported")["name"] += "_x"

    def swap(g):
        n = nodes(g, "prepared")
        n[0], n[1] = n[1], n[0]

    def users(g):
        n = next(n for n in nodes(g, "prepared") if len(n["users"]) > 1)
        n["users"].reverse()

    def drop(g):
        nodes(g, "converted").pop()

    def scale_arg(g):
        find(g, "converted", "quantize_per_tensor")["args"][1] *= 1.00001

    def zero_point_arg(g):
        find(g, "converted", "quantize_per_tensor")["args"][2] += 1

    def kind(g):
        n = find(g, "converted", "quantize_per_tensor")
        n["args"][3] = float(n["args"][3])

    def target(g):
        find(g, "exported", "aten.relu.default")["target"] = "aten.relu_.default"

    def shape(g):
        first_call(g, "exported")["shape"][0] += 1

    def annotation(g):
        next(a for a in g["annotations"] if a["output"])["output"]["quant_min"] = -127

    def annotation_order(g):
        next(a for a in g["annotations"] if len(a["inputs"]) > 1)["inputs"].reverse()

    def unannotated(g):
        g["unannotated"].append("phantom")

    def sharing(g):
        g["sharing"][0] += g["sharing"].pop()

    def observer_scale(g):
        o = next(o for o in g["observers"] if o["scale"])
        o["scale"][0] *= 1.00001

    def observer_zero_point(g):
        o = next(o for o in g["observers"] if o["zero_point"])
        o["zero_point"][0] += 1

    def observer_instance(g):
        g["observers"][-1]["instance"] = 0

    def observer_min(g):
        o = next(o for o in g["observers"] if o["min"])
        o["min"][0] -= 1.0

    def counts(g):
        g["diff_ops"][0]["prepared"] += 1

    def sha(g):
        t = next(iter(g["stages"]["converted"]["tensors"].values()))
        t["sha256"] = "0" * 64

    def tensor_missing(g):
        t = g["stages"]["prepared"]["tensors"]
        t.pop(next(iter(t)))

    def section_missing(g):
        g["annotations"] = None

    return [
        ("node renamed", "exported", rename),
        ("two nodes swapped", "prepared", swap),
        ("users reordered", "prepared", users),
        ("node dropped", "converted", drop),
        ("scale argument off by 1e-5", "converted", scale_arg),
        ("zero point argument off by one", "converted", zero_point_arg),
        ("integer became a real", "converted", kind),
        ("target changed", "exported", target),
        ("shape changed", "exported", shape),
        ("quant_min of an annotation changed", "annotations", annotation),
        ("order of annotation inputs changed", "annotations", annotation_order),
        ("unannotated node added", "unannotated", unannotated),
        ("two sharing groups merged", "sharing", sharing),
        ("observer scale off by 1e-5", "observers", observer_scale),
        ("observer zero point off by one", "observers", observer_zero_point),
        ("observer instance changed", "observers", observer_instance),
        ("observer min changed", "observers", observer_min),
        ("operator count changed", "diff_ops", counts),
        ("tensor hash changed", "tensors", sha),
        ("tensor missing", "tensors", tensor_missing),
        ("section missing in the dump", "annotations", section_missing),
    ]


def body_mutations(golden):
    """As mutations, of what stands in a sub-graph."""

    def body(g, s):
        return next(b for b in g["stages"][s]["subgraphs"].values() if any(n["op"] == "call_module" for n in b["nodes"]))

    def rename(g):
        body(g, "prepared")["nodes"][-2]["name"] += "_x"

    def users(g):
        body(g, "prepared")["nodes"][0]["users"] = []

    def drop_body(g):
        g["stages"]["converted"]["subgraphs"].popitem()

    def annotation(g):
        next(a for a in g["annotations"] if "/" in a["node"] and a["inputs"])["inputs"][0][1]["quant_min"] = -127

    def observer(g):
        next(o for o in g["observers"] if "/" in o["name"])["zero_point"][0] += 1

    def sharing(g):
        g["sharing"] = [x for x in g["sharing"] if "/" not in x[0]]

    def unannotated(g):
        g["unannotated"] = [n for n in g["unannotated"] if "/" not in n]

    def sha(g):
        t = next(iter(body(g, "prepared")["tensors"].values()))
        t["sha256"] = "0" * 64

    return [
        ("node of a body renamed", "prepared", rename),
        ("users of a body's node gone", "prepared", users),
        ("a body missing", "converted", drop_body),
        ("annotation in a body changed", "annotations", annotation),
        ("observer in a body changed", "observers", observer),
        ("sharing in bodies missing", "sharing", sharing),
        ("unannotated ops of bodies missing", "unannotated", unannotated),
        ("tensor of a body changed", "tensors", sha),
    ]


def self_test_bodies(path):
    golden = load(path)
    bad = 0
    for what, section, change in body_mutations(golden):
        dump = copy.deepcopy(golden)
        change(dump)
        sections = {d[0] for d in Comparison(golden, dump).run()}
        ok = section in sections and sections <= {section, "tensors"}
        bad += not ok
        print("%s  %s: found in %s" % ("ok    " if ok else "FAILED", what, ", ".join(sorted(sections)) or "no section"))
    top = copy.deepcopy(golden)
    for s in top["stages"].values():
        s.pop("subgraphs", None)
    for key, name in (("annotations", "node"), ("observers", "name")):
        top[key] = [e for e in top[key] if "/" not in e[name]]
    top["unannotated"] = [n for n in top["unannotated"] if "/" not in n]
    top["sharing"] = [x for x in top["sharing"] if "/" not in x[0]]
    ok = not Comparison(top, golden).run() and bool(Comparison(golden, top).run())
    print("%s  a golden without sub-graphs accepts a dump with them, not the other way round" % ("ok    " if ok else "FAILED"))
    return 1 if bad or not ok else 0


def self_test(path):
    golden = load(path)
    bad = 0

    def check(what, ok):
        nonlocal bad
        bad += not ok
        print("%s  %s" % ("ok    " if ok else "FAILED", what))

    check("a golden equals itself", not Comparison(golden, copy.deepcopy(golden)).run())
    for what, section, change in mutations(golden):
        dump = copy.deepcopy(golden)
        change(dump)
        found = Comparison(golden, dump).run()
        check("%s: %d difference(s) in %s" % (what, len(found), section), any(d[0] == section for d in found))
        others = [s for s in SECTIONS if s != section]
        check("    … and in no other section", not Comparison(golden, dump, others).run())

    def nearly(g):
        for n in g["stages"]["converted"]["nodes"]:
            n["args"] = [a * (1 + 1e-9) if isinstance(a, float) else a for a in n["args"]]
        for o in g["observers"]:
            for k in ("scale", "min", "max"):
                o[k] = [v * (1 + 1e-9) if isinstance(v, float) else v for v in o[k] or []] or o[k]
        g["sharing"] = [list(reversed(x)) for x in reversed(g["sharing"])]
        g["diff_ops"].reverse()

    def hashes(g):
        for s in STAGES:
            for t in g["stages"][s]["tensors"].values():
                t["sha256"] = "0" * 64

    dump = copy.deepcopy(golden)
    nearly(dump)
    check("noise below the tolerance and other orders of sets are accepted", not Comparison(golden, dump).run())
    check("the same noise is found with --rtol-scale 0", bool(Comparison(golden, dump, rtol=0.0).run()))
    dump = copy.deepcopy(golden)
    hashes(dump)
    check("other hashes are accepted with --no-sha", not Comparison(golden, dump, sha=False).run())
    return 1 if bad else 0


def main(argv):
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("files", nargs="*", metavar="FILE", help="GOLDEN.json DUMP.json")
    ap.add_argument("--section", default=",".join(SECTIONS), help="comma-separated: " + ",".join(SECTIONS))
    ap.add_argument("--rtol-scale", type=float, default=1e-6, metavar="R", help="relative tolerance of reals (1e-6)")
    ap.add_argument("--no-sha", action="store_true", help="do not compare the hashes of tensors")
    ap.add_argument("--max", type=int, default=50, metavar="N", help="differences shown (50)")
    ap.add_argument("--self-test", action="store_true", help="change a golden in many ways and check each is found")
    a = ap.parse_args(argv)
    sections = [s.strip() for s in a.section.split(",") if s.strip()]
    try:
        unknown = [s for s in sections if s not in SECTIONS]
        if unknown:
            raise BadInput("no such section: " + ", ".join(unknown))
        if a.self_test:
            here = os.path.dirname(os.path.abspath(__file__))
            cases = os.path.join(here, "..", "data", "cases")
            if a.files:
                return (self_test_bodies if tells_bodies(load(a.files[0])) else self_test)(a.files[0])
            top = self_test(os.path.join(cases, "residual", "golden-torchao.json"))
            return self_test_bodies(os.path.join(cases, "while_loop", "golden-torchao-bodies.json")) or top
        if len(a.files) != 2:
            raise BadInput("two files are needed: GOLDEN.json DUMP.json")
        golden, dump = load(a.files[0]), load(a.files[1])
        c = Comparison(golden, dump, sections, a.rtol_scale, not a.no_sha)
        try:
            c.run()
        except (KeyError, TypeError, AttributeError, IndexError, ValueError) as e:
            raise BadInput("malformed dump: %s %s" % (type(e).__name__, e))
    except BadInput as e:
        sys.stderr.write("compare_dump: %s\n" % e)
        return 2
    if golden.get("quantizer") != dump.get("quantizer"):
        sys.stderr.write("note: other quantizer: %s / %s\n" % (json.dumps(golden.get("quantizer")), json.dumps(dump.get("quantizer"))))
    for who, obj in (("golden", golden), ("dump", dump)):
        if obj.get("error"):
            sys.stderr.write("note: the %s ends with an error: %s\n" % (who, json.dumps(obj["error"], ensure_ascii=False)[:300]))
    if c.skipped:
        sys.stderr.write("note: not reached in the golden, not compared: %s\n" % ", ".join(c.skipped))
    show(c.differences, a.max)
    return 1 if c.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
