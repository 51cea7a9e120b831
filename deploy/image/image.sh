#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# image.sh VERSION ARCH PACKAGE... - builds the Dockerfile with buildah, without a daemon, for an
# architecture. The base image is a Debian with the packages, made from this machine's own apt sources (or
# the list in the file SOURCES), so the build itself uses no network and runs nothing of another
# architecture. The result in IMAGE (build/image/ARCH) is posencd.tar, for `docker load` and as an OCI
# layout, posencd.spdx.json and `digest`, that of the manifest: the same for the same commit and packages.
#
# SHIP=folder/ship packs what `make ship` has made there and builds nothing. IMAGE_BASES is the folder where
# base images are kept for the next time (build/image). SOURCE_URL becomes the label
# org.opencontainers.image.source.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$1 arch=$2
shift 2
mkdir -p "${IMAGE:=build/image/$arch}"
out=$(realpath "$IMAGE")
sources=${SOURCES:-/etc/apt/sources.list.d/debian.sources}
if [ -n "${SOURCES-}" ] && [ ! -f "$sources" ]; then
    echo "SOURCES=$sources is no file: give a list of apt sources" >&2
    exit 64
fi
for tool in buildah mmdebstrap; do
    command -v $tool >/dev/null || { echo "$tool is missing: run \`make deps-image\`" >&2; exit 1; }
done

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
storage=(--root "$out/storage" --runroot "$out/run")
native=$(dpkg --print-architecture)
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
build=(buildah "${storage[@]}" bud --quiet --format docker --pull-never --platform "linux/$arch"
       --timestamp "$SOURCE_DATE_EPOCH" --build-arg SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH"
       --build-arg BUILDPLATFORM="linux/$native" --build-arg VERSION="$version" --build-arg CREATED="$created"
       --build-arg REVISION="${REVISION-$(git rev-parse HEAD 2>/dev/null)}")
[ -z "${SOURCE_URL-}" ] || build+=(--label "org.opencontainers.image.source=$SOURCE_URL")

# A Debian with the packages, of this architecture and the image's.
make_base() {
    rm -rf "$base.part"
    [ -e "$sources" ] || sources=/etc/apt/sources.list
    mmdebstrap --quiet --variant=apt --include="$(IFS=,; echo "make,$*")" \
        --architectures="$(printf '%s\n' "$native" "$arch" | uniq | paste -s -d ,)" \
        --format=directory --aptopt='APT::Install-Recommends "false"' bookworm "$base.part" "$sources"
    mv "$base.part" "$base"
}

# Builds what the image contains in that Debian.
make_ship() {
    local container hash
    hash=$({ printf '%s ' "$@"; cat ${SOURCES:+"$SOURCES"} </dev/null; } | sha256sum | cut -c 1-12)
    base=$(realpath "${IMAGE_BASES:-build/image}")/base-$hash
    [ -e "$base" ] || make_base "$@"
    ln -sfn "$base" "$out/base"
    container=$(buildah "${storage[@]}" from scratch)
    buildah "${storage[@]}" add --quiet "$container" "$base" / >/dev/null
    buildah "${storage[@]}" commit --quiet --rm "$container" localhost/posencd-base >/dev/null
    rm -rf "$out/ship"
    "${build[@]}" --build-arg BASE=localhost/posencd-base --target ship \
        --output "type=local,dest=$out/ship" . >/dev/null
}

rm -rf "$out/storage" "$out/run" "$out/saved.tar" "$out/posencd.tar"
if [ -z "${SHIP-}" ]; then
    make_ship "$@"
    SHIP=$out/ship
fi
if [ "$(basename "$(realpath "$SHIP")")" != ship ]; then
    echo "SHIP must name a folder called ship, as \`make ship\` makes it; got $SHIP" >&2
    exit 64
fi
"${build[@]}" --build-context "build=$(dirname "$(realpath "$SHIP")")" --tag localhost/posencd . >/dev/null
buildah "${storage[@]}" push --quiet localhost/posencd "docker-archive:$out/saved.tar:posencd:$version"
deploy/image/archive.py "$out/saved.tar" "$out/posencd.tar" "posencd:$version" >"$out/digest"
cp "$SHIP/posencd.spdx.json" "$out/"
rm -rf "$out/storage" "$out/run" "$out/saved.tar"
echo "$out/posencd.tar: $(du -h "$out/posencd.tar" | cut -f 1), linux/$arch, $(cat "$out/digest")"
