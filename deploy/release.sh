#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# release.sh VERSION [PART...] - makes what a release consists of in build/release, from the commit that is
# checked out: the tarball, the Debian packages, compiled from the tarball, the clients for Python (a wheel
# and its sources) and TypeScript, an image with its bill of materials for each of ARCHITECTURES (amd64
# arm64), and their checksums. PART is tarball, packages, clients or images; without one it is all of them
# whose tools are installed. The same commit makes the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1
shift
parts=$*
out=$(realpath -m "${OUT:-build/release}")
name=posencd-$version
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

if [ -n "$(git status --porcelain)" ]; then
    echo 'a release is made of a commit: commit what has changed, or put it away' >&2
    exit 1
fi
if [ -z "$parts" ]; then
    parts='tarball'
    for pair in packages:dh:deps-package clients:npm:deps-clients images:buildah:deps-image; do
        IFS=: read -r part tool goal <<<"$pair"
        if command -v "$tool" >/dev/null; then
            parts+=" $part"
        else
            echo "no $part: $tool is missing, run \`make $goal\`" >&2
        fi
    done
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
        make -C "$tree" --no-print-directory CFLAGS="$flags" OUT="$tree/build/deb" deb
        mv "$tree"/build/deb/*.deb "$out/"
        rm -rf "$tree"
        ;;
    clients)
        if command -v wasm-ld-14 >/dev/null; then
            make --no-print-directory wasm # which they compute by, without a service
        else
            echo 'the clients have no WebAssembly modules: wasm-ld-14 is missing, run `make deps-wasm`' >&2
        fi
        make --no-print-directory clients
        cp build/clients/python/dist/* build/clients/typescript/posenc-*.tgz "$out/"
        ;;
    images)
        for arch in ${ARCHITECTURES:-amd64 arm64}; do
            made=build/image/$arch
            IMAGE=$made make --no-print-directory image ARCH="$arch"
            cp "$made/posencd.tar" "$out/posencd-$version-$arch.image.tar"
            cp "$made/posencd.spdx.json" "$out/posencd-$version-$arch.spdx.json"
        done
        ;;
    *)
        echo "no part $part: tarball, packages, clients or images" >&2
        exit 64
        ;;
    esac
done
cd "$out"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
