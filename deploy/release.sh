#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# release.sh VERSION [PART...] - makes what a release consists of in build/release, from the commit that is
# checked out: the tarball, the Debian packages, compiled from the tarball, an image for each
# architecture, and their checksums. PART is tarball, packages or images; all of them without one. The
# same commit makes the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1
shift
parts=${*:-tarball packages images}
out=${OUT:-$PWD/build/release}
name=posencd-$version
# Images of other architectures need an image.sh that knows ARCH.
architectures=$(dpkg --print-architecture)
if grep -q '\bARCH\b' deploy/image.sh; then
    architectures='amd64 arm64'
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

if [ -n "$(git status --porcelain)" ]; then
    echo 'a release is made of a commit: commit what has changed, or put it away' >&2
    exit 1
fi
rm -rf "$out"
mkdir -p "$out"
for part in $parts; do
    case $part in
    tarball)
        git archive --format=tar --prefix="$name/" HEAD | gzip -n -9 >"$out/$name.tar.gz"
        ;;
    packages)
        tree=$out/$name
        git archive --format=tar --prefix="$name/" HEAD | tar -x -C "$out"
        # Without the folder's name in the program, its build id is the same in any folder.
        flags="-g -ffile-prefix-map=$tree=."
        make -C "$tree" --no-print-directory CFLAGS="$flags" all digests
        OUT=$tree/build/deb make -C "$tree" --no-print-directory CFLAGS="$flags" deb
        mv "$tree"/build/deb/*.deb "$out/"
        rm -rf "$tree"
        ;;
    images)
        for arch in $architectures; do
            rm -f build/image/posencd*.tar
            make --no-print-directory image ARCH="$arch"
            mv build/image/posencd*.tar "$out/posencd-$version-$arch.image.tar"
        done
        ;;
    *)
        echo "no part $part: tarball, packages or images" >&2
        exit 64
        ;;
    esac
done
cd "$out"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
