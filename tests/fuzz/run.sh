#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS TARGET... - runs each libFuzzer program for SECONDS, two at a time, from the seeds
# in tests/fuzz/corpus/NAME, the seeds of the unit tests (seeds.sh) and the words in
# tests/fuzz/NAME.dict, then says which part of its target functions it reached. Inputs that reach
# new code stay in build/fuzz/corpus/NAME, inputs that break something in build/fuzz/found-NAME-*.
set -uo pipefail
cd "$(dirname "$0")/../.."

export ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v llvm-symbolizer-14)}
seconds=$1
shift
[ -d build/fuzz/seeds ] || [ ! -x build/fuzz/recorder ] || tests/fuzz/seeds.sh

# The edges of the functions that a target names in its head comment: those reached, and all.
reached() {
    local name=$1 files
    shift
    files=$(sed -nE '/Targets:/,/\*\//p' "tests/fuzz/fuzz_$name.c" | grep -oE '[a-z_0-9/]+\.c' |
        paste -sd'|')
    "$@" 2>&1 | awk -v files="$files" '
        /COVERED_FUNC/ && $0 ~ files ":" { split($5, edges, "/"); a += edges[1]; b += edges[2] }
        END { printf "%d of %d edges of its targets", a, b }'
}

fuzz() {
    local target=$1 name log kept options folders runs
    name=$(basename "$target")
    name=${name#fuzz_}
    log=build/fuzz/$name.log
    kept=build/fuzz/corpus/$name
    mkdir -p "$kept"
    options=(-timeout=10 -rss_limit_mb=2048 "-artifact_prefix=build/fuzz/found-$name-")
    [ ! -e "tests/fuzz/$name.dict" ] || options+=(-dict="tests/fuzz/$name.dict")
    folders=("$kept")
    for folder in "tests/fuzz/corpus/$name" "build/fuzz/seeds/$name"; do
        [ ! -d "$folder" ] || folders+=("$folder")
    done
    if ! "$target" "${options[@]}" -max_total_time="$seconds" -print_final_stats=1 \
        "${folders[@]}" >"$log" 2>&1; then
        tail -n 60 "$log"
        echo "fuzz $name: FAILED; the whole report is $log"
        return
    fi
    runs=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz $name: ${runs:-0} runs in $seconds s, clean," \
        "$(reached "$name" "$target" "${options[@]}" -runs=0 -print_coverage=1 "${folders[@]}")"
}

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for target in "$@"; do
    fuzz "$target" &
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
        wait -n
    done
done > >(tee "$results")
wait
passed=$(grep -c ', clean' "$results")
failed=$(($# - passed))
echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
