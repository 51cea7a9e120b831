/* SPDX-License-Identifier: Apache-2.0
 * test_refusals.c - what is wrong with a request is said all at once, with what would be
 * right. */
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/suite.h"

START_TEST(all_bad_parameters_are_reported_at_once_with_suggestions)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/rope?dim=127&heds=4&base=-1&pos=0..4&bse=7&format=jsn&dim=8",
            &answer);
    json_t *problem = black_box_problem(&answer, 400, "invalid-parameter");
    const char *const named[] = {"dim", "heds", "base", "pos", "bse", "format"};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const json_t *error = black_box_error(problem, named[i]);
        const char *detail = json_string_value(json_object_get(error, "detail"));

        ck_assert(detail && detail[0] != '\0');
    }
    const char *hint =
        json_string_value(json_object_get(black_box_error(problem, "bse"), "hint"));
    ck_assert_msg(hint && strstr(hint, "base"), "%s", answer.body);
    hint = json_string_value(json_object_get(black_box_error(problem, "format"), "hint"));
    ck_assert_msg(hint && strstr(hint, "json"), "%s", answer.body);
    ck_assert_ptr_nonnull(strstr(answer.body, "7 parameters are invalid"));
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

/* A request, the slug of its problem, the parameter it names and words its entry has. */
static const struct {
    const char *target, *slug, *parameter, *words;
} cases[] = {
    {"/v1/rope?dim=8&pos=0:4&heads=3", "unknown-parameter", "heads", "unknown"},
    {"/v1/rope?dim=8&pos=0:4&DIM=3", "unknown-parameter", "DIM", "dim"},
    {"/v1/rope?dim=8&pos=0:4&dim=8", "invalid-parameter", "dim", ""},
    {"/v1/rope?dim=&pos=0:4", "invalid-parameter", "dim", ""},
    {"/v1/rope?dim&pos=0:4", "invalid-parameter", "dim", ""},
    {"/v1/rope?dim=8&pos=", "invalid-parameter", "pos", ""},
    {"/v1/rope?pos=0:4", "missing-parameter", "dim", ""},
    {"/v1/rope?dim=8", "missing-parameter", "pos", ""},
    {"/v1/rope?dim=7&pos=0:4", "invalid-parameter", "dim", "7"},
    {"/v1/rope?dim=0&pos=0:4", "invalid-parameter", "dim", "0"},
    {"/v1/rope?dim=8.5&pos=0:4", "invalid-parameter", "dim", "8.5"},
    {"/v1/rope?dim=0x8&pos=0:4", "invalid-parameter", "dim", "0x8"},
    {"/v1/rope?dim=8%20&pos=0:4", "invalid-parameter", "dim", ""},
    {"/v1/rope?dim=+8&pos=0:4&base=1", "invalid-parameter", "dim", "+8"},
    {"/v1/rope?dim=9999999999999999999999&pos=0:4", "invalid-parameter", "dim", ""},
    {"/v1/rope?dim=8&pos=0:4&base=nan", "invalid-parameter", "base", "nan"},
    {"/v1/rope?dim=8&pos=0:4&base=inf", "invalid-parameter", "base", "inf"},
    {"/v1/rope?dim=8&pos=0:4&base=1e400", "invalid-parameter", "base", ""},
    {"/v1/rope?dim=8&pos=0:4&base=1,5", "invalid-parameter", "base", "1,5"},
    {"/v1/rope?dim=8&pos=0:4&base=0", "invalid-parameter", "base", ""},
    {"/v1/rope?dim=8&pos=0:4&base=0.5", "invalid-parameter", "base", "allow_base_below_one"},
    {"/v1/rope?dim=8&pos=0..4", "invalid-parameter", "pos", "0:"},
    {"/v1/rope?dim=8&pos=0-4", "invalid-parameter", "pos", "0:"},
    {"/v1/rope?dim=8&pos=0:4:0", "invalid-parameter", "pos", "step"},
    {"/v1/rope?dim=8&pos=0,,4", "invalid-parameter", "pos", ""},
    {"/v1/rope?dim=8&pos=9007199254740993", "invalid-parameter", "pos", ""},
    {"/v1/rope?dim=8&pos=abc", "invalid-parameter", "pos", "abc"},
    {"/v1/rope?dim=8&pos=0:4&pairing=diagonal", "invalid-parameter", "pairing", "half"},
    {"/v1/rope?dim=8&pos=0:4&scaling=yarm", "invalid-parameter", "scaling", ""},
    {"/v1/rope?dim=8&pos=0:4&factor=4", "invalid-parameter", "factor", ""},
    {"/v1/rope?dim=8&pos=0:4&scaling=linear", "missing-parameter", "factor", ""},
    {"/v1/rope?dim=8&out=inv_freq&width=full", "invalid-parameter", "width", ""},
    {"/v1/rope?dim=8&pos=0:4&rotary_dim=10", "invalid-parameter", "rotary_dim", ""},
    {"/v1/rope?dim=8&pos=0:4&out=tan", "invalid-parameter", "out", ""},
    {"/v1/rope?dim=8&pos=0:4&out=cos,cos", "invalid-parameter", "out", ""},
    {"/v1/rope?dim=8&pos=0:4&dtype=f33", "invalid-parameter", "dtype", "f3"},
    {"/v1/rope?dim=8&pos=0:4&dtype=bf16&out=cos&format=npy", "invalid-parameter", NULL,
     "safetensors"},
    {"/v1/rope?dim=8&pos=0:4&format=npy", "invalid-parameter", "out", "cos"},
    {"/v1/rope?dim=8&pos=0:4&format=npy&out=cos&pretty=1", "invalid-parameter", "pretty", ""},
    {"/v1/rope?dim=8&pos=0:4&format=npy&out=cos&data=flat", "invalid-parameter", "data", ""},
    {"/v1/rope?dim=8&pos=0:4&pretty=yes", "invalid-parameter", "pretty", ""},
    {"/v1/rope?dim=8&pos=0:4&rev=0", "invalid-parameter", "rev", ""},
    {"/v1/sinusoidal?dim=5&pos=0:4", "invalid-parameter", "dim", ""},
    {"/v1/alibi?heads=0&len=4", "invalid-parameter", "heads", ""},
    {"/v1/alibi?heads=4", "missing-parameter", NULL, ""},
    {"/v1/alibi?heads=4&len=4&q=0:4", "invalid-parameter", NULL, ""},
    {"/v1/alibi?heads=4&len=4&mask_value=-inf", "invalid-parameter", "mask_value", ""},
    {"/v1/rope?dim=8&pos=0:4&x=%zz", "bad-request", NULL, "hexadecimal"},
    {"/v1/rope?dim=8&pos=0:9007199254740991,0:9007199254740991", "invalid-parameter", "pos",
     "2^53"},
    {"/v1/rope?dim=8&pos=0:4&=5", "invalid-parameter", NULL, ""},
};

