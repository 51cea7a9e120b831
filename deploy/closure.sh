#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# closure.sh PROGRAM ROOT - copies a program and the shared libraries that it needs into a new root,
# all stripped, with the copyright files of their packages and an unprivileged user.
set -euo pipefail

program=$1 root=$2
mkdir -p "$root/usr/bin" "$root/etc" "$root/tmp"
install -m 755 -s "$program" "$root/usr/bin/"

# The absolute paths that ldd prints are the libraries and the loader.
ldd "$program" | grep -oE '/[^ ]+' | sort -u | while read -r library; do
    cp -L --parents "$library" "$root"
    file=$(realpath "$library") # dpkg may know it by its name before /usr was merged
    package=$({ dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2>/dev/null | cut -d: -f1 || true)
    copyright=/usr/share/doc/$package/copyright
    if [ -n "$package" ] && [ -e "$copyright" ]; then
        cp -L --parents "$copyright" "$root"
    fi
done

echo 'posenc:x:65532:65532:posenc:/:/usr/sbin/nologin' >"$root/etc/passwd"
echo 'posenc:x:65532:' >"$root/etc/group"
chmod 1777 "$root/tmp"
