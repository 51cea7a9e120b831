#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sanitized_mhd.sh FOLDER - libmicrohttpd from Debian's own source package, its patches applied,
# compiled with the sanitizers, as FOLDER/libmicrohttpd.a. It needs Debian's archive; where the
# archive cannot be reached it says so in FOLDER/log and ends with 1, and the campaign uses the
# installed library.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
[ ! -e "$folder/libmicrohttpd.a" ] || exit 0
installed=$(dpkg-query -W -f '${Version}' libmicrohttpd12)
cd "$folder"
exec >log 2>&1

# Package lists of this folder: the lists of the machine stay as they are.
mirror=$(sed -nE 's/^(URIs:|deb) *(\[[^]]*\] *)?(https?:[^ ]*debian) .*|^URIs: *(https?:[^ ]*debian) *$/\3\4/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "${mirror:-http://deb.debian.org/debian} bookworm main" >src.list
mkdir -p lists/partial cache/archives/partial
apt=(apt-get -o "Dir::Etc::sourcelist=$folder/src.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" source "libmicrohttpd=$installed"

cd libmicrohttpd-*/
CC=${CLANG:-clang-14} CFLAGS='-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined
    -fno-sanitize-recover=all' ./configure --disable-shared --disable-doc --disable-examples \
    --disable-curl --disable-dependency-tracking --with-pic
make -j2 -C src/microhttpd libmicrohttpd.la
cp src/microhttpd/.libs/libmicrohttpd.a "$folder"/
