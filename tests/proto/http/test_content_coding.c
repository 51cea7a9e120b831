/* SPDX-License-Identifier: Apache-2.0
 * test_content_coding.c - tests which clients accept gzip, and which responses have it. */
#include <string.h>

#include "proto/http/content_coding.h"
#include "proto/http/format.h"
#include "tests/support/suite.h"

static const struct {
    const char *field;
    bool plain, gzip;
} cases[] = {
    {NULL, true, false},
    {"", true, false},
    {"identity", true, false},
    {"gzip", true, true},
    {"GZip", true, true},
    {"x-gzip", true, true},
    {"gzip, deflate, br, zstd", true, true},
    {"br;q=1, gzip;q=0.1", true, true},
    {"deflate, br", true, false},
    {"gzipped", true, false},
    {"gzi", true, false},
    {"*", true, true},
    {"*;q=0.5", true, true},
    {"gzip;q=0", true, false},
    {"gzip;q=0.000, *", true, false},
    {"*;q=0, gzip", false, true},
    {"*;q=0", false, false},
    {"gzip;q=0, *;q=0", false, false},
    {"*;q=0, identity", true, false},
    {"*;q=0, identity;q=0.001, gzip;q=0.001", true, true},
    {"identity;q=0", false, false},
    {"identity;q=0, gzip", false, true},
    {"identity;q=0, gzip;q=0.5", false, true},
    {"identity;q=0, *", false, true},
    {"identity;q=1, gzip;q=0.5", true, false},
    {"identity;q=0.5, gzip;q=0.5", true, true},
    {"identity;q=0.5, gzip;q=1", true, true},
    {"identity;q=0.5, *;q=0.4", true, false},
    {"gzip;q=wrong", true, false},
};

START_TEST(accept_encoding_says_what_a_client_takes)
{
    struct content_coding_accept got = content_coding_accept(cases[_i].field);

    ck_assert_msg(got.plain == cases[_i].plain, "%s: plain %d", cases[_i].field, got.plain);
    ck_assert_msg(got.gzip == cases[_i].gzip, "%s: gzip %d", cases[_i].field, got.gzip);
}
END_TEST

START_TEST(text_has_a_variant_and_binary_where_it_repeats_itself)
{
    static const bool repeats[] = {
        [PE_ABSOLUTE] = false, [PE_ROTARY] = false,  [PE_BIAS] = true,   [PE_INDEX] = true,
        [PE_MASK] = true,      [PE_SPATIAL] = false, [PE_GRAPH] = false,
    };

    for (size_t i = 0; i < format_count(); i++) {
        for (int family = PE_ABSOLUTE; family <= PE_GRAPH; family++)
            ck_assert_int_eq(content_coding_suits(format_at(i), (enum pe_family)family),
                             !format_at(i)->binary || repeats[family]);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(accept_encoding_says_what_a_client_takes, 0, (sizeof cases / sizeof cases[0])),
    TEST(text_has_a_variant_and_binary_where_it_repeats_itself),
};

const struct suite content_coding_suite = {SUITE_TESTS(tests)};
