#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stages.sh GOALS... - runs `make GOALS` for each argument (a goal, or several in one word),
# goes on after a failure, and ends with the time of each stage, the lines that say what failed,
# and the sum of the stages' counts: the last "N passed, N failed" that a stage prints, else one for
# the stage itself, and the minutes that all took. The last two kilobytes of the output are enough
# to see what failed. With BESIDE=yes all stages run at the same time, for those that wait more than they
# compute; the output of each comes when its turn has come.
set -uo pipefail

make=${MAKE:-make}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0 failed=0 table='' broken=''
began=$EPOCHREALTIME

# The forms in which the stages say what failed: check, the campaign, unittest, goldens and shell
# suites, lint, compilers and their sanitizers, make.
says=':[FE]:[^:]+:|^BROKEN |^WRONG |^(FAIL|ERROR|failed)[: ]|^[A-Za-z.]+Error\b|FAILED|: run `make'
says+='|Sanitizer|error:|^[a-z_/.0-9]+\.(c|h|def|py|sh|md|cc):[0-9]+|\*\*\* '

# The lines of a log in such a form, shortened; its last three lines if there is none.
failures() {
    local found
    found=$(grep -aE "$says" "$1" | awk '!seen[$0]++' | head -n 6)
    printf '%s\n' "${found:-$(tail -n 3 "$1")}" | cut -c 1-200 | sed "s/^/  $2: /" | head -c 800
}

# Makes a stage; leaves its output in the log, and its exit status and seconds beside it.
run_stage() { # run_stage STAGE LOG
    local start=$EPOCHREALTIME
    # shellcheck disable=SC2086 # several goals in one word are meant to be split
    $make --no-print-directory $1 2>&1 </dev/null | tee "$2"
    echo "${PIPESTATUS[0]} $(awk -v a="$start" -v b="$EPOCHREALTIME" \
        'BEGIN { printf "%.1f", b - a }')" >"$2.end"
}

number=0
for stage in ${BESIDE:+"$@"}; do
    log=$logs/$((number += 1))
    BESIDE='' run_stage "$stage" "$log" >/dev/null &
done
wait

number=0
for stage in "$@"; do
    log=$logs/$((number += 1))
    echo "== make $stage"
    if [ -n "${BESIDE:-}" ]; then cat "$log"; else run_stage "$stage" "$log"; fi
    read -r status seconds <"$log.end"
    counts=$(sed -nE 's/^([a-z-]+: )?([0-9]+) passed, ([0-9]+) failed.*/\2 \3/p' "$log" | tail -n 1)
    read -r ok bad <<<"${counts:-$((status == 0)) 0}"
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    [ "$bad" -eq 0 ] || broken+=$(failures "$log" "${stage##* }")$'\n'
    passed=$((passed + ok)) failed=$((failed + bad))
    table+=$(printf '  %8s s  %-24s %6d passed, %d failed' "$seconds" "$stage" "$ok" "$bad")$'\n'
done

echo "== stages"
printf '%s' "$table"
[ -z "$broken" ] || printf '== what failed\n%s' "$(head -c 1700 <<<"$broken")"$'\n'
minutes=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", (b - a) / 60 }')
echo "$passed passed, $failed failed, in $minutes minutes"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
