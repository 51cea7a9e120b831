#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS TARGET... - runs each libFuzzer program for so long, from the seeds in
# tests/fuzz/corpus/NAME and the words in tests/fuzz/NAME.dict where there are any. What it
# finds interesting stays in build/fuzz/corpus/NAME, what it breaks in build/fuzz/found-NAME-*.
set -uo pipefail
cd "$(dirname "$0")/../.."

seconds=$1
shift
passed=0 failed=0
for target in "$@"; do
    name=$(basename "$target")
    name=${name#fuzz_}
    kept=build/fuzz/corpus/$name
    mkdir -p "$kept"
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
        -artifact_prefix="build/fuzz/found-$name-")
    [ ! -e "tests/fuzz/$name.dict" ] || options+=(-dict="tests/fuzz/$name.dict")
    folders=("$kept")
    [ ! -d "tests/fuzz/corpus/$name" ] || folders+=("tests/fuzz/corpus/$name")
    log=build/fuzz/$name.log
    if "$target" "${options[@]}" "${folders[@]}" >"$log" 2>&1; then
        passed=$((passed + 1))
        runs=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz $name: ${runs:-0} runs in $seconds s, clean"
    else
        failed=$((failed + 1))
        tail -n 60 "$log"
        echo "fuzz $name: FAILED; the whole report is $log"
    fi
done
echo "fuzz: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
