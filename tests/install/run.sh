#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh - installs into a scratch DESTDIR and uses the library as a program outside the repository
# does: through pkg-config, shared and static. It checks the soname, the exported functions, what else
# is installed and where, and that `make uninstall` removes it all and nothing else.
set -uo pipefail
cd "$(dirname "$0")/../.."

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
passed=0 failed=0

try() { # what, command...
    local what=$1
    shift
    if "$@" >"$root/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "install: $what failed: $*"
        sed 's/^/    /' "$root/log"
    fi
}

say_expected() { # program, text: prints it, with the library in the new place
    LD_LIBRARY_PATH="$root/usr/lib" "$1" | diff "tests/install/$2" -
}

exports_only_ours() {
    local others
    others=$(nm -D --defined-only --format=posix "$root/usr/lib/libposenc.so" | awk '{print $1}' | grep -v '^pe_')
    [ -z "$others" ] || { echo "exported though not pe_*: $others"; return 1; }
}

exports_whole_headers() { # every function that the headers declare can be linked
    nm -D --defined-only --format=posix "$root/usr/lib/libposenc.so" | awk '{print $1}' | sort >"$root/have"
    grep -hoE '^PE_API[^;(]*\b(pe_[a-z0-9_]+)\(' "$root"/usr/include/posenc*.h |
        grep -oE 'pe_[a-z0-9_]+\($' | tr -d '(' | sort -u >"$root/want"
    diff "$root/want" "$root/have"
}

soname_is() {
    readelf -d "$root/usr/lib/libposenc.so" | grep -F "soname: [$1]"
}

needs_only() { # the libraries that the shared one may need
    local extra loader='ld-linux[-a-z0-9_]*|ld-musl[-a-z0-9_]*' # finds thread-local values
    extra=$(readelf -d "$root/usr/lib/libposenc.so" | sed -nE 's/.*NEEDED.*\[(.*)\]/\1/p' |
        grep -vE "^($1|$loader)\.so\.[0-9]+$")
    [ -z "$extra" ] || { echo "needs $extra"; return 1; }
}

version_agrees() { # posenc.pc and pe_version() say the same
    printf '%s\n' '#include <posenc.h>' '#include <stdio.h>' \
        'int main(void) { return puts(pe_version()) < 0; }' >"$root/version.c"
    cc -o "$root/version" "$root/version.c" $(packaged --cflags --libs) &&
        [ "$(LD_LIBRARY_PATH="$root/usr/lib" "$root/version")" = "$(packaged --modversion)" ]
}

packaged() { # pkg-config as if the scratch root were /
    PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_PATH="$root/usr/lib/pkgconfig" \
        pkg-config "$@" posenc
}

flags='-std=c11 -Wall -Wextra -Wpedantic -Werror'
try 'make install' make --no-print-directory -s install DESTDIR="$root" PREFIX=/usr
for example in fill verify; do
    try "$example.c, shared, through pkg-config" \
        cc $flags -o "$root/shared" tests/install/$example.c $(packaged --cflags --libs) -lm
    try "$example.c, shared, runs" say_expected "$root/shared" $example.txt
    try "$example.c, static, through pkg-config" \
        cc $flags -o "$root/static" tests/install/$example.c $(packaged --cflags) \
        "$root/usr/lib/libposenc.a" $(packaged --libs-only-l --static | sed 's/-lposenc//')
    try "$example.c, static, runs" say_expected "$root/static" $example.txt
done
try 'C++ can include the headers' \
    sh -c "echo '#include <posenc_verify.h>' | cc -x c++ -fsyntax-only -I$root/usr/include - 2>&1 || ! command -v g++"
try 'exports are pe_* only' exports_only_ours
try 'exports are what the headers declare' exports_whole_headers
try 'soname' soname_is libposenc.so.0
try 'needs nothing but libc with its loader, libm and MPFR' needs_only 'libc|libm|libmpfr|libgmp'
try 'one version' version_agrees
has_manual() { # posenc(3) has every function that the header declares
    local page="$root/usr/share/man/man3/posenc.3" name
    for name in $(sed -nE 's/^PE_API .*[ *](pe_[a-z0-9_]+)\(.*/\1/p' core/posenc.h); do
        grep -q "[ *]$name(" "$page" || { echo "posenc(3) lacks $name"; return 1; }
    done
    [ "$(grep -c 'pe_[a-z0-9_]*(' "$page")" -gt 50 ]
}
try 'the manual page of the library' has_manual
has_words() { # completion and pages stand where shells and man look, and are what the program says
    local share="$root/usr/share" posencd="$root/usr/bin/posencd" command
    "$posencd" completion bash | diff - "$share/bash-completion/completions/posencd" &&
        "$posencd" completion zsh | diff - "$share/zsh/site-functions/_posencd" &&
        "$posencd" completion fish | diff - "$share/fish/vendor_completions.d/posencd.fish" &&
        "$posencd" man | diff - "$share/man/man1/posencd.1" || return
    for command in $("$posencd" help | sed -nE 's/^  posencd ([a-z-]+).*/\1/p'); do
        "$posencd" man "$command" | diff - "$share/man/man1/posencd-$command.1" || return
    done
    [ -e "$share/man/man1/posencd-compute.1" ] && [ ! -e "$share/man/man1/posencd-complete.1" ]
}
[ ! -e "$root/usr/bin/posencd" ] || try 'completion and manual pages' has_words
[ ! -e "$root/usr/bin/posencd" ] || try 'posencd runs where it was installed' "$root/usr/bin/posencd" version

