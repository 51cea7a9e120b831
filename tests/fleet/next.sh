#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# next.sh FOLDER - builds the next version of posencd in a copy of the tree: the encoding `integer` has
# one revision more and other numbers. Objects of this build are used again, so it takes seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."

next=$1
source=core/encodings/absolute/integer.c
rm -rf "$next"
mkdir -p "$next/build/obj"
cp -a Makefile core proto server docs "$next"
cp -a --parents tests/support/dependencies.txt "$next"
cp -a build/gen build/.flags "$next/build"
cp -a build/obj/core build/obj/proto build/obj/server "$next/build/obj"
awk '
/^    \.revision = / { sub(/[0-9]+/, $3 + 1); raised++ }
/return number_of\(v, / { sub(/return /, "return 1 + "); changed++ }
{ print }
END { exit raised == 1 && changed == 1 ? 0 : 1 }' "$source" >"$next/$source" ||
    { echo "$source: the revision or the number to change was not found" >&2; exit 1; }
make -s -C "$next" build/posencd >/dev/null
