/* SPDX-License-Identifier: Apache-2.0
 * test_request.c - tests names from a query and a body, options, and each sentence that refuses
 * a request. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/problem.h"
#include "proto/request/query.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

#define ROPE "pos=0:2&dim=4"

static const struct {
    const char *query, *sentence;
} refused[] = {
    /* Requests with wrong names. */
    {ROPE "&heds=1",
     "heds: unknown parameter of rope / /v1/encodings/rope lists its parameters"},
    {ROPE "&dmi=1", "dmi: unknown parameter of rope / did you mean dim?"},
    {ROPE "&fromat=npy", "fromat: unknown parameter of rope / did you mean format?"},
    {ROPE "&Base=1", "Base: unknown parameter of rope / did you mean base?"},
    {ROPE "&theta=500000", "theta: unknown parameter of rope / did you mean base?"},
    {ROPE "&position_ids=5", "position_ids: unknown parameter of rope / did you mean pos?"},
    {ROPE "&num_heads=8",
     "num_heads: unknown parameter of rope / /v1/encodings/rope lists its parameters"},
    {ROPE "&torch_dtype=f32", "torch_dtype: unknown parameter of rope / did you mean dtype?"},
    {ROPE "&is_neox_style=1",
     "is_neox_style: unknown parameter of rope / did you mean pairing?"},
    {ROPE "&rope_theta=500000", "rope_theta: unknown parameter of rope / did you mean base?"},
    {ROPE "&base=1&base=2", "base: is given twice; give it once"},
    {ROPE "&format=json&format=json", "format: is given twice; give it once"},
    {ROPE "&out=cos&out=cos", "out: is given twice; give it once"},
    {ROPE "&", "nothing stands before, between or after an \"&\"; write name=value"},
    /* Requests with wrong values of options. */
    {ROPE "&format=", "format: must be one of json, npy, safetensors, raw, csv; got nothing"},
    {ROPE "&format=npz",
     "format: must be one of json, npy, safetensors, raw, csv; got npz / did you mean npy?"},
    {ROPE "&format=JSON",
     "format: must be one of json, npy, safetensors, raw, csv; got JSON / did you mean json?"},
    {ROPE "&data=0123456789012345678901234567890123456789x",
     "data: must be one of nested, flat, base64; got "
     "0123456789012345678901234567890123456789..."},
    {ROPE "&pretty=yes", "pretty: must be 0, 1, true or false; got yes"},
    {ROPE "&pretty=", "pretty: must be 0, 1, true or false; got nothing"},
    {ROPE "&rev=x", "rev: must be a whole number, 1..1000000000; got x"},
    {ROPE "&rev=0", "rev: must be a whole number, 1..1000000000; got 0"},
    {ROPE "&rev=1.5", "rev: must be a whole number, 1..1000000000; got 1.5"},
    {ROPE "&rev=99999999999999999999",
     "rev: must be a whole number, 1..1000000000; got 100000000000000000000"},
    {ROPE "&rev=3", "rev: must be 2, the current revision of rope; got 3"},
    /* Requests with options that have no effect. */
    {ROPE "&out=cos&format=npy&pretty=1",
     "pretty: has no effect with format=npy, only with format=json; leave it out"},
    {ROPE "&out=cos&format=csv&pretty=0",
     "pretty: has no effect with format=csv, only with format=json; leave it out"},
    {ROPE "&format=safetensors&data=flat",
     "data: has no effect with format=safetensors, only with format=json; leave it out"},
    /* Requests whose response a format cannot hold. */
    {ROPE "&format=npy",
     "out: must name one tensor, because format=npy holds one; choose one of cos, sin / "
     "out=cos, or format=safetensors for several"},
    {ROPE "&format=csv&out=sin,inv_freq",
     "out: must name one tensor, because format=csv holds one; choose one of sin, inv_freq / "
     "out=sin, or format=safetensors for several"},
    {ROPE "&format=npy&out=cos&dtype=bf16",
     "dtype: must not be bf16 with format=npy: NumPy lacks it / format=safetensors has it"},
};

START_TEST(a_wrong_query_gets_its_sentence)
{
    char text[512];

    ck_assert_str_eq(ask_problem("rope", refused[_i].query, text), refused[_i].sentence);
}
END_TEST

