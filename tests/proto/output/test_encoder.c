/* SPDX-License-Identifier: Apache-2.0
 * test_encoder.c - tests rules of all formats: the same bytes for any size of buffer, and the
 * announced length; encoder.txt has the headers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/encoder.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

/* Requests whose responses are divided into blocks in all ways: long, wide, thin, empty. */
static const struct {
    const char *encoding, *query;
} requests[] = {
    {"rope", "pos=0:3000&dim=8&out=cos"},
    {"rope", "pos=0:3&dim=65536&out=sin"},
    {"rope", "pos=0:20000&dim=2&out=cos&dtype=f64"},
    {"rope", "pos=5,9,1,100000:100200&dim=30&out=sin&dtype=f16"},
    {"rope", "pos=0:300&dim=34&out=cos&dtype=bf16"},
    {"rope", "pos=0:0&dim=8&out=cos"},
    {"rope", "pos=0:60&dim=12&out=matrix"},
    {"rope", "dim=8&out=attention_factor"},
    {"rope", "dim=20000&out=inv_freq"},
    {"alibi", "heads=3&len=70&causal=1&mask_value=-inf"},
    {"alibi", "heads=2&q=0:3&k=0:20000"},
    {"alibi", "heads=2&q=0:0&k=0:7"},
    {"alibi", "heads=2&q=0:7&k=0:0"},
    {"sinusoidal", "pos=0:500&dim=33&odd=zero-pad"},
};
enum { REQUESTS = sizeof requests / sizeof requests[0] };

static const char *const forms[] = {
    "format=json",
    "format=json&pretty=1",
    "format=json&data=flat",
    "format=json&data=base64&pretty=1",
    "format=npy",
    "format=safetensors",
    "format=raw",
    "format=csv",
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static bool ask_form(struct ask *ask, size_t request, size_t form)
{
    char query[256];

    snprintf(query, sizeof query, "%s&%s", requests[request].query, forms[form]);
    ask_query(ask, requests[request].encoding, query, NULL);
    return ask->plan != NULL;
}

/* Reads with random sizes of buffer, also at odd addresses. */
static void compare_chunks(struct ask *ask, const char *expected, size_t len, size_t least,
                           size_t spread, uint64_t seed)
{
    char *space = malloc(least + spread + 8);
    size_t at = 0, got;

    do {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t size = least + (spread > 0 ? (size_t)(seed >> 33) % spread : 0);
        char *out = space + (seed >> 61); /* any alignment */
        got = encoder_read(ask->encoder, out, size);
        ck_assert_uint_le(got, size);
        ck_assert_uint_le(got, len - at);
        ck_assert_mem_eq(out, expected + at, got);
        at += got;
    } while (got > 0);
    ck_assert_uint_eq(at, len);
    ck_assert_uint_eq(encoder_read(ask->encoder, space, least), 0);
    free(space);
}

START_TEST(the_bytes_do_not_depend_on_the_space)
{
    static const size_t spaces[][2] = {
        {FORMAT_MIN_CAPACITY, 0},
        {FORMAT_MIN_CAPACITY, 64},
        {FORMAT_MIN_CAPACITY + 1, 0},
        {4099, 5000},
        {65536, 1},
        {16102, 0},
    };

    for (size_t form = 0; form < FORMS; form++) {
        struct ask whole;
        size_t len;

        if (!ask_form(&whole, (size_t)_i, form)) {
            ck_assert_str_eq(forms[form], "format=npy"); /* only bf16 is refused */
            ask_free(&whole);
            continue;
        }
        char *expected = ask_read(&whole, 8 << 20, &len);
        for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
            struct ask chunks;

            ck_assert(ask_form(&chunks, (size_t)_i, form));
            compare_chunks(&chunks, expected, len, spaces[i][0], spaces[i][1], i + 1);
            ask_free(&chunks);
        }
        free(expected);
        ask_free(&whole);
    }
}
END_TEST

START_TEST(a_promised_size_is_kept)
{
    for (size_t form = 0; form < FORMS; form++) {
        struct ask ask;
        size_t len;

        if (ask_form(&ask, (size_t)_i, form)) {
            bool binary = request_options(ask.request)->format->binary;
            uint64_t promised = encoder_size(ask.encoder);
            char *bytes = ask_read(&ask, 1 << 16, &len);

            ck_assert_uint_eq(promised, binary ? len : FORMAT_UNKNOWN);
            ck_assert_uint_eq(encoder_size(ask.encoder), promised);
            free(bytes);
        }
        ask_free(&ask);
    }
}
END_TEST

