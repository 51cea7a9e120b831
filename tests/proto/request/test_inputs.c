/* SPDX-License-Identifier: Apache-2.0
 * test_inputs.c - tensors of a request from text, JSON and bodies have one spelling in
 * canonical form, one dtype, and a sentence for each error; responses in every format. */
#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/request/request.h"
#include "proto/text/json_body.h"
#include "tests/proto/support/reading.h"
#include "tests/support/core_vectors.h"
#include "tests/support/suite.h"

struct asked {
    struct request *request;
    struct pe_errors errors;
    enum pe_status status;
};

/* query and json may be NULL; a body of `format` holds q = 1,2 and k = 3,4 as f32. */
static void ask(struct asked *asked, const char *query, const char *json,
                const struct tensor_format *format)
{
    static const float numbers[] = {1, 2, 3, 4};

    *asked = (struct asked){.request = request_new(&core_vectors)};
    if (query)
        request_set_query(asked->request, query, strlen(query), &asked->errors);
    if (json) {
        struct json_body *body = json_body_new(1 << 20);

        json_body_add(body, json, strlen(json));
        ck_assert_msg(json_body_finish(body) == JSON_BODY_OK, "%s", json_body_error(body));
        request_set_json(asked->request, body, &asked->errors);
        json_body_free(body);
    }
    if (format) {
        struct pe_tensor pair = {PE_F32, 1, {2}};
        struct tensor_set set = {0};

        tensor_set_add(&set, "q", &pair);
        tensor_set_add(&set, "k", &pair);
        ck_assert(tensor_set_allocate(&set));
        memcpy(set.at[0].data, numbers, 8);
        memcpy(set.at[1].data, numbers + 2, 8);
        request_set_tensors(asked->request, format, &set, &asked->errors);
        ck_assert_uint_eq(set.count, 0);
    }
    asked->status = request_finish(asked->request, NULL, 0, &asked->errors);
}

static void done(struct asked *asked)
{
    request_free(asked->request);
}

/* Returns the response as text; free() it. */
static char *answer(const struct asked *asked, size_t *len)
{
    struct request_limits limits = {.max_elements = 1000,
                                    .max_text_elements = 1000,
                                    .max_prepared = 1000};
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    char *text = calloc(1, 1 << 16);
    size_t got;

    ck_assert_msg(asked->status == PE_OK, "%s: %s", asked->errors.at[0].parameter,
                  asked->errors.at[0].detail);
    ck_assert_int_eq(request_plan(asked->request, &plan, NULL, &limits, &errors), PE_OK);
    struct encoder *encoder = encoder_new(asked->request, plan);
    *len = 0;
    while ((got = encoder_read(encoder, text + *len, FORMAT_MIN_ROOM)) > 0)
        *len += got;
    text[*len] = '\0';
    encoder_free(encoder);
    pe_plan_free(plan);
    return text;
}

#define TAIL "factor=2&format=json&in_dtype="

