#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# new.sh NAME FAMILY - begins an encoding: its source and its rows of known answers and laws
# from the templates beside this file, and its line in core/encodings.def, in order. The id that
# clients write has dashes where C has underscores.
set -euo pipefail
cd "$(dirname "$0")/../.."

name=${1//-/_} family=$2
id=${name//_/-}
families='absolute rotary bias index mask spatial graph'
usage() {
    echo "$1; say: make new NAME=kerple FAMILY=bias" >&2
    exit 64
}
[[ $name =~ ^[a-z][a-z0-9_]{1,30}$ ]] || usage "NAME must be of a-z, 0-9 and dashes, got '$1'"
[[ " $families " == *" $family "* ]] || usage "FAMILY must be one of $families, got '$family'"
if grep -q "^ENCODING($name)$" core/encodings.def; then
    usage "there is an encoding $name already"
fi
source=core/encodings/$family/$name.c
rows=tests/core/encodings/$family/$name.txt
if [ -e "$source" ] || [ -e "$rows" ] || [ -n "$(find tests -name "test_$name.c")" ]; then
    usage "there is a file $source, $rows or a test_$name.c already"
fi

templates=core/template/$family # a family may have templates of its own
[ -d "$templates" ] || templates=core/template
fill_in() {
    mkdir -p "$(dirname "$2")"
    sed -e "s/@NAME@/$name/g; s/@ID@/$id/g; s/@FAMILY_UPPER@/${family^^}/g" "$templates/$1" >"$2"
}
fill_in encoding.c.in "$source"
fill_in rows.txt.in "$rows"
echo "ENCODING($name)" >>core/encodings.def
core/template/sort.sh

if command -v clang-format-14 >/dev/null; then
    clang-format-14 -i "$source" # a long name may want other line breaks
fi

echo "$source"
echo "$rows"
echo "core/encodings.def: ENCODING($name)"
echo "next: make run, then curl 'localhost:8080/v1/$(grep -m1 "^$id?" "$rows")'; core/README.md goes on"
