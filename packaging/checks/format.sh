#!/usr/bin/env bash
# Checks that clang-format would change no source file.
#
#   packaging/checks/format.sh           check all sources
#   packaging/checks/format.sh --fix     format them in place
#   packaging/checks/format.sh [--fix] FILE…
#
# Ends with 77 (CTest: skipped) where no clang-format of a known version is installed. CLANG_FORMAT
# names another program to use.
set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

# Versions differ in a few places (14 and 19: about one file in sixty), so one decides: Debian 12's.
known=14

major() { "$1" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p'; }

program=""
for candidate in ${CLANG_FORMAT:-clang-format-14 clang-format}; do
    if [[ $(major "$candidate") == "$known" ]]; then
        program=$candidate
        break
    fi
done
if [[ -z $program ]]; then
    echo "format: skipped, clang-format $known is not installed (it is what decides; see .clang-format)"
    exit 77
fi

mode=check
if [[ ${1:-} == --fix ]]; then
    mode=fix
    shift
fi
if (($#)); then
    files=("$@")
else
    if git rev-parse --git-dir >/dev/null 2>&1; then
        list() { git ls-files -z --cached --others --exclude-standard -- '*.h' '*.cpp'; }
    else
        list() { find app core ui tests -name '*.h' -print0 -o -name '*.cpp' -print0; }
    fi
    mapfile -d '' -t files < <(list)
fi
existing=()
for file in "${files[@]}"; do
    [[ ! -f $file ]] || existing+=("$file")
done
if ((${#existing[@]} == 0)); then
    echo "format: no sources"
    exit 0
fi
run() { printf '%s\0' "${existing[@]}" | xargs -0 -n 20 -P "$(nproc)" "$program" --style=file "$@"; }
if [[ $mode == fix ]]; then
    run -i
elif ! run --dry-run -Werror >/dev/null 2>&1; then
    run --dry-run 2>&1 | sed -n 's/^\([^ :]*\):\([0-9]*\):.*clang-format-violations.*/\1 \2/p' | sort -u |
        awk '{ n[$1]++; if (!first[$1] || $2 < first[$1]) first[$1] = $2 }
             END { for (f in n) printf "%s:%d: and %d more lines\n", f, first[f], n[f] - 1 }' | sort >&2
    echo "format: not formatted; packaging/checks/format.sh --fix does it" >&2
    exit 1
fi
echo "format: ${#existing[@]} files, clang-format $known"