static const struct {
    const char *query, *canonical, *data;
} texts[] = {
    {"x=1,0,0.50,-1e0",
     "/v1/scale/apply?data=nested&dtype=f32&" TAIL "f32&out=x&pretty=0&x=1,0,0.5,-1",
     "\"data\":[2,0,1,-2]"},
    {"x=1,2;3,4",
     "/v1/scale/apply?data=nested&dtype=f32&" TAIL "f32&out=x&pretty=0&x=1,2%3B3,4",
     "\"shape\":[2,2],\"data\":[[2,4],[6,8]]"},
    {"x=1,2,3,4&shape=2,2",
     "/v1/scale/apply?data=nested&dtype=f32&" TAIL "f32&out=x&pretty=0&x=1,2%3B3,4",
     "[[2,4],[6,8]]"},
    {"x=1,2;3,4&shape=1,4",
     "/v1/scale/apply?data=nested&dtype=f32&" TAIL "f32&out=x&pretty=0&shape=1,4&x=1,2,3,4",
     "\"data\":[[2,4,6,8]]"},
    {"x=1,2,3,4&shape=2,1,2",
     "/v1/scale/apply?data=nested&dtype=f32&" TAIL "f32&out=x&pretty=0&shape=2,1,2&x=1,2,3,4",
     "[[[2,4]],[[6,8]]]"},
    {"x=0.1&in_dtype=float16",
     "/v1/scale/apply?data=nested&dtype=f16&" TAIL "f16&out=x&pretty=0&x=0.1",
     "\"dtype\":\"f16\""},
    {"x=0.1&in_dtype=bf16&dtype=f64",
     "/v1/scale/apply?data=nested&dtype=f64&" TAIL "bf16&out=x&pretty=0&x=0.1",
     "\"data\":[0.2001953125]"},
    {"q=1,2&k=3",
     "/v1/scale/apply?data=nested&dtype=f32&" TAIL "f32&k=3&out=q,k&pretty=0&q=1,2",
     "{\"name\":\"q\",\"dtype\":\"f32\",\"shape\":[2],\"data\":[2,4]},"
     "{\"name\":\"k\",\"dtype\":\"f32\",\"shape\":[1],\"data\":[6]}"},
};

START_TEST(a_tensor_as_text_is_in_the_canonical_form)
{
    struct asked asked, again;
    size_t len;

    ask(&asked, texts[_i].query, NULL, NULL);
    char *text = answer(&asked, &len);
    ck_assert_msg(strstr(text, texts[_i].data) != NULL, "%s", text);
    ck_assert_str_eq(request_canonical(asked.request, NULL), texts[_i].canonical);
    ck_assert(!request_has_tensors(asked.request));
    free(text);
    ask(&again, strchr(texts[_i].canonical, '?') + 1, NULL, NULL);
    ck_assert_int_eq(again.status, PE_OK);
    ck_assert_str_eq(request_canonical(again.request, NULL), texts[_i].canonical);
    ck_assert_str_eq(request_etag(again.request, CONTENT_CODING_PLAIN),
                     request_etag(asked.request, CONTENT_CODING_PLAIN));
    done(&again);
    done(&asked);
}
END_TEST

static const struct {
    const char *json, *data;
} bodies[] = {
    {"{\"x\": [[1, 2], [3, 4]]}",
     "\"x\":\"f32[2,2]\"},\"facts\":{},\"tensors\":[{\"name\":\"x\","
     "\"dtype\":\"f32\",\"shape\":[2,2],\"data\":[[2,4],[6,8]]}]"},
    {"{\"x\": {\"shape\": [1, 2], \"data\": [3, 4]}, \"in_dtype\": \"bf16\"}",
     "\"dtype\":\"bf16\",\"shape\":[1,2],\"data\":[[6,8]]"},
    {"{\"x\": {\"data\": [[3], [4]], \"shape\": [2]}, \"factor\": 3}", "\"data\":[9,12]"},
    {"{\"q\": [1], \"k\": [2, 3], \"dtype\": \"f16\"}", "\"name\":\"k\",\"dtype\":\"f16\""},
};

START_TEST(a_tensor_of_a_json_body_is_answered)
{
    struct asked asked;
    size_t len;

    ask(&asked, NULL, bodies[_i].json, NULL);
    char *text = answer(&asked, &len);
    ck_assert_msg(strstr(text, bodies[_i].data) != NULL, "%s", text);
    ck_assert(request_has_tensors(asked.request));
    ck_assert_uint_gt(request_held(asked.request), 0);
    free(text);
    done(&asked);
}
END_TEST

START_TEST(text_in_a_body_is_text)
{
    struct asked asked;

    ask(&asked, NULL, "{\"x\": \"1,2\", \"shape\": [1, 2], \"in_dtype\": \"f16\"}", NULL);
    ck_assert_int_eq(asked.status, PE_OK);
    ck_assert(!request_has_tensors(asked.request));
    ck_assert_ptr_nonnull(strstr(request_canonical(asked.request, NULL), "shape=1,2&x=1,2"));
    done(&asked);
}
END_TEST

