#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sort.sh - puts the lines of core/encodings.def in the order of the ids that clients write,
# where _ is a dash and the _apply of an encoding's vectors a slash; equal lines become one.
set -euo pipefail
cd "$(dirname "$0")/../.."

table=$(mktemp)
trap 'rm -f "$table"' EXIT
{
    grep -v '^ENCODING(' core/encodings.def
    grep '^ENCODING(' core/encodings.def |
        sed -E 'h; s/^ENCODING\((.*)\)$/\1/; s/_apply$/\//; s/_/-/g; G; s/\n/ /' |
        LC_ALL=C sort -u | sed 's/.* //'
} >"$table"
cmp -s "$table" core/encodings.def || cat "$table" >core/encodings.def
