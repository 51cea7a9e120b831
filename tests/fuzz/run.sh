#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS TARGET... - runs each libFuzzer program for SECONDS (TARGET=N: for N seconds), two
# at a time, from the seeds in tests/fuzz/corpus/NAME, those of seeds.sh and the words in
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
    local name=$1 log=$2 files
    files=$(sed -nE '/Targets:/,/\*\//p' "tests/fuzz/fuzz_$name.c" | grep -oE '[a-z_0-9/]+\.c' |
        paste -sd'|')
    awk -v files="$files" '
        /COVERED_FUNC/ && $0 ~ files ":" { split($5, edges, "/"); a += edges[1]; b += edges[2] }
        END { printf "%d of %d edges of its targets", a, b }' "$log"
}

# What a failed run found, in one line: the summary, and the input, since build/ may not be kept.
finding() {
    local summary input
    summary=$(grep -aE '^SUMMARY|Assertion' "$1" | tail -n 1 | cut -c 1-100)
    input=$(sed -nE 's/.*Test unit written to (.*)$/\1/p' "$1" | tail -n 1)
    echo "${summary:-no summary}${input:+, by $(head -c 600 "$input" | base64 -w 0)}"
}

fuzz() {
    local target=${1%=*} own=$seconds name log kept options folders runs
    [ "$target" = "$1" ] || own=${1#*=}
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
    if ! "$target" "${options[@]}" -max_total_time="$own" -print_final_stats=1 \
        -print_coverage=1 "${folders[@]}" >"$log" 2>&1; then
        grep -v COVERED "$log" | tail -n 60
        echo "fuzz $name: FAILED: $(finding "$log"); the whole report is $log"
        return
    fi
    runs=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz $name: ${runs:-0} runs in $own s, clean, $(reached "$name" "$log")"
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