#define JSON_FORM                                                                              \
    "must be nested arrays of numbers, or {\"shape\": [2, 2], \"data\": [1, 0, 0, 1]}"
#define TEXT_FORM "must be numbers such as 1,0,0,1 or rows such as 1,0;0,1; got "

static const struct {
    const char *query, *json, *parameter, *detail;
} refused[] = {
    {"", NULL, "x", "is required: vectors"},
    {"x=", NULL, "x", TEXT_FORM "nothing"},
    {"x=1,a", NULL, "x", TEXT_FORM "1,a"},
    {"x=1,,2", NULL, "x", TEXT_FORM "1,,2"},
    {"x=1e999", NULL, "x", TEXT_FORM "1e999"},
    {"x=1,2;3", NULL, "x", "must have rows of one length; row 2 differs from the first"},
    {"x=1e39", NULL, "x",
     "must have numbers of at most 3.40282e+38 in size, the largest f32; in_dtype chooses "
     "another type"},
    {"x=1,2,3&shape=2,2", NULL, "shape",
     "must have as many elements as x has numbers, 3; got 2,2"},
    {"x=1&shape=a", NULL, "shape",
     "must be whole numbers 0..9007199254740992, such as 8,128; got a"},
    {"x=1&shape=1,1,1,1,1,1,1", NULL, "shape", "must have at most 6 lengths; got 7"},
    {"x=1&shape=2.5", NULL, "shape",
     "must be whole numbers 0..9007199254740992, such as 8,128; got 2.5"},
    {NULL, "{\"x\": [1, 2], \"in_dtype\": 7}", "#/in_dtype",
     "must be one of f64, f32, f16, bf16; got 7"},
    {"x=1&in_dtype=i64", NULL, "in_dtype", "must be one of f64, f32, f16, bf16; got i64"},
    {"x=1&x=2", NULL, "x", "is given twice; give it once"},
    {"x=1", "{\"x\": [1]}", "#/x", "is given in the query and in the body; give it once"},
    {NULL, "{\"x\": 1}", "#/x", JSON_FORM},
    {NULL, "{\"x\": null}", "#/x", JSON_FORM},
    {NULL, "{\"x\": [1, \"a\"]}", "#/x", JSON_FORM},
    {NULL, "{\"x\": {\"data\": [1]}}", "#/x", JSON_FORM},
    {NULL, "{\"x\": {\"shape\": [1.5], \"data\": [1]}}", "#/x", JSON_FORM},
    {NULL, "{\"x\": {\"shape\": [1], \"data\": [1], \"dtype\": \"f32\"}}", "#/x", JSON_FORM},
    {NULL, "{\"x\": {\"shape\": [2], \"data\": [1]}}", "#/x",
     "must have as many numbers in \"data\" as \"shape\" has elements; got 1"},
    {NULL, "{\"x\": {\"shape\": [], \"data\": [1]}}", "#/x",
     "must have an axis at least; got a scalar"},
    {NULL, "{\"x\": [70000], \"in_dtype\": \"f16\"}", "#/x",
     "must have numbers of at most 65504 in size, the largest f16; in_dtype chooses another "
     "type"},
    {"shape=2", "{\"x\": [1, 2]}", "shape",
     "has no effect: the body has its own shape; leave it out"},
};

START_TEST(what_is_wrong_is_said_once)
{
    struct asked asked;

    ask(&asked, refused[_i].query, refused[_i].json, NULL);
    ck_assert_uint_eq(asked.errors.count, 1);
    ck_assert_str_eq(asked.errors.at[0].detail, refused[_i].detail);
    ck_assert_str_eq(asked.errors.at[0].parameter, refused[_i].parameter);
    done(&asked);
}
END_TEST

