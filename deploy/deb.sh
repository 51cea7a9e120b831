#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# deb.sh VERSION MAINTAINER PACKAGE... - makes the Debian packages of this checkout, from what is built in
# it, and prints their names. PACKAGE... are those that a build depends on. REVISION is that of the packages
# (1), OUT the folder that they are written to (build/deb). The same commit makes the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1 maintainer=$2
shift 2
out=${OUT:-$PWD/build/deb}
unset MAKEFLAGS
# The time of the commit, or of the tarball.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}

if ! command -v dh >/dev/null; then
    echo 'debhelper is missing: run `make deps-package`' >&2
    exit 1
fi
tree=$out/posencd-$version
rm -rf "$tree"
mkdir -p "$tree"
deploy/debian_folder.sh "$tree/debian" "$maintainer" "$version-${REVISION:-1}" "$@"
rm -f "$out"/*.deb
source=$PWD
if ! (cd "$tree" && DEB_RULES_REQUIRES_ROOT=no debian/rules binary SOURCE="$source" \
    POSENCD_CFLAGS="${CFLAGS--g}") >"$out/log" 2>&1; then
    cat "$out/log" >&2
    exit 1
fi
rm -rf "$tree"
ls "$out"/*.deb
