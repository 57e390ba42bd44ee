#!/usr/bin/env bash
# Checks who includes what: the order of our folders (PT2E_LAYERS in packaging/cmake/PT2ETargets.cmake),
# and where the headers of other libraries may appear.
set -euo pipefail
export LC_ALL=C

root=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
cd "$root"

layers=$(awk '/^set\(PT2E_LAYERS/ { on = 1; next } on { if (match($0, /"[^"]+"/)) print substr($0, RSTART + 1, RLENGTH - 2); if (/\)/) exit }' \
    packaging/cmake/PT2ETargets.cmake | tr '\n' ' ')
[[ $layers == base\ * ]] || { echo "include-order: cannot read PT2E_LAYERS" >&2; exit 2; }

folders=()
for folder in app core ui tests; do
    [[ ! -d $folder ]] || folders+=("$folder")
done
mapfile -d '' -t files < <(find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z)
if ((${#files[@]} == 0)); then
    echo "include-order: no sources"
    exit 0
fi

awk -v layers="$layers" '
function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    bad++
}
# The name under which a file stands in PT2E_LAYERS, or "".
function folderOf(path,    part) {
    split(path, part, "/")
    if (part[1] == "core") return part[2]
    if (part[1] == "ui") return part[2] == "render" ? "ui/render" : "ui"
    return part[1] == "app" ? "app" : ""
}
function inside(prefix) { return index(FILENAME, prefix) == 1 }
# Libraries that only some folders may see.
function checkLibrary(header) {
    if (header ~ /^(ATen|torch|c10|caffe2)\// && !inside("core/kernels/torch/"))
        fail("LibTorch only in core/kernels/torch")
    if (inside("tests/")) return
    if (header ~ /^(rapidjson|nlohmann)\// \
        && FILENAME !~ /^(core\/(pt2|pipeline|analysis)|app\/cli)\//)
        fail("JSON only in core/pt2, core/pipeline, core/analysis and app/cli")
    if (header ~ /^(xnnpack|pthreadpool)\.h$/ && !inside("core/engine/xnnpack/"))
        fail("XNNPACK only in core/engine/xnnpack")
    if (header ~ /^(graphviz\/|cgraph\.h|gvc\.h|gvcext\.h)/ && !inside("app/layout/"))
        fail("Graphviz only in app/layout")
    if (header ~ /^CLI\// && !inside("app/"))
        fail("CLI11 only in app")
    if (header ~ /^Q[A-Z]|^Qt[A-Z]|^q[a-z]+\.h$/ && inside("core/"))
        fail("no Qt in core")
}
function checkOwn(header,    own, other) {
    if (header ~ /\.moc$/ || header ~ /^moc_/) return
    # A test may name the files beside it.
    if (inside("tests/") && header !~ /\//) return
    if (header !~ /^(core|ui|app|tests)\//) {
        fail("write the place of \"" header "\" from the top: core/…, ui/…, app/… or tests/…")
        return
    }
    if (inside("tests/")) return
    if (header ~ /^tests\//) {
        fail("only tests include tests")
        return
    }
    own = folderOf(FILENAME)
    other = folderOf(header)
    if (!(own in rank)) {
        fail("the folder core/" own " has no place in PT2E_LAYERS")
        return
    }
    if (!(other in rank)) {
        fail("\"" header "\" is in no folder of PT2E_LAYERS")
        return
    }
    if (own == other) {
        if (own == "app") checkApp(header)
        return
    }
    if (rank[other] >= rank[own]) fail(own " must not include " header ": " other " is not to its left")
    if (inside("app/cli/") && header ~ /^ui\// && header !~ /^ui\/render\//)
        fail("of ui, the command line program uses ui/render only")
}
# The programs share nothing with each other.
function checkApp(header,    mine, theirs) {
    split(FILENAME, mine, "/")
    split(header, theirs, "/")
    if (mine[2] != theirs[2]) fail("app/" mine[2] " must not include app/" theirs[2])
}
BEGIN {
    n = split(layers, line, " ")
    for (i = 1; i <= n; i++) {
        m = split(line[i], name, "|")
        for (j = 1; j <= m; j++) rank[name[j]] = i
    }
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    includes++
    start = match($0, /["<]/)
    quote = substr($0, start, 1)
    header = substr($0, start + 1)
    sub(/[">].*/, "", header)
    if (quote == "\"") checkOwn(header)
    else if (header ~ /^(core|ui|app|tests)\//) checkOwn(header)
    else checkLibrary(header)
    if (quote == "\"") checkLibrary(header)
}
END {
    if (bad) {
        printf "include-order: %d wrong of %d includes\n", bad, includes
        exit 1
    }
    printf "include-order: %d includes in order\n", includes
}' "${files[@]}"
