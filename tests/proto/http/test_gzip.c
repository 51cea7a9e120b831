/* SPDX-License-Identifier: Apache-2.0
 * test_gzip.c - tests that another library decompresses the gzip. */
#include <stdlib.h>
#include <string.h>

#include "proto/http/gzip.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_random.h"
#include "tests/support/gunzip.h"
#include "tests/support/suite.h"

static void expect_back(struct gzip *gzip, const char *bytes, size_t len)
{
    size_t compressed_len, plain_len;
    char *compressed, *plain;

    ck_assert(gzip_compress(gzip, bytes, len, &compressed, &compressed_len));
    ck_assert_uint_le(compressed_len, gzip_bound(len));
    plain = gunzip(compressed, compressed_len, &plain_len);
    ck_assert_uint_eq(plain_len, len);
    ck_assert_mem_eq(plain, bytes, len);
    free(plain);
    free(compressed);
}

START_TEST(compressed_bytes_come_back)
{
    static char bytes[300000];
    static const size_t lens[] = {0, 1, 1023, 65536, sizeof bytes};
    struct core_random random = {1};
    struct gzip *gzip = gzip_new();

    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        memset(bytes, 'a', sizeof bytes);
        expect_back(gzip, bytes, lens[i]);
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (char)core_random_bits(&random); /* grows, within the bound */
        expect_back(gzip, bytes, lens[i]);
    }
    gzip_free(gzip);
}
END_TEST

START_TEST(equal_bytes_are_compressed_to_equal_bytes)
{
    static const char text[] = "[0,1,0,1],[0.84147096,0.5403023,0.099833414,0.9950042]";
    struct gzip *one = gzip_new(), *other = gzip_new();
    size_t len, again_len;
    char *compressed, *again;

    expect_back(other, text, 20); /* the compressor keeps no state */
    ck_assert(gzip_compress(one, text, sizeof text, &compressed, &len));
    ck_assert(gzip_compress(other, text, sizeof text, &again, &again_len));
    ck_assert_uint_eq(len, again_len);
    ck_assert_mem_eq(compressed, again, len);
    free(compressed);
    free(again);
    gzip_free(one);
    gzip_free(other);
}
END_TEST

START_TEST(lack_of_memory_is_told)
{
    struct gzip *gzip;
    size_t len = 0;
    char *compressed = NULL;

    for (size_t n = 0; n < 2; n++) {
        alloc_fail_start(n);
        gzip = gzip_new();
        ck_assert(alloc_fail_stop());
        ck_assert_ptr_null(gzip);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    gzip = gzip_new();
    alloc_fail_start(0);
    bool done = gzip_compress(gzip, "aaaa", 4, &compressed, &len);
    ck_assert(alloc_fail_stop());
    ck_assert(!done);
    alloc_fail_start(1); /* the larger copy remains */
    done = gzip_compress(gzip, "aaaa", 4, &compressed, &len);
    ck_assert(alloc_fail_stop());
    ck_assert(done);
    free(compressed);
    gzip_free(gzip);
    gzip_free(NULL);
}
END_TEST

SUITE(gzip, TEST(compressed_bytes_come_back), TEST(equal_bytes_are_compressed_to_equal_bytes),
      TEST(lack_of_memory_is_told));
