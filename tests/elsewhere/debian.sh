#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# debian.sh SUITE PACKAGES GOALS... - makes the goals in a root of another Debian, SUITE (trixie), or of an
# Ubuntu (noble), in which these packages are installed, from a copy of this tree. The root is
# build/elsewhere/SUITE and is made anew if it is not there, or has other packages. Objects of an earlier run are found again by
# ccache, where CCACHE_DIR is set. MIRROR is the one of the system, and KEYRING a file of the keys that sign
# its packages, where this system has them not. Run as root: the root is entered by chroot.
set -euo pipefail
cd "$(dirname "$0")/../.."
suite=$1 packages=$2
shift 2
root=$PWD/build/elsewhere/$suite
mirror=http://deb.debian.org/debian components=main
case $suite in
    jammy | noble | plucky | questing) mirror=http://archive.ubuntu.com/ubuntu components=main,universe ;;
esac

[ "$(id -u)" -eq 0 ] || { echo "$0: a root is entered by chroot: run as root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "$0: install mmdebstrap: make deps-elsewhere" >&2; exit 1; }

if [ "$(cat "$root/made" 2>/dev/null)" != "$packages" ]; then
    rm -rf "$root"
    mkdir -p "${root%/*}"
    # shellcheck disable=SC2086 # the packages are words
    mmdebstrap --quiet --variant=minbase --aptopt='APT::Install-Recommends "false"' \
        --include="$(printf '%s,' $packages)make,ccache" --components=$components ${KEYRING:+"--keyring=$KEYRING"} \
        "$suite" "$root" "${MIRROR:-$mirror}"
    printf '%s\n' "$packages" >"$root/made"
fi

rm -rf "$root/src"
mkdir -p "$root/src" "$root/ccache"
tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$root/src"
cp /etc/resolv.conf /etc/hosts "$root/etc/"

# shellcheck disable=SC2016 # the script is expanded inside
exec unshare --mount --pid --fork --kill-child bash -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    compilers=
    [ -z "${CCACHE_DIR:-}" ] || { mount --bind "$CCACHE_DIR" "$root/ccache"; compilers=/usr/lib/ccache:; }
    exec chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 CCACHE_DIR=/ccache CCACHE_BASEDIR=/src \
        CCACHE_NOHASHDIR=1 WERROR="${WERROR:-}" \
        PATH=$compilers/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        bash -c "cd /src && gcc --version | head -n 1 && exec tests/stages.sh \"\$@\"" stages "$@"
' inside "$root" "$@"
