#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# library_headers.sh FOLDER - makes links in the folder to the headers of the libraries that posencd is
# built from, and of the kernel, without those of the C library: another C library compiles with them.
set -euo pipefail
cd "$(dirname "$0")/../.."

rm -rf "$1"
mkdir -p "$1"
packages=$(awk '!/^#/ && $1 ~ /core|proto|server/ && $2 == "pkg-config" { print $4 }' \
    tests/support/dependencies.txt)
# shellcheck disable=SC2086 # the packages are words
dpkg-query --listfiles $packages linux-libc-dev |
    sed -nE 's,^(/usr/include/([^/]*-linux-gnu/)?[^/]+).*,\1,p' | grep -v -- '-linux-gnu$' | sort -u |
    xargs ln -sfn -t "$1"
touch "$1/.done"
