#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# image.sh VERSION [PACKAGE...] - builds the Dockerfile with buildah, without root and without a
# daemon. The base image is made from this machine's own apt sources and contains the packages,
# so the build itself uses no network. The result is localhost/posencd:VERSION, and
# build/image/posencd.tar for `docker load`.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1
shift
here=build/image
mkdir -p "$here"
for tool in buildah mmdebstrap; do
    command -v $tool >/dev/null || { echo "$tool is missing: run \`make deps-image\`" >&2; exit 1; }
done

export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
storage=(--root "$PWD/$here/storage" --runroot "$PWD/$here/run")

sources=/etc/apt/sources.list.d/debian.sources
[ -e "$sources" ] || sources=/etc/apt/sources.list
base=$here/base-$(printf '%s ' "$@" | sha256sum | cut -c 1-12).tar
if [ ! -e "$base" ]; then
    include=$(IFS=,; echo "make,$*")
    mmdebstrap --quiet --variant=apt --include="$include" \
        --aptopt='APT::Install-Recommends "false"' bookworm "$base.part" "$sources"
    mv "$base.part" "$base"
fi

container=$(buildah "${storage[@]}" from scratch)
buildah "${storage[@]}" add --quiet "$container" "$base" / >/dev/null
buildah "${storage[@]}" commit --quiet --rm "$container" localhost/posenc-base >/dev/null
buildah "${storage[@]}" bud --quiet --format docker --pull-never --build-arg BASE=localhost/posenc-base \
    --tag "localhost/posencd:$version" . | tail -n 1
rm -f "$here/posencd.tar"
buildah "${storage[@]}" push --quiet "localhost/posencd:$version" \
    "docker-archive:$here/posencd.tar:posencd:$version"
echo "$here/posencd.tar: $(du -h "$here/posencd.tar" | cut -f 1), localhost/posencd:$version"
