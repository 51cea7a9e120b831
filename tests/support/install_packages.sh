#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# install_packages.sh PACKAGE... - installs the given packages that are missing, of Debian 12, Debian 13 or
# Ubuntu. It uses no network when none is missing and asks for no input. On a system without apt-get it
# says what the packages are called elsewhere, and goes on if all that they have is there.
set -euo pipefail

command -v apt-get >/dev/null || exec "${0%/*}/find_dependencies.sh" "$@"

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
