/* SPDX-License-Identifier: Apache-2.0
 * test_inference_body.c - lengths, budgets and the ends of bodies. (inference_request.txt
 * has what is refused for its content.) */
#include "proto/inference/inference_body.h"

#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/inference_run.h"
#include "tests/support/suite.h"

static const char binary[] =
    "{\"inputs\":[{\"name\":\"pos\",\"shape\":[1000],\"datatype\":\"INT64\","
    "\"parameters\":{\"binary_data_size\":8000}}]}";

START_TEST(a_length_is_a_decimal_from_1_on)
{
    static const char *const wrong[] = {"0",  "",    "-1",  "+1",
                                        "1 ", "0x1", "1,2", "18446744073709551616"};
    uint64_t length;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!inference_body_read_length(wrong[i], &length), "%s", wrong[i]);
    ck_assert(inference_body_read_length("18446744073709551615", &length));
    ck_assert_uint_eq(length, UINT64_MAX);
    ck_assert(inference_body_read_length("007", &length));
    ck_assert_uint_eq(length, 7);
}
END_TEST

/* Runs the binary body with a budget. */
static enum inference_state run_with(size_t budget, size_t *used)
{
    char *body = calloc(1, sizeof binary + 8000);

    memcpy(body, binary, sizeof binary - 1);
    struct inference_run run = {.model = "integer",
                                .query = "",
                                .body = body,
                                .len = sizeof binary - 1 + 8000,
                                .head = sizeof binary - 1,
                                .chunk = 100,
                                .budget = budget};
    inference_run(&run);
    *used = run.error.len;
    inference_run_fini(&run);
    free(body);
    return run.state;
}

START_TEST(a_budget_that_is_too_small_is_told)
{
    size_t error;
    bool over = false, ok = false;

    for (size_t budget = 0; budget < 1 << 20; budget = budget * 3 / 2 + 1) {
        enum inference_state state = run_with(budget, &error);

        ck_assert(state == INFERENCE_OVER_BUDGET || state == INFERENCE_OK);
        ck_assert_msg(!ok || state == INFERENCE_OK, "more memory is no less");
        over |= state == INFERENCE_OVER_BUDGET;
        ok |= state == INFERENCE_OK;
    }
    ck_assert(over && ok);
}
END_TEST

START_TEST(a_length_beyond_the_body_is_refused)
{
    struct inference_run run = {.model = "integer",
                                .query = "",
                                .body = "{}",
                                .len = 2,
                                .head = 3,
                                .chunk = 1,
                                .budget = 1 << 20};

    inference_run(&run);
    ck_assert_int_eq(run.state, INFERENCE_MALFORMED);
    ck_assert_str_eq(
        run.error.bytes,
        "{\"error\":\"Inference-Header-Content-Length must be at most the length of "
        "the body, 2; got 3\"}");
    inference_run_fini(&run);
}
END_TEST

START_TEST(bytes_behind_a_length_of_json_alone_are_refused)
{
    struct inference_run run = {.model = "integer",
                                .query = "pos=0:1",
                                .body = "{}  ",
                                .len = 4,
                                .head = 2,
                                .chunk = 1,
                                .budget = 1 << 20};

    inference_run(&run);
    ck_assert_int_eq(run.state, INFERENCE_MALFORMED);
    inference_run_fini(&run);
    run = (struct inference_run){.model = "integer",
                                 .query = "pos=0:1",
                                 .body = "{}",
                                 .len = 2,
                                 .head = 2,
                                 .chunk = 1,
                                 .budget = 1 << 20};
    inference_run(&run);
    ck_assert_int_eq(run.state, INFERENCE_OK);
    ck_assert_uint_gt(run.answer.len, 0);
    inference_run_fini(&run);
}
END_TEST

SUITE(inference_body, TEST(a_length_is_a_decimal_from_1_on),
      TEST(a_budget_that_is_too_small_is_told), TEST(a_length_beyond_the_body_is_refused),
      TEST(bytes_behind_a_length_of_json_alone_are_refused));