START_TEST(each_tensor_of_a_body_is_answered_under_its_name)
{
    const struct tensor_format *format = tensor_format_find("application/safetensors");
    static const float results[] = {2, 4, 6, 8};
    struct asked asked;
    size_t len;

    ask(&asked, "format=safetensors", NULL, format);
    char *bytes = answer(&asked, &len);
    ck_assert_mem_eq(bytes + len - sizeof results, results, sizeof results);
    ck_assert_ptr_nonnull(strstr(bytes + 8, "\"q\":{\"dtype\":\"F32\",\"shape\":[2],"));
    ck_assert_ptr_nonnull(strstr(bytes + 8, "\"k\":{\"dtype\":\"F32\",\"shape\":[2],"));
    ck_assert_uint_eq(request_held(asked.request), 16);
    free(bytes);
    done(&asked);
    ask(&asked, "format=csv&out=k", NULL, format);
    bytes = answer(&asked, &len);
    ck_assert_str_eq(bytes, "k_0,k_1\n6,8\n");
    free(bytes);
    done(&asked);
    ask(&asked, "q=1,2", NULL, format);
    ck_assert_str_eq(asked.errors.at[0].detail,
                     "is given in the query and in the body; give it once");
    done(&asked);
    ask(&asked, "in_dtype=f16", NULL, format);
    ck_assert_str_eq(asked.errors.at[0].detail,
                     "has no effect: the body has its own dtype; leave it out");
    done(&asked);
}
END_TEST

START_TEST(rows_of_any_rank_have_index_columns)
{
    struct asked asked;
    size_t len;

    ask(&asked, "x=1,2,3,4&shape=2,1,2&format=csv", NULL, NULL);
    char *text = answer(&asked, &len);
    ck_assert_str_eq(text, "axis_0_index,axis_1_index,x_0,x_1\n0,0,2,4\n1,0,6,8\n");
    free(text);
    done(&asked);
}
END_TEST

START_TEST(octets_need_the_query_to_tell_of_them)
{
    const struct tensor_format *raw = tensor_format_find("application/octet-stream");
    struct tensor_set none = {0};
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(&core_vectors);

    request_set_tensors(request, raw, &none, &errors);
    request_finish(request, NULL, 0, &errors);
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_str_eq(errors.at[0].parameter, "in_dtype");
    ck_assert_str_eq(errors.at[1].parameter, "shape");
    ck_assert_str_eq(errors.at[1].detail, "is required in the query: a body of "
                                          "application/octet-stream does not contain it");
    request_free(request);
    struct pe_tensor told = request_told(&core_vectors, "shape=2,3&in_dtype=f16", 22);
    ck_assert(told.rank == 2 && told.dims[1] == 3 && told.dtype == PE_F16);
    ck_assert_uint_eq(request_told(&core_vectors, "shape=2,3", 9).rank, 0);
    ck_assert_uint_eq(request_told(&core_vectors, "in_dtype=f16", 12).rank, 0);
    ck_assert_uint_eq(request_told(&core_vectors, "shape=2&in_dtype=f16&a=1", 24).rank, 0);
}
END_TEST

START_TEST(encodings_without_tensors_know_neither_name)
{
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(pe_at(0));

    request_set_text(request, "shape", 5, "2", 1, &errors);
    request_set_text(request, "in_dtype", 8, "f16", 3, &errors);
    ck_assert_uint_eq(errors.count, 2);
    ck_assert_int_eq(errors.at[0].status, PE_UNKNOWN_PARAMETER);
    ck_assert_int_eq(errors.at[1].status, PE_UNKNOWN_PARAMETER);
    request_free(request);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_tensor_as_text_is_in_the_canonical_form, texts),
    TEST_EACH(a_tensor_of_a_json_body_is_answered, bodies),
    TEST(text_in_a_body_is_text),
    TEST_EACH(what_is_wrong_is_said_once, refused),
    TEST(each_tensor_of_a_body_is_answered_under_its_name),
    TEST(rows_of_any_rank_have_index_columns),
    TEST(octets_need_the_query_to_tell_of_them),
    TEST(encodings_without_tensors_know_neither_name),
};

const struct suite inputs_suite = {SUITE_TESTS(tests)};