stripped() { # neither the program nor the libraries have sections for a debugger
    local file
    for file in "$root"/usr/bin/posencd "$root"/usr/lib/libposenc.so.0 "$root"/usr/lib/libposenc.a; do
        ! readelf -S "$file" | grep -F .debug_ || return
    done
    ! readelf -S "$root/usr/bin/posencd" | grep -F .symtab
}
has_units() { # units that start the program where it was installed, with the settings beside them
    grep -Fx 'ExecStart=/usr/bin/posencd serve' "$root/usr/lib/systemd/system/posencd.service" &&
        grep -Fx 'EnvironmentFile=-/etc/default/posencd' "$root/usr/lib/systemd/system/posencd.service" &&
        grep -F 'ListenStream=' "$root/usr/lib/systemd/system/posencd.socket" &&
        diff deploy/systemd/posencd.default "$root/etc/default/posencd"
}

elsewhere=(PREFIX=/opt/x BINDIR=/opt/b LIBDIR=/opt/x/lib64 INCLUDEDIR=/opt/i MANDIR=/opt/m
    ZSHDIR=/opt/z UNITDIR=/opt/u SYSCONFDIR=/opt/e)
places_are_variables() {
    local file
    for file in b/posencd x/lib64/libposenc.so.0 x/lib64/pkgconfig/posenc.pc i/posenc.h \
        m/man1/posencd.1 z/_posencd u/posencd.socket e/default/posencd; do
        [ -e "$root/other/opt/$file" ] || { echo "no /opt/$file"; return 1; }
    done
    grep -Fx 'libdir=${prefix}/lib64' "$root/other/opt/x/lib64/pkgconfig/posenc.pc" &&
        grep -Fx 'includedir=/opt/i' "$root/other/opt/x/lib64/pkgconfig/posenc.pc" &&
        grep -Fx 'ExecStart=/opt/b/posencd serve' "$root/other/opt/u/posencd.service" &&
        grep -Fx 'EnvironmentFile=-/opt/e/default/posencd' "$root/other/opt/u/posencd.service"
}
files() { (cd "$1" && find . ! -type d -exec sha256sum {} +) | sort; }
removes_what_it_wrote() { # folder, variables...: the files there are those before the installation
    local folder=$1
    shift
    mkdir -p "$folder/usr/bin" "$folder/usr/lib" "$folder/opt/m/man1"
    touch "$folder/usr/bin/posencd-tool" "$folder/usr/lib/libposenc.so.1" "$folder/opt/m/man1/posencd-x.1"
    files "$folder" >"$root/before"
    make --no-print-directory -s install DESTDIR="$folder" "$@" || return
    [ "$(find "$folder" -name 'posencd*' ! -type d | wc -l)" -gt 15 ] || return
    make --no-print-directory -s uninstall DESTDIR="$folder" "$@" || return
    files "$folder" | diff "$root/before" -
}
keeps_settings() { # a file of settings that was changed is neither overwritten nor removed
    local settings="$root/kept/etc/default/posencd"
    mkdir -p "${settings%/*}"
    echo POSENCD_THREADS=1 >"$settings"
    make --no-print-directory -s install DESTDIR="$root/kept" PREFIX=/usr &&
        make --no-print-directory -s uninstall DESTDIR="$root/kept" PREFIX=/usr || return
    [ "$(cat "$settings")" = POSENCD_THREADS=1 ] && [ "$(find "$root/kept" -type f)" = "$settings" ]
}
if [ -e "$root/usr/bin/posencd" ]; then
    try 'program and libraries are stripped' stripped
    try 'units and settings' has_units
    try 'make install with other folders' \
        make --no-print-directory -s install DESTDIR="$root/other" "${elsewhere[@]}"
    try 'every folder has a variable' places_are_variables
    try 'make uninstall' removes_what_it_wrote "$root/gone" PREFIX=/usr
    try 'make uninstall with other folders' removes_what_it_wrote "$root/away" "${elsewhere[@]}"
    try 'settings stay' keeps_settings
fi

echo "install: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
