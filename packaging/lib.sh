# What run.sh and test.sh share. Sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Prints the first of the named programs that really starts (a name on PATH may be a stub).
working_program() {
    local candidate
    for candidate in "$@"; do
        if "$candidate" --version >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    echo "error: none of these starts: $*; run packaging/bootstrap" >&2
    return 1
}

# A value from a build folder's CMakeCache.txt, or nothing.
cached() { # <folder> <name>
    sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" 2>/dev/null || true
}

# The tools that a build folder was configured with, so that two cmakes or ninjas never take turns.
cmake_of() {
    local program
    program=$(cached "$1" CMAKE_COMMAND)
    if [[ -x $program ]]; then echo "$program"; else working_program /usr/bin/cmake cmake; fi
}
ctest_of() {
    local program
    program=$(cached "$1" CMAKE_CTEST_COMMAND)
    if [[ -x $program ]]; then echo "$program"; else working_program /usr/bin/ctest ctest; fi
}

# As many compilers as there are processors and gigabytes for: one that reads LibTorch takes 1.5 GB.
jobs() {
    local memory processors
    memory=$(awk '/^MemAvailable/ { print int($2 / 1024 / 1536) }' /proc/meminfo)
    processors=$(nproc)
    ((memory >= 1)) || memory=1
    echo $((memory < processors ? memory : processors))
}

seconds() { printf "%d min %02d s" $(($1 / 60)) $(($1 % 60)); }

# build <preset> [<target> …]: configures if that was not done, builds, says what it did.
build() {
    local preset=$1 folder=build/$1 log=build/$1.log started=$SECONDS cmake status=0 steps
    shift
    mkdir -p build
    # A folder that was configured for another place (a copied checkout) is of no use.
    if [[ -f $folder/CMakeCache.txt && $(cached "$folder" CMAKE_HOME_DIRECTORY) != "$root" ]]; then
        rm -rf "$folder"
    fi
    cmake=$(cmake_of "$folder")
    if [[ ! -f $folder/build.ninja ]]; then
        echo "build: configuring $folder"
        # Whatever an interrupted first try left.
        rm -rf "$folder"
        if ! "$cmake" --preset "$preset" \
            -DCMAKE_MAKE_PROGRAM="$(working_program /usr/bin/ninja ninja)" >"$log" 2>&1; then
            sed -n '/^CMake Error/,/^Call Stack/p' "$log" >&2
            echo "build: configuring failed; all of it is in $log" >&2
            return 1
        fi
    fi
    "$cmake" --build "$folder" --parallel "$(jobs)" ${1:+--target "$@"} 2>&1 |
        tee "$log" | progress || status=1
    if ((status)); then
        # Up to the first failure's end, which is what one wants to read.
        awk '/^FAILED:/ { on = 1 } on && n++ < 60' "$log" >&2
        grep -q '^FAILED:' "$log" || tail -n 30 "$log" >&2
        echo "build: failed; all of it is in $log" >&2
        return 1
    fi
    steps=$(sed -n 's/^\[\([0-9]*\)\/[0-9]*\].*/\1/p' "$log" | tail -n 1)
    if [[ -n $steps ]]; then
        echo "build: $steps steps in $(seconds $((SECONDS - started))) ($folder)"
    else
        echo "build: nothing to do ($folder)"
    fi
}

# On a terminal one line that counts; elsewhere nothing.
progress() {
    if [[ -t 1 ]]; then
        awk 'match($0, /^\[[0-9]+\/[0-9]+\]/) { printf "\rbuild: %s ", substr($0, 1, RLENGTH); fflush() }
             END { printf "\r                              \r" }'
    else
        cat >/dev/null
    fi
}
