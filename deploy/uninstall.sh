#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# uninstall.sh DESTDIR INSTALL... - removes the files that the command `INSTALL... DESTDIR=folder` writes
# below a folder, from DESTDIR. A file of settings that was changed stays, and so does every folder.
set -euo pipefail

destination=$1
shift
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
"$@" DESTDIR="$stage" >/dev/null
(cd "$stage" && find . ! -type d -printf '%P\0') | while IFS= read -r -d '' file; do
    here=$destination/$file
    if [[ $file == */default/posencd ]] && [ -e "$here" ] && ! cmp -s "$stage/$file" "$here"; then
        echo "$here was changed and stays"
    else
        rm -fv "$here"
    fi
done
