#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# templates.sh - begins an encoding of each family with `make new`, in a copy of the tree, then
# compiles all of them, runs their suites and their rows of known answers, and the rules of lint:
# what core/README.md promises of minute 5. The copy has the objects of build/, so that only what
# depends on the list of encodings is compiled. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL CK_RUN_SUITE CK_RUN_CASE

families=$(sed -nE "s/^families='(.*)'$/\1/p" core/template/new.sh)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$copy"
git init -q "$copy" # lint asks git which files there are
mkdir "$copy/build"
cp -a build/gen build/obj build/*.a build/.flags "$copy/build"

passed=0 failed=0
try() { # try WHAT COMMAND... - runs the command in the copy
    local what=$1
    shift
    if (cd "$copy" && "$@") >"$copy/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        grep -E 'error:|:[FE]:|missing|columns' "$copy/log" || tail -n 5 "$copy/log"
        echo "templates: FAILED: $what"
    fi
}

for family in $families; do
    try "make new FAMILY=$family" make -s new NAME="tried-$family" FAMILY="$family"
done
try 'what the templates make compiles' make core build/posencd build/tests/run
for suite in rows registry; do
    try "the suite $suite" env CK_RUN_SUITE="$suite" build/tests/run
done
try 'what the templates make is as lint demands' /usr/bin/python3 tests/lint/run.py build \
    catalogue names sizes calls citations dialect headers once parameters
echo "templates: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
