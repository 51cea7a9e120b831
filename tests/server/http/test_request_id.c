/* SPDX-License-Identifier: Apache-2.0
 * test_request_id.c - which request ids are taken, and how one is made. */
#include "server/http/request_id.h"

#include <string.h>

#include "tests/support/suite.h"

static const struct {
    const char *id;
    bool valid;
} ids[] = {
    {"a", true},
    {"abc-DEF_0.9", true},
    {"0123456789012345678901234567890123456789012345678901234567890123", true},
    {"01234567890123456789012345678901234567890123456789012345678901234", false},
    {"", false},
    {"a b", false},
    {"a\"b", false},
    {"a\xc3\xa4", false},
    {"a/b", false},
};

START_TEST(a_request_id_is_1_to_64_plain_characters)
{
    ck_assert_int_eq(request_id_is_valid(ids[_i].id), ids[_i].valid);
}
END_TEST

START_TEST(a_number_has_16_digits)
{
    char id[REQUEST_ID_SIZE];

    request_id_print(0x1f, id);
    ck_assert_str_eq(id, "000000000000001f");
    request_id_print(UINT64_MAX, id);
    ck_assert_str_eq(id, "ffffffffffffffff");
    ck_assert_uint_eq(strlen(id), REQUEST_ID_LEN);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_request_id_is_1_to_64_plain_characters, ids),
    TEST(a_number_has_16_digits),
};

const struct suite request_id_suite = {SUITE_TESTS(tests)};
