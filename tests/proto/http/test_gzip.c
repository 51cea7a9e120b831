/* SPDX-License-Identifier: Apache-2.0
 * test_gzip.c - gzip that another library undoes. */
#include <stdlib.h>
#include <string.h>

#include "proto/http/gzip.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_random.h"
#include "tests/support/gunzip.h"
#include "tests/support/suite.h"

static void expect_back(struct gzip *packer, const char *bytes, size_t len)
{
    size_t packed_len, plain_len;
    char *packed, *plain;

    ck_assert(gzip_gzip(packer, bytes, len, &packed, &packed_len));
    ck_assert_uint_le(packed_len, gzip_bound(len));
    plain = gunzip(packed, packed_len, &plain_len);
    ck_assert_uint_eq(plain_len, len);
    ck_assert_mem_eq(plain, bytes, len);
    free(plain);
    free(packed);
}

START_TEST(what_is_packed_comes_back)
{
    static char bytes[300000];
    static const size_t lens[] = {0, 1, 1023, 65536, sizeof bytes};
    struct core_random random = {1};
    struct gzip *packer = gzip_new();

    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        memset(bytes, 'a', sizeof bytes);
        expect_back(packer, bytes, lens[i]);
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (char)core_random_bits(&random); /* grows, within the bound */
        expect_back(packer, bytes, lens[i]);
    }
    gzip_free(packer);
}
END_TEST

START_TEST(the_same_bytes_are_packed_to_the_same_bytes)
{
    static const char text[] = "[0,1,0,1],[0.84147096,0.5403023,0.099833414,0.9950042]";
    struct gzip *one = gzip_new(), *other = gzip_new();
    size_t len, again_len;
    char *packed, *again;

    expect_back(other, text, 20); /* what it did before plays no part */
    ck_assert(gzip_gzip(one, text, sizeof text, &packed, &len));
    ck_assert(gzip_gzip(other, text, sizeof text, &again, &again_len));
    ck_assert_uint_eq(len, again_len);
    ck_assert_mem_eq(packed, again, len);
    free(packed);
    free(again);
    gzip_free(one);
    gzip_free(other);
}
END_TEST

START_TEST(lack_of_memory_is_told)
{
    struct gzip *packer;
    size_t len = 0;
    char *packed = NULL;

    for (size_t n = 0; n < 2; n++) {
        alloc_fail_start(n);
        packer = gzip_new();
        ck_assert(alloc_fail_stop());
        ck_assert_ptr_null(packer);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    packer = gzip_new();
    alloc_fail_start(0);
    bool packs = gzip_gzip(packer, "aaaa", 4, &packed, &len);
    ck_assert(alloc_fail_stop());
    ck_assert(!packs);
    alloc_fail_start(1); /* the copy of the exact size: the larger one will do */
    packs = gzip_gzip(packer, "aaaa", 4, &packed, &len);
    ck_assert(alloc_fail_stop());
    ck_assert(packs);
    free(packed);
    gzip_free(packer);
    gzip_free(NULL);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(what_is_packed_comes_back),
    TEST(the_same_bytes_are_packed_to_the_same_bytes),
    TEST(lack_of_memory_is_told),
};

const struct suite gzip_suite = {SUITE_TESTS(tests)};
