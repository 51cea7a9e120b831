#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# libraries.sh FOLDER - the libraries of core and proto for WebAssembly, as FOLDER/lib and
# FOLDER/include: GMP, MPFR, jansson, zlib, libpng, libdeflate and xxHash from Debian's source
# packages, their patches applied, compiled by clang for wasm32-wasi. It needs Debian's archive;
# where the archive cannot be reached it says so and fails.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
[ ! -e "$folder/.done" ] || exit 0
cd "$folder"
llvm=$(dirname "$(readlink -f "$(command -v "${CLANG:-clang-14}")")")
export PATH=$PATH:$llvm AR=llvm-ar RANLIB=llvm-ranlib NM=llvm-nm
target=(--target=wasm32-wasi -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS
    -ffunction-sections -fdata-sections -Oz -w)

say() { printf '  %-6s %s\n' "$@" >&3; }
exec 3>&1 >log 2>&1
trap 'echo "libraries.sh: failed; see $folder/log" >&3' ERR

# ---- sources: package lists of this folder, so that those of the machine stay as they are ----
mirror=$(sed -nE 's/^(URIs:|deb) *(\[[^]]*\] *)?(https?:[^ ]*debian) .*|^URIs: *(https?:[^ ]*debian) *$/\3\4/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "${mirror:-http://deb.debian.org/debian} $release main" >src.list
mkdir -p lists/partial cache/archives/partial include lib source
apt=(apt-get -o "Dir::Etc::sourcelist=$folder/src.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
for package in gmp mpfr4 jansson zlib libpng1.6 libdeflate xxhash; do
    say source "$package"
    (cd source && "${apt[@]}" source "$package")
done

# ---- GMP and MPFR, by their own configuration ---------------------------------------------------
# Limbs have 64 bits, which core reads. Numbers of some hundred bits are multiplied and divided by
# the plain methods: those for longer numbers, which the thresholds exclude, are not linked.
plain=()
for method in MUL_TOOM44 MUL_TOOM6H MUL_TOOM8H MUL_TOOM32_TO_TOOM43 MUL_TOOM32_TO_TOOM53 \
    MUL_TOOM42_TO_TOOM53 MUL_TOOM42_TO_TOOM63 SQR_TOOM4 SQR_TOOM6 SQR_TOOM8 MUL_FFT SQR_FFT \
    MU_DIV_QR MU_DIVAPPR_Q MU_DIV_Q MUPI_DIV_QR MU_BDIV_Q MU_BDIV_QR; do
    plain+=("-D${method}_THRESHOLD=MP_SIZE_T_MAX")
done
say cc gmp
cd "$folder"/source/gmp-*/
mkdir -p doc # its manual is no part of the source package
printf 'all install:\n' >doc/Makefile.in
sed -i "s/MU_DIVAPPR_Q_THRESHOLD - 1/MU_DIVAPPR_Q_THRESHOLD/" mpn/generic/div_q.c # or it is a limit like others
limb_standard=longlong CC_FOR_BUILD=gcc ABI=standard CC="${CLANG:-clang-14} ${target[*]}" \
    CFLAGS="${plain[*]}" LDFLAGS='-lwasi-emulated-signal -lwasi-emulated-process-clocks' \
    ./configure --build=x86_64-pc-linux-gnu --host=none-none-none --disable-assembly \
    --disable-shared --prefix="$folder"
make -j"$(nproc)"
make install
say cc mpfr
cd "$folder"/source/mpfr4-*/
CC="${CLANG:-clang-14} ${target[*]}" CFLAGS=-Oz \
    LDFLAGS='-lwasi-emulated-signal -lwasi-emulated-process-clocks' \
    ./configure --build=x86_64-pc-linux-gnu --host=wasm32-unknown-none --disable-shared \
    --disable-thread-safe --with-gmp="$folder" --prefix="$folder"
make -C src -j"$(nproc)"
make -C src install

# ---- the others, whose sources need no configuration ------------------------------------------
library() { # library NAME FLAGS SOURCE...: lib/libNAME.a
    local name=$1 flags=$2 objects=()
    shift 2
    say cc "$name"
    mkdir -p "$folder/object/$name"
    for source in "$@"; do
        objects+=("$folder/object/$name/$(basename "$source" .c).o")
        # shellcheck disable=SC2086 # flags are words
        "${CLANG:-clang-14}" "${target[@]}" -I"$here/include" -I"$folder/include" $flags \
            -c -o "${objects[-1]}" "$source"
    done
    llvm-ar rcs "$folder/lib/lib$name.a" "${objects[@]}"
}

cd "$folder/source"
cp jansson-*/src/jansson.h zlib-*/zlib.h zlib-*/zconf.h libpng1.6-*/png.h libpng1.6-*/pngconf.h \
    libdeflate-*/libdeflate.h xxhash-*/xxhash.h ../include
sed -e 's/@json_inline@/inline/; s/@json_have_[a-z_]*@/1/; s/@json_[a-z_]*@/0/' \
    jansson-*/src/jansson_config.h.in >../include/jansson_config.h
printf '#define HAVE_%s 1\n' STDINT_H UNISTD_H SYS_TYPES_H SYS_TIME_H GETTIMEOFDAY STRTOLL \
    >../include/jansson_private_config.h
echo '#define INITIAL_HASHTABLE_ORDER 3' >>../include/jansson_private_config.h
# Errors of libpng end in a trap of the module (include/setjmp.h), not in a jump.
sed '/PNG_SETJMP_SUPPORTED\|PNG_SIMPLIFIED/d' libpng1.6-*/scripts/pnglibconf.h.prebuilt >../include/pnglibconf.h
library jansson '-DHAVE_CONFIG_H -DHAVE_STDINT_H' jansson-*/src/*.c
library z -DHAVE_UNISTD_H zlib-*/{adler32,crc32,deflate,inffast,inflate,inftrees,trees,zutil}.c
library png '' libpng1.6-*/png{,error,get,mem,rio,set,trans,wio,write,wtran,wutil,rutil,read,rtran,pread}.c
library deflate "-I$(echo "$PWD"/libdeflate-*)" \
    libdeflate-*/lib/{utils,deflate_compress,gzip_compress,crc32}.c
library xxhash '' xxhash-*/xxhash.c
touch "$folder/.done"