START_TEST(all_that_is_wrong_is_said_at_once)
{
    static const struct {
        const char *parameter;
        enum pe_status status;
    } expected[] = {
        {"a", PE_BAD_VALUE},
        {"dim", PE_OUT_OF_RANGE},
        {"heds", PE_UNKNOWN_PARAMETER},
        {"pretty", PE_BAD_VALUE},
        {"base", PE_REPEATED_PARAMETER},
        {"pretty", PE_CONFLICT},
        {"rev", PE_OUT_OF_RANGE},
        {"pos", PE_MISSING_PARAMETER},
    };
    struct ask ask;
    ask_query(&ask, "rope", "dim=127&heds=1&pretty=2&format=npy&rev=9&a=%&base=1&base=1", NULL);
    ck_assert_uint_eq(ask.errors.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < ask.errors.count; i++) {
        ck_assert_str_eq(ask.errors.at[i].parameter, expected[i].parameter);
        ck_assert_int_eq(ask.errors.at[i].status, expected[i].status);
    }
    ck_assert_int_eq(problem_kind_of(&ask.errors), PROBLEM_INVALID_PARAMETER);
    ask_free(&ask);
}
END_TEST

START_TEST(what_could_not_be_read_is_not_missing_too)
{
    char text[512];

    ck_assert_str_eq(ask_problem("rope", "pos=0:2&dim=%", text),
                     "dim: is not readable at its character 1: a % must be followed by two "
                     "hexadecimal digits (a percent sign itself is %25)");
    ck_assert_str_eq(ask_problem("rope", "pos=0:2&dim", text),
                     "dim: has no value; write dim=value");
}
END_TEST

/* ---- bodies ------------------------------------------------------------------------------ */

static const struct {
    const char *query, *body;
} equal[] = {
    {ROPE, "{\"pos\": \"0:2\", \"dim\": 4}"},
    {ROPE, "{\"pos\": [0, 1], \"dim\": \"4\"}"},
    {ROPE, "{\"pos\": {\"start\": 0, \"stop\": 2, \"step\": 1}, \"dim\": 4.0}"},
    {ROPE, "{\"pos\": {\"stop\": 2}, \"dim\": 4e0}"},
    {"pos=5&dim=4", "{\"pos\": 5, \"dim\": 4}"},
    {"pos=10:0:-3&dim=4", "{\"pos\": {\"start\": 10, \"stop\": 0, \"step\": -3}, \"dim\": 4}"},
    {"pos=0:0&dim=4", "{\"pos\": [], \"dim\": 4}"},
    {"pos=-3:4&dim=4", "{\"pos\": {\"start\": -3, \"stop\": 4}, \"dim\": 4}"},
    {"pos=0.5,2&dim=4", "{\"pos\": [0.5, 2], \"dim\": 4}"},
    {ROPE "&pretty=1&data=flat",
     "{\"pos\":\"0:2\",\"dim\":4,\"pretty\":true,\"data\":\"flat\"}"},
    {ROPE "&pretty=1", "{\"pos\":\"0:2\",\"dim\":4,\"pretty\":1}"},
    {ROPE "&rev=2&format=json", "{\"pos\":\"0:2\",\"dim\":4,\"rev\":2,\"format\":\"json\"}"},
    {ROPE "&out=cos&dtype=f16",
     "{\"pos\":\"0:2\",\"dim\":4,\"out\":\"cos\",\"dtype\":\"half\"}"},
};

START_TEST(a_body_means_what_the_query_means)
{
    struct ask by_query, by_body;

    ask_query(&by_query, "rope", equal[_i].query, NULL);
    ask_body(&by_body, "rope", NULL, equal[_i].body);
    ck_assert_msg(by_body.plan != NULL, "%s: %s %s", equal[_i].body,
                  by_body.errors.at[0].parameter, by_body.errors.at[0].detail);
    ck_assert_str_eq(request_canonical(by_query.request, NULL),
                     request_canonical(by_body.request, NULL));
    ck_assert_str_eq(request_etag(by_query.request, CONTENT_CODING_PLAIN),
                     request_etag(by_body.request, CONTENT_CODING_PLAIN));
    ask_free(&by_query);
    ask_free(&by_body);
}
END_TEST

