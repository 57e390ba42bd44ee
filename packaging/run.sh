#!/usr/bin/env bash
# Builds the workbench and shows a built-in model in its three stages: exported, prepared, converted.
#
#   packaging/run.sh [MODEL]    MODEL: a built-in model (default: residual) or a .pt2 file
#
# With a display it opens the window; without one it prints the tables, compares float, simulated and
# XNNPACK outputs, and draws the figure. The first run installs and builds what is missing.
set -euo pipefail
case ${1:-} in
    -h | --help)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
        exit
        ;;
esac
model=${1:-residual}
if [[ -f $model ]]; then
    model=$(realpath "$model")
fi
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

packaging/bootstrap
bin=$root/build/release/bin

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
    echo "run: the window with $model"
    build release pt2e-workbench pt2e-layout pt2e_torch
    exec "$bin/pt2e-workbench" "$model"
fi

echo "run: no display, so on the command line: the three stages of $model"
build release pt2e pt2e-layout pt2e_torch
options=()
if [[ $model == residual ]]; then
    options=(--ch 8 --seed 0)
fi
step() {
    printf '\n$ pt2e %s\n' "$*"
    "$bin/pt2e" "$@"
}
figure=$root/build/$(basename "$model" .pt2)-stages.svg
step tables "$model" "${options[@]}"
step compare "$model" "${options[@]}"
step draw "$model" "${options[@]}" --stages exported,prepared,converted -o "$figure"
printf '\nrun: the figure is %s\n' "$figure"
