#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# release.sh VERSION [PART...] - makes what a release consists of in build/release, from the commit that is
# checked out: the tarball, the Debian packages, compiled from the tarball, the clients for Python (a wheel
# and its sources) and TypeScript, an image with its bill of materials for each of ARCHITECTURES (amd64
# arm64), the Helm chart, the pages as files, a bill of materials of all this and the checksums. PART is
# tarball, packages, clients, images, chart or site; without one it is all of them whose tools are installed.
# The same commit makes the same bytes. SIGN names a secret key of gpg's keyring (GNUPGHOME), which signs the
# checksums. Then every file is tried where there is no network (deploy/release/verify.py): VERIFY=root, in a
# clean Debian with the packages PACKAGES, VERIFY=here, on this machine, or VERIFY=no.
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
VERIFY=${VERIFY:-root}
case $VERIFY in
root | here | no) ;;
*)
    echo "VERIFY must be root, here or no; got $VERIFY" >&2
    exit 64
    ;;
esac
if [ -n "${SIGN-}" ] && ! gpg --batch --list-secret-keys "$SIGN" >/dev/null 2>&1; then
    echo "SIGN must name a secret key of gpg's keyring; there is none for $SIGN" >&2
    exit 64
fi
if [ -z "$parts" ]; then
    parts='tarball chart'
    for row in packages:dh:deps-package 'clients:npm wasm-ld-14:deps-clients deps-wasm' \
        site:wasm-ld-14:deps-wasm images:buildah:deps-image; do
        IFS=: read -r part tools goals <<<"$row"
        missing=''
        for tool in $tools; do
            command -v "$tool" >/dev/null || missing=$tool
        done
        if [ -z "$missing" ]; then
            parts+=" $part"
        else
            echo "no $part: $missing is missing, run \`make $goals\`" >&2
        fi
    done
fi
# The same bytes for the same files.
pack_folder() { # pack_folder ABOVE FOLDER NAME
    tar -c --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        --mode=u=rwX,go=rX -C "$1" "$2" | gzip -n -9 >"$out/$3"
}

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
        make --no-print-directory wasm # which they compute by, without a service
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
    chart)
        # Named as `helm package` does.
        pack_folder deploy/helm posencd "$name.tgz"
        ;;
    site)
        make --no-print-directory site
        rm -rf "build/$name-site"
        mv build/site "build/$name-site"
        pack_folder build "$name-site" "$name.site.tar.gz"
        rm -rf "build/$name-site"
        ;;
    *)
        echo "no part $part: tarball, packages, clients, images, chart or site" >&2
        exit 64
        ;;
    esac
done
deploy/release/bill.py "$out" "$version" build/wasm/libraries/source >"$out/$name.spdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS)
[ -z "${SIGN-}" ] || gpg --batch --yes --local-user "$SIGN" --armor --output "$out/SHA256SUMS.asc" \
    --detach-sign "$out/SHA256SUMS"
if [ "$VERIFY" = no ]; then
    cat "$out/SHA256SUMS"
else
    # shellcheck disable=SC2086 # names of packages
    deploy/release/verify.py "$out" "$version" "$VERIFY" ${PACKAGES-} | tee "$out.md"
fi