START_TEST(names_may_be_split_between_query_and_body)
{
    struct ask ask;

    ask_body(&ask, "rope", "dim=4&format=json", "{\"pos\": \"0:2\"}");
    ck_assert_ptr_nonnull(ask.plan);
    ask_free(&ask);
}
END_TEST

#define POSITIONS                                                                              \
    "#/pos: must be positions: \"0:128\", [5, 9, 12] or {\"start\": 0, \"stop\": 128, "        \
    "\"step\": 1}"

static const struct {
    const char *query, *body, *sentence;
} refused_bodies[] = {
    {"dim=4&pos=0:2", "{\"dim\": 4}",
     "#/dim: is given in the query and in the body; give it once"},
    {"pos=0:2", "{\"dim\": 127}", "#/dim: must be an even number, 2..65536; got 127"},
    {"pos=0:2", "{\"dim\": 4.5}", "#/dim: must be an even number, 2..65536; got 4.5"},
    {"pos=0:2", "{\"dim\": true}", "#/dim: must be an even number, 2..65536; got true"},
    {"pos=0:2", "{\"dim\": \"\"}", "#/dim: must be an even number, 2..65536; got nothing"},
    {"pos=0:2", "{\"dim\": null}", "#/dim: must not be null; leave it out for its default"},
    {"pos=0:2", "{\"dim\": {\"stop\": 4}}",
     "#/dim: must not be an object; what is in it are parameters of their own"},
    {"pos=0:2", "{\"dim\": [4]}", "#/dim: must be an even number, 2..65536; got an array"},
    {"pos=0:2&dim=4", "{\"heds\": 8}",
     "#/heds: unknown parameter of rope / /v1/encodings/rope lists its parameters"},
    {"pos=0:2&dim=4", "{\"dmi\": 8}", "#/dmi: unknown parameter of rope / did you mean dim?"},
    {"pos=0:2&dim=4", "{\"a/b\": 8}",
     "#/a~1b: unknown parameter of rope / /v1/encodings/rope lists its parameters"},
    {"pos=0:2&dim=4", "{\"\": 8}", "#/: a parameter has no name"},
    {"pos=0:2&dim=4", "{\"pretty\": \"yes\"}",
     "#/pretty: must be 0, 1, true or false; got yes"},
    {"pos=0:2&dim=4", "{\"pretty\": null}",
     "#/pretty: must not be null; leave it out for its default"},
    {"pos=0:2&dim=4", "{\"data\": 5}", "#/data: must be one of nested, flat, base64; got 5"},
    {"pos=0:2&dim=4", "{\"data\": [1]}",
     "#/data: must be one of nested, flat, base64; got an array"},
    {"pos=0:2&dim=4", "{\"rev\": 3}", "#/rev: must be 2, the current revision of rope; got 3"},
    {"pos=0:2&dim=4", "{\"out\": [\"cos\", \"sin\"]}",
     "#/out: must not be an array of anything but numbers; names are joined as in \"cos,sin\""},
    {"dim=4", "{\"pos\": [[[1]]]}", POSITIONS},
    {"dim=4", "{\"pos\": [\"0:2\"]}", POSITIONS},
    {"dim=4", "{\"pos\": [0, 1, 2, 1e16]}",
     "#/pos/3: must lie in -9007199254740992..9007199254740992 (2^53)"},
    {"dim=4", "{\"pos\": {}}",
     "#/pos: must have \"stop\", as in {\"start\": 0, \"stop\": 128}"},
    {"dim=4", "{\"pos\": {\"stop\": 1.5}}", "#/pos/stop: must be a whole number, -2^53..2^53"},
    {"dim=4", "{\"pos\": {\"stop\": 1e16}}", "#/pos/stop: must be a whole number, -2^53..2^53"},
    {"dim=4", "{\"pos\": {\"stop\": \"4\"}}",
     "#/pos/stop: must be a whole number, -2^53..2^53"},
    {"dim=4", "{\"pos\": {\"stop\": 4, \"strat\": 0}}",
     "#/pos/strat: unknown member of positions; they have start, stop and step"},
};

