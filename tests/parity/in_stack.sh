#!/usr/bin/env bash
# Runs a Python script of this folder with the real stack's Python, for CTest:
#
#   in_stack.sh SCRIPT.py [ARGUMENT …]
#
# Where that environment is not installed (packaging/bootstrap --python-stack) it says SKIPPED and the reason, and
# ends with 77. One that is just being installed is waited for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! python=$("$here/../../packaging/bootstrap" --find-python-stack 2>&1); then
    echo "SKIPPED: ${1%.py} against the real Python stack: ${python#bootstrap: error: }"
    exit 77
fi
script=$1
shift
exec "$python" -W ignore "$here/$script" "$@"
