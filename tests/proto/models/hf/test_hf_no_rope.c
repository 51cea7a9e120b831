/* SPDX-License-Identifier: Apache-2.0
 * test_hf_no_rope.c - tests that each URL to which a refusal of a configuration refers is a
 * legal request. */
#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/ask.h"
#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

#define HF_LEARNED(TYPE, TARGET) TYPE,
#define HF_COMPUTED(TYPE, TARGET) TYPE,
static const char *const types[] = {
#include "proto/models/hf/hf_redirect.def"
};

/* Checks that the URL is a legal request; learned rows are for the client to send. */
static void expect_answered(const char *target)
{
    static const char rows[] = "&table=0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0";
    struct ask ask;
    char url[300];

    snprintf(url, sizeof url, "%.*s%s", (int)strcspn(target, " "), target,
             strncmp(target, "/v1/learned?", 12) == 0 ? rows : "");
    ask_url(&ask, url);
    ck_assert_msg(ask.errors.count == 0, "%s: %s %s", target, ask.errors.at[0].parameter,
                  ask.errors.at[0].detail);
    ask_free(&ask);
}

START_TEST(every_target_that_is_told_is_answered)
{
    struct pe_errors errors = {0};
    char config[100];

    snprintf(config, sizeof config, "{\"model_type\": \"%s\"}", types[_i]);
    struct json_body *body = configs_parse(config);
    ck_assert_ptr_null(hf_config_read(body, NULL, &errors));
    ck_assert_uint_eq(errors.count, 1);
    const char *target = strstr(errors.at[0].detail, "/v1/");
    ck_assert_msg(target != NULL, "%s: %s", config, errors.at[0].detail);
    ck_assert_msg(!strpbrk(target, "{}"), "%s", target);
    expect_answered(target);
    json_body_free(body);
}
END_TEST

SUITE(hf_no_rope, TEST_EACH(every_target_that_is_told_is_answered, types));