START_TEST(a_wrong_parameter_is_refused_by_name)
{
    struct answer answer = {0};

    web_get(black_box_web(), cases[_i].target, &answer);
    ck_assert_msg(answer.status == 400, "%s: %ld %s", cases[_i].target, answer.status,
                  answer.body);
    ck_assert_msg(strstr(answer.body, cases[_i].slug) != NULL, "%s: %s", cases[_i].target,
                  answer.body);
    json_t *problem = black_box_problem(&answer, 400, cases[_i].slug);
    if (cases[_i].parameter) {
        const json_t *error = black_box_error(problem, cases[_i].parameter);
        char *text = json_dumps(error, 0);

        ck_assert_msg(strstr(text, cases[_i].words) != NULL, "%s: %s", cases[_i].target, text);
        free(text);
    } else {
        ck_assert_msg(strstr(answer.body, cases[_i].words) != NULL, "%s", answer.body);
    }
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(an_answer_too_large_names_limit_and_request)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/rope?dim=128&pos=0:9007199254740991&out=cos&format=raw",
            &answer);
    json_t *problem = black_box_problem(&answer, 400, "limit-exceeded");
    ck_assert_int_eq(json_integer_value(json_object_get(problem, "limit")), 1 << 30);
    ck_assert_int_eq(json_integer_value(json_object_get(problem, "requested")),
                     9007199254740991 * 64);
    json_decref(problem);
    web_get(black_box_web(), "/v1/rope?dim=128&pos=0:1000000&format=json", &answer);
    problem = black_box_problem(&answer, 400, "limit-exceeded");
    ck_assert_int_eq(json_integer_value(json_object_get(problem, "limit")), 16 << 20);
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(client_text_is_echoed_cut_and_escaped)
{
    struct answer answer = {0};

    web_get(black_box_web(),
            "/v1/rope?dim=%22%3Cscript%3E%5C&pos=0:4&"
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1",
            &answer);
    json_t *problem = black_box_problem(&answer, 400, "invalid-parameter");
    ck_assert_uint_lt(answer.len, 2000);
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(forty_wrong_parameters_are_counted)
{
    char target[2048] = "/v1/rope?dim=8&pos=0:4";
    struct answer answer = {0};

    for (int i = 0; i < 28; i++) {
        size_t at = strlen(target);

        snprintf(target + at, sizeof target - at, "&x%d=1", i);
    }
    web_get(black_box_web(), target, &answer);
    json_t *problem = black_box_problem(&answer, 400, "unknown-parameter");
    ck_assert_uint_eq(json_array_size(json_object_get(problem, "errors")), 28);
    json_decref(problem);
    for (int i = 0; i < 40; i++) {
        size_t at = strlen(target);

        snprintf(target + at, sizeof target - at, "&y%d=1", i);
    }
    web_get(black_box_web(), target, &answer);
    ck_assert_int_eq(answer.status, 400);
    answer_fini(&answer);
}
END_TEST

START_TEST(every_slug_has_a_page)
{
    static const char *const slugs[] = {
        "invalid-parameter", "unknown-parameter",      "missing-parameter", "limit-exceeded",
        "not-found",         "method-not-allowed",     "not-acceptable",    "body-too-large",
        "malformed-json",    "unsupported-media-type", "overloaded",        "draining",
        "internal",          "expectation-failed",     "target-too-long",   "bad-request"};

    for (size_t i = 0; i < sizeof slugs / sizeof slugs[0]; i++) {
        char target[64];
        struct answer answer = {0};

        snprintf(target, sizeof target, "/problems/%s", slugs[i]);
        web_get(black_box_web(), target, &answer);
        ck_assert_msg(answer.status == 200, "%s: %ld", target, answer.status);
        ck_assert_ptr_nonnull(strstr(answer.body, slugs[i]));
        answer_fini(&answer);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_wrong_parameter_is_refused_by_name, cases),
    TEST(all_bad_parameters_are_reported_at_once_with_suggestions),
    TEST(an_answer_too_large_names_limit_and_request),
    TEST(client_text_is_echoed_cut_and_escaped),
    TEST(forty_wrong_parameters_are_counted),
    TEST(every_slug_has_a_page),
};

const struct suite refusals_suite = {SUITE_TESTS(tests), BLACK_BOX};