START_TEST(a_wrong_body_gets_its_sentence_and_a_pointer)
{
    char text[512];

    ck_assert_str_eq(
        ask_body_problem("rope", refused_bodies[_i].query, refused_bodies[_i].body, text),
        refused_bodies[_i].sentence);
}
END_TEST

START_TEST(what_is_missing_is_missing_from_the_body_if_there_is_one)
{
    struct ask ask;

    ask_body(&ask, "rope", NULL, "{\"dim\": 4}");
    ck_assert_uint_eq(ask.errors.count, 1);
    ck_assert_int_eq(ask.status, PE_MISSING_PARAMETER);
    ck_assert_str_eq(ask.errors.at[0].parameter, "#/pos");
    ask_free(&ask);
    ask_query(&ask, "rope", "dim=4", NULL);
    ck_assert_str_eq(ask.errors.at[0].parameter, "pos");
    ck_assert_int_eq(problem_kind_of(&ask.errors), PROBLEM_MISSING_PARAMETER);
    ask_free(&ask);
}
END_TEST

START_TEST(a_rule_about_a_name_of_the_query_points_to_the_query)
{
    struct ask ask;

    ask_body(&ask, "rope", "rotary_dim=8", "{\"pos\": \"0:2\", \"dim\": 4}");
    ck_assert_uint_eq(ask.errors.count, 1);
    ck_assert_str_eq(ask.errors.at[0].parameter, "rotary_dim");
    ask_free(&ask);
    ask_body(&ask, "rope", "dim=4", "{\"pos\": \"0:2\", \"rotary_dim\": 8}");
    ck_assert_str_eq(ask.errors.at[0].parameter, "#/rotary_dim");
    ask_free(&ask);
}
END_TEST

START_TEST(at_most_32_members_are_read)
{
    struct buffer text = {0};
    char sentence[512];

    buffer_add_text(&text, "{\"a\": 1");
    for (int i = 0; i < QUERY_MAX_PARAMETERS; i++)
        buffer_add_format(&text, ", \"a%d\": 1", i);
    buffer_add_text(&text, "}");
    ck_assert_str_eq(ask_body_problem("rope", ROPE, text.bytes, sentence),
                     "at most 32 parameters are read; got 33");
    buffer_fini(&text);
}
END_TEST

/* ---- limits, negotiation ----------------------------------------------------------------- */

