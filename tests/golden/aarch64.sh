#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# aarch64.sh [BUILD] - another processor computes the answers of tests/golden/digests: core is
# compiled for aarch64 and run by qemu-user. Needs the Debian packages gcc-aarch64-linux-gnu,
# libc6-dev-arm64-cross and qemu-user; MPFR and GMP for arm64 are fetched from the machine's
# own apt sources into BUILD/root, with an apt state of its own, so that the system's list of
# architectures stays as it is. -ffp-contract=off matters here: aarch64 always has fused
# multiply-add.
set -euo pipefail

cd "$(dirname "$0")/../.."
build=$(mkdir -p "${1:-build/aarch64}" && cd "${1:-build/aarch64}" && pwd)
digests=$PWD/tests/golden/digests
cc=aarch64-linux-gnu-gcc

for tool in "$cc" qemu-aarch64; do
    command -v "$tool" >/dev/null || {
        echo "$tool is missing: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
        echo "0 passed, 1 failed"
        exit 1
    }
done

fetch_libraries()
{
    local state=$build/apt
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$build/root"
    : >"$state/status"
    local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64
               -o Dir::State="$state" -o Dir::State::lists="$state/lists"
               -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache"
               -o APT::Sandbox::User=root)
    "${apt[@]}" update
    (cd "$state" && "${apt[@]}" download libmpfr-dev libgmp-dev)
    for package in "$state"/*.deb; do
        dpkg-deb -x "$package" "$build/root"
    done
}

[ -e "$build/root/usr/include/mpfr.h" ] || fetch_libraries

# shellcheck disable=SC2046 # a list of files
"$cc" -std=c11 -D_GNU_SOURCE -I. -I"$build/root/usr/include" \
    -I"$build/root/usr/include/aarch64-linux-gnu" -O2 -ffp-contract=off -fno-math-errno \
    -static -o "$build/digest" tests/golden/digest*.c $(find core -name '*.c') \
    -L"$build/root/usr/lib/aarch64-linux-gnu" -lmpfr -lgmp -lm -lpthread

answers=$(mktemp -d)
trap 'rm -rf "$answers"' EXIT
qemu-aarch64 "$build/digest" --write "$answers" "$digests"
count=$(grep -c . "$digests")
result=$(cd "$answers" && LC_ALL=C sha256sum --check "$digests" 2>/dev/null) || true
grep -v ': OK$' <<<"$result" || true
right=$(grep -c ': OK$' <<<"$result" || true)
echo "aarch64, in one piece: $right of $count"
echo "$right passed, $((count - right)) failed"
[ "$right" -eq "$count" ]
