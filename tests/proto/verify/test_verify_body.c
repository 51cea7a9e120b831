/* SPDX-License-Identifier: Apache-2.0
 * test_verify_body.c - the tensors of a JSON body that may have a configuration. */
#include "proto/verify/verify_body.h"

#include <stdio.h>
#include <string.h>

#include "proto/text/json_memory.h"
#include "tests/support/suite.h"

static void set_up(void)
{
    json_memory_init();
}

/* A configuration has members of these names, which are left out there. */
static const char *const names[] = {"quantization", "id2label", "quantization_config"};

START_TEST(a_tensor_may_have_the_name_of_what_a_configuration_leaves_out)
{
    static const char format[] = "{\"%s\":[[1,0.5]],\"cos\":[1],\"config\":{\"%s\":[1]}}";
    struct verify_body words = {.name = ""};
    struct pe_errors errors = {.count = 0};
    struct json_body_value config, left;
    struct tensor_set set;
    char text[200];

    snprintf(text, sizeof text, format, names[_i], names[_i]);
    struct json_body *body = verify_body_new(sizeof text);
    ck_assert_ptr_nonnull(body);
    ck_assert_int_eq(json_body_add(body, text, strlen(text)), JSON_BODY_OK);
    ck_assert_int_eq(json_body_finish(body), JSON_BODY_OK);
    ck_assert_int_eq(verify_body_read_json(body, &words, &set, &errors), PE_OK);
    ck_assert_uint_eq(set.count, 2);
    ck_assert_str_eq(set.at[0].name, names[_i]);
    ck_assert(json_body_find(body, NULL, "config", &config));
    ck_assert(json_body_find(body, &config, names[_i], &left));
    ck_assert_int_eq(left.kind, JSON_BODY_NULL);
    tensor_set_fini(&set);
    json_body_free(body);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_tensor_may_have_the_name_of_what_a_configuration_leaves_out, names),
};
const struct suite verify_body_suite = {SUITE_TESTS(tests), .setup = set_up};
