#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stages.sh GOALS... - runs `make GOALS` for each argument (a goal, or several in one word),
# goes on after a failure, and closes with the time of each stage and the sum of what they
# counted: the last "N passed, N failed" a stage prints, else one for the stage itself.
set -uo pipefail

make=${MAKE:-make}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 table=

for stage in "$@"; do
    echo "== make $stage"
    start=$EPOCHREALTIME
    # shellcheck disable=SC2086 # several goals in one word are meant to be split
    $make --no-print-directory $stage 2>&1 </dev/null | tee "$log"
    status=${PIPESTATUS[0]}
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    counts=$(sed -nE 's/^([a-z-]+: )?([0-9]+) passed, ([0-9]+) failed.*/\2 \3/p' "$log" | tail -n 1)
    read -r ok bad <<<"${counts:-$((status == 0)) 0}"
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    passed=$((passed + ok)) failed=$((failed + bad))
    table+=$(printf '  %8s s  %-24s %6d passed, %d failed' "$seconds" "$stage" "$ok" "$bad")$'\n'
done

echo "== stages"
printf '%s' "$table"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