START_TEST(text_has_its_own_limit_and_says_what_to_do)
{
    static const struct request_limits limits = {.max_elements = 1000,
                                                 .max_text_elements = 100,
                                                 .max_prepared = 1000};
    static const struct {
        const char *query, *hint; /* NULL: the query is allowed */
        uint64_t limit;
    } cases[] = {
        {"pos=0:50&dim=4&out=cos", NULL, 0},
        {"pos=0:51&dim=4&out=cos", "use format=npy, or ask for fewer positions", 100},
        {"pos=0:51&dim=4&out=cos&data=base64", "use format=npy, or ask for fewer positions",
         100},
        {"pos=0:26&dim=4", "use format=safetensors, or ask for fewer positions", 100},
        {"pos=0:51&dim=4&out=cos&format=csv", "use format=npy, or ask for fewer positions",
         100},
        {"pos=0:500&dim=4&out=cos&format=npy", NULL, 0},
        {"pos=0:501&dim=4&out=cos&format=npy", "ask for fewer positions, or in several parts",
         1000},
        {"pos=0:501&dim=4&out=cos", "ask for fewer positions, or in several parts", 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ask ask;

        ask_limited(&ask, "rope", cases[i].query, &limits);
        if (!cases[i].hint) {
            ck_assert_msg(ask.plan != NULL, "%s", cases[i].query);
        } else {
            ck_assert_msg(!ask.plan, "%s", cases[i].query);
            ck_assert_int_eq(ask.status, PE_TOO_LARGE);
            ck_assert_str_eq(ask.errors.at[0].hint, cases[i].hint);
            ck_assert_uint_eq(ask.errors.at[0].limit, cases[i].limit);
            ck_assert_uint_gt(ask.errors.at[0].requested, cases[i].limit);
            ck_assert_int_eq(problem_kind_of(&ask.errors), PROBLEM_LIMIT_EXCEEDED);
        }
        ask_free(&ask);
    }
}
END_TEST

START_TEST(empty_rows_count_as_text)
{
    static const struct request_limits limits = {.max_elements = 1000,
                                                 .max_text_elements = 100,
                                                 .max_prepared = 1000};
    struct ask ask;

    ask_limited(&ask, "alibi", "heads=2&q=0:1000000000&k=0:0", &limits);
    ck_assert_int_eq(ask.status, PE_TOO_LARGE);
    ck_assert_str_eq(
        ask.errors.at[0].detail,
        "the answer has no elements, but 2000000000 rows and columns; at most 100 are "
        "written as text");
    ask_free(&ask);
    ask_limited(&ask, "alibi", "heads=1&q=0:0&k=0:1000000000&format=csv", &limits);
    ck_assert_int_eq(ask.status, PE_TOO_LARGE);
    ask_free(&ask);
    ask_limited(&ask, "alibi", "heads=2&q=0:1000000000&k=0:0&format=npy", &limits);
    ck_assert_ptr_nonnull(ask.plan);
    ask_free(&ask);
}
END_TEST

START_TEST(the_format_parameter_beats_accept)
{
    struct ask ask;

    ask_query(&ask, "rope", ROPE "&format=json", "text/csv");
    ck_assert_str_eq(request_options(ask.request)->format->name, "json");
    ck_assert(request_options(ask.request)->format_given);
    ask_free(&ask);
    ask_query(&ask, "rope", ROPE "&out=cos", "text/csv");
    ck_assert_str_eq(request_options(ask.request)->format->name, "csv");
    ck_assert(!request_options(ask.request)->format_given);
    ask_free(&ask);
    ask_query(&ask, "rope", ROPE, NULL);
    ck_assert_str_eq(request_options(ask.request)->format->name, "json");
    ask_free(&ask);
}
END_TEST

START_TEST(what_no_format_fits_has_no_format_but_its_errors)
{
    struct ask ask;

    ask_query(&ask, "rope", ROPE, "image/png");
    ck_assert_int_eq(ask.status, PE_OK);
    ck_assert_ptr_null(request_options(ask.request)->format);
    ask_free(&ask);
    ask_query(&ask, "rope", ROPE "&dmi=1", "image/png");
    ck_assert_int_eq(ask.status, PE_UNKNOWN_PARAMETER);
    ask_free(&ask);
}
END_TEST

START_TEST(a_pinned_revision_is_known_and_changes_nothing_else)
{
    struct ask plain, pinned;

    ask_query(&plain, "rope", ROPE, NULL);
    ask_query(&pinned, "rope", ROPE "&rev=2", NULL);
    ck_assert(!request_options(plain.request)->rev_pinned);
    ck_assert(request_options(pinned.request)->rev_pinned);
    ck_assert_str_eq(request_etag(plain.request, CONTENT_CODING_PLAIN),
                     request_etag(pinned.request, CONTENT_CODING_PLAIN));
    ask_free(&plain);
    ask_free(&pinned);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_wrong_query_gets_its_sentence, refused),
    TEST(all_that_is_wrong_is_said_at_once),
    TEST(what_could_not_be_read_is_not_missing_too),
    TEST_EACH(a_body_means_what_the_query_means, equal),
    TEST(names_may_be_split_between_query_and_body),
    TEST_EACH(a_wrong_body_gets_its_sentence_and_a_pointer, refused_bodies),
    TEST(what_is_missing_is_missing_from_the_body_if_there_is_one),
    TEST(a_rule_about_a_name_of_the_query_points_to_the_query),
    TEST(at_most_32_members_are_read),
    TEST(text_has_its_own_limit_and_says_what_to_do),
    TEST(empty_rows_count_as_text),
    TEST(the_format_parameter_beats_accept),
    TEST(what_no_format_fits_has_no_format_but_its_errors),
    TEST(a_pinned_revision_is_known_and_changes_nothing_else),
};

const struct suite request_suite = {SUITE_TESTS(tests)};
