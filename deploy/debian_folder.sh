#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian_folder.sh FOLDER MAINTAINER VERSION PACKAGE... - writes the folder debian/ of a source tree
# from deploy/debian, with the version and what a build depends on.
set -euo pipefail

here=$(dirname "$0")/debian
folder=$1 maintainer=$2 version=$3
shift 3
depends=$(printf ', %s' "$@")

cp -a "$here" "$folder"
rm "$folder/control.in"
sed "s|@MAINTAINER@|$maintainer|; s|@BUILD_DEPENDS@|${depends#, }|" "$here/control.in" >"$folder/control"
cat >"$folder/changelog" <<END
posencd ($version) unstable; urgency=medium

  * What has changed is in changelog.gz, the CHANGELOG.md of posencd.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
mkdir "$folder/source"
echo '3.0 (quilt)' >"$folder/source/format"
