/* SPDX-License-Identifier: Apache-2.0
 * gunzip.c - see gunzip.h. */
#define ZLIB_CONST
#include "tests/support/gunzip.h"

#include <check.h>
#include <stdlib.h>
#include <zlib.h>

char *gunzip(const char *bytes, size_t len, size_t *plain_len)
{
    enum { GZIP_ONLY = 16 + MAX_WBITS };
    z_stream zlib = {.next_in = (const Bytef *)bytes, .avail_in = (uInt)len};
    size_t size = 1 << 20;
    char *plain = malloc(size);
    int result;

    ck_assert_int_eq(inflateInit2(&zlib, GZIP_ONLY), Z_OK);
    do {
        if (zlib.total_out + 1 >= size)
            plain = realloc(plain, size *= 2);
        ck_assert_ptr_nonnull(plain);
        zlib.next_out = (Bytef *)plain + zlib.total_out;
        zlib.avail_out = (uInt)(size - 1 - zlib.total_out);
        result = inflate(&zlib, Z_NO_FLUSH);
    } while (result == Z_OK);
    ck_assert_msg(result == Z_STREAM_END && zlib.avail_in == 0, "no gzip: %d %s", result,
                  zlib.msg ? zlib.msg : "");
    *plain_len = zlib.total_out;
    plain[zlib.total_out] = '\0';
    inflateEnd(&zlib);
    return plain;
}

char *gunzip_pack(enum gunzip_framing framing, const char *plain, size_t len,
                  size_t *packed_len)
{
    static const int bits[] = {16 + MAX_WBITS, MAX_WBITS, -MAX_WBITS};
    z_stream zlib = {.next_in = (const Bytef *)plain, .avail_in = (uInt)len};
    size_t space = 64 + len + len / 1000;
    char *packed = malloc(space);

    ck_assert_int_eq(deflateInit2(&zlib, 6, Z_DEFLATED, bits[framing], 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    zlib.next_out = (Bytef *)packed;
    zlib.avail_out = (uInt)space;
    ck_assert_int_eq(deflate(&zlib, Z_FINISH), Z_STREAM_END);
    *packed_len = zlib.total_out;
    deflateEnd(&zlib);
    return packed;
}
