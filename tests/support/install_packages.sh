#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install_packages.sh PACKAGE... - installs the given Debian packages that are missing. It uses no
# network when none is missing and asks for no input. On a system without dpkg it says what is
# needed, and goes on if pkg-config finds the libraries.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system; what is needed, by its Debian names: $*"
    if pkg-config --exists libmicrohttpd jansson libuv check mpfr libxxhash libdeflate zlib \
        libcurl; then
        exit 0
    fi
    echo "install these (or their equivalents) and try again" >&2
    exit 1
fi

missing=()
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "missing packages; as root, run:" >&2
        echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo -n)
fi
echo "installing: ${missing[*]}"
quiet=(-qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120)
"${as_root[@]}" apt-get "${quiet[@]}" update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get "${quiet[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null
