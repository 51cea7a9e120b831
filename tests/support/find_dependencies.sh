#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# find_dependencies.sh PACKAGE... - where there is no apt-get: prints what the given packages of Debian
# stand for and the packages of Fedora, Alpine and Arch (dependencies.txt), and looks for each. The
# exit status is 0 if all were found; else the last line names those that were not. A package that is
# in no row is named, and not looked for.
set -uo pipefail
cd "$(dirname "$0")" || exit 1

found() { # found HOW NAME
    case $1 in
        pkg-config) "${PKG_CONFIG:-pkg-config}" --exists "$2" ;;
        program) command -v "$2" ;;
        header) "${CC:-gcc}" -E -include "$2" -x c /dev/null ;;
        python) /usr/bin/python3 -c "import $2" ;;
    esac >/dev/null 2>&1
}

row='  %-18s %-20s %-18s %s\n' missing='' of_debian=''
echo 'no apt-get: these are needed, from the packages of your system'
# shellcheck disable=SC2059 # the format is a constant
printf "$row" '' Fedora Alpine Arch
for package in $(printf '%s\n' "$@" | sort -u); do
    rows=$(awk -v package="$package" '!/^#/ && $4 == package' dependencies.txt)
    [ -n "$rows" ] || of_debian+=${of_debian:+, }$package
    while read -r _ how name _ fedora alpine arch; do
        [ -n "$how" ] || continue
        # shellcheck disable=SC2059
        printf "$row" "$name" "$fedora" "$alpine" "$arch"
        found "$how" "$name" || missing+=${missing:+, }$name
    done <<<"$rows"
done
[ -z "$of_debian" ] || echo "and what these packages of Debian have, which is not looked for: $of_debian"
[ -z "$missing" ] && exit 0
echo "These were not found, by pkg-config or in PATH: $missing. Install them and try again." >&2
exit 1
