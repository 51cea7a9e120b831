#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mutant.sh DIGEST - proves that the digests can fail: DIGEST is built with fused multiply-add
# (-ffp-contract=fast -mfma), so float64 answers must differ from tests/golden/digests, in
# one piece and in pieces, on every path of this CPU.
set -uo pipefail

digests=$(dirname "$0")/digests
if ! grep -qw fma /proc/cpuinfo; then
    echo "this CPU has no fused multiply-add, so the mutant cannot run"
    echo "0 passed, 1 failed"
    exit 1
fi
out=$("$1" "$digests" 2>&1)
passed=0 failed=0
while read -r line; do
    right=$(sed -E 's/.*: ([0-9]+) of .*/\1/' <<<"$line")
    all=$(sed -E 's/.* of ([0-9]+)$/\1/' <<<"$line")
    if [ "$right" -lt "$all" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "a mutant with fused multiply-add is not noticed: $line"
    fi
done < <(grep -E ': [0-9]+ of [0-9]+$' <<<"$out")
if ! grep -q 'dtype=f64: FAILED$' <<<"$out"; then
    failed=$((failed + 1))
    echo "no float64 answer of the mutant differs"
fi
[ "$passed" -gt 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
