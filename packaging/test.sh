#!/usr/bin/env bash
# Builds everything and runs all tests.
#
#   packaging/test.sh [CTEST ARGUMENT …]    for example -R ir, to run only tests with that in the name
#
#   PT2E_PRESET    dev (default), asan or tsan
set -euo pipefail
case ${1:-} in
    -h | --help)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
        exit
        ;;
esac
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

preset=${PT2E_PRESET:-dev}
echo "test: building and testing the $preset preset"
packaging/bootstrap
build "$preset"
built=$SECONDS

log=build/$preset-test.log
status=0
# The summary is held back, so that it is what one sees last.
"$(ctest_of "build/$preset")" --preset "$preset" --parallel "$(nproc)" "$@" 2>&1 |
    tee "$log" | awk '/^[0-9]+% tests passed/ { held = 1 } !held' || status=1
printf 'test: %s in all, of which bootstrap and build %s\n\n' "$(seconds "$SECONDS")" "$(seconds "$built")"
sed -n '/^[0-9]*% tests passed/,$p' "$log"
# Why a test was skipped is only in CTest's own log.
sed -n 's/^SKIPPED: /test: SKIPPED: /p' "build/$preset/Testing/Temporary/LastTest.log"
exit "$status"
