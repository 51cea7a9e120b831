/* SPDX-License-Identifier: Apache-2.0
 * test_request_id.c - which request ids are taken, and how a response gets one. */
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

/* ---- responses --------------------------------------------------------------------------- */

static struct MHD_Response *response;

static void start(void)
{
    response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    ck_assert_ptr_nonnull(response);
    ck_assert_int_eq(MHD_add_response_header(response, "A", "b"), MHD_YES);
}

static void stop(void)
{
    MHD_destroy_response(response);
}

static void set(const char *id)
{
    ck_assert(request_id_set(response, id));
    ck_assert_str_eq(MHD_get_response_header(response, "X-Request-Id"), id);
    ck_assert_int_eq(MHD_get_response_headers(response, NULL, NULL), 2);
}

START_TEST(an_id_of_the_same_length_is_written_in_place)
{
    const char *value;

    set("0123456789abcdef");
    value = MHD_get_response_header(response, "X-Request-Id");
    set("fedcba9876543210");
    ck_assert_ptr_eq(MHD_get_response_header(response, "X-Request-Id"), value);
}
END_TEST

START_TEST(an_id_of_another_length_takes_its_place)
{
    set("0123456789abcdef");
    set("a");
    set("0123456789012345678901234567890123456789012345678901234567890123");
    set("fedcba9876543210");
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
    TEST(an_id_of_the_same_length_is_written_in_place),
    TEST(an_id_of_another_length_takes_its_place),
    TEST(a_number_has_16_digits),
};

const struct suite request_id_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