START_TEST(an_encoder_outlives_its_request_and_the_callers_plan)
{
    struct ask ask;

    ask_query(&ask, "rope", "pos=0:4&dim=8", NULL);
    pe_plan_free(ask.plan);
    request_free(ask.request);
    ask.plan = NULL;
    ask.request = NULL;
    size_t len;
    char *bytes = ask_read(&ask, 4096, &len);
    ck_assert_uint_gt(len, 100);
    free(bytes);
    ask_free(&ask);
}
END_TEST

START_TEST(any_range_of_bytes_can_be_computed_by_itself)
{
    struct ask ask;
    char part[300];

    ask_query(&ask, "rope", "pos=0:40&dim=14&out=sin&format=raw", NULL);
    size_t len, bytes = 40 * 7 * 4;
    char *whole = ask_read(&ask, 1 << 16, &len);
    ck_assert_uint_eq(len, bytes);
    for (size_t at = 0; at < bytes; at += 13) {
        for (size_t size = 1; size < sizeof part && at + size <= bytes; size += 37) {
            encoder_fill_bytes(ask.encoder, 0, at, part + 1, size);
            ck_assert_mem_eq(part + 1, whole + at, size);
        }
    }
    free(whole);
    ask_free(&ask);
}
END_TEST

/* Seeks to random places and both ends, and reads there. */
static void compare_seeks(struct ask *ask, const char *expected, size_t len)
{
    char space[FORMAT_MIN_CAPACITY];
    uint64_t seed = len;

    for (int times = 0; times < 40; times++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = times == 0 ? len : (size_t)(seed >> 33) % (len + 1);
        encoder_seek(ask->encoder, at);
        for (int reads = 0; reads < 2; reads++) {
            size_t got = encoder_read(ask->encoder, space, sizeof space);

            ck_assert_uint_eq(got, len - at < sizeof space ? len - at : sizeof space);
            ck_assert_mem_eq(space, expected + at, got);
            at += got;
        }
    }
}

START_TEST(from_any_byte_on_the_answer_is_the_same)
{
    size_t sought = 0;

    for (size_t form = 0; form < FORMS; form++) {
        struct ask ask;

        if (ask_form(&ask, (size_t)_i, form) && request_options(ask.request)->format->seek) {
            size_t len;
            char *expected = ask_read(&ask, 8 << 20, &len);

            compare_seeks(&ask, expected, len);
            free(expected);
            sought++;
        }
        ask_free(&ask);
    }
    ck_assert_uint_ge(sought, 2);
}
END_TEST

START_TEST(warnings_reach_the_client_in_every_format)
{
    static const char warned[] = "pos=0:4&dim=8&out=cos&scaling=linear&factor=0.5";
    struct ask ask;
    char value[ASK_HEADER_MAX];
    char query[128];

    ask_query(&ask, "rope", warned, NULL);
    ck_assert_uint_eq(pe_plan_warning_count(ask.plan), 1);
    const char *warning = pe_plan_warning(ask.plan, 0);
    ck_assert_str_eq(ask_header(&ask, "Posenc-Warning", value), "");
    json_t *document = ask_json("rope", warned);
    json_t *warnings = json_object_get(document, "warnings");
    ck_assert_str_eq(json_string_value(json_array_get(warnings, 0)), warning);
    json_decref(document);
    static const char *const bare[] = {"npy", "raw", "csv"};
    for (size_t i = 0; i < 3; i++) {
        struct ask other;

        snprintf(query, sizeof query, "%s&format=%s", warned, bare[i]);
        ask_query(&other, "rope", query, NULL);
        ck_assert_str_eq(ask_header(&other, "Posenc-Warning", value), warning);
        ask_free(&other);
    }
    ask_free(&ask);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(the_bytes_do_not_depend_on_the_space, 0, REQUESTS),
    TEST_RANGE(a_promised_size_is_kept, 0, REQUESTS),
    TEST(an_encoder_outlives_its_request_and_the_callers_plan),
    TEST_RANGE(from_any_byte_on_the_answer_is_the_same, 0, REQUESTS),
    TEST(any_range_of_bytes_can_be_computed_by_itself),
    TEST(warnings_reach_the_client_in_every_format),
};

const struct suite encoder_suite = {SUITE_TESTS(tests), .timeout = 30};
