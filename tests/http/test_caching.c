/* SPDX-License-Identifier: Apache-2.0
 * test_caching.c - entity tags, conditional requests, Cache-Control, canonical form. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/black_box.h"
#include "tests/support/suite.h"

#define TARGET "/v1/rope?dim=8&pos=0:4&out=cos&format=json"

static char *copy_header(struct answer *answer, const char *name)
{
    const char *value = answer_header(answer, name);

    ck_assert_msg(value != NULL, "%s is missing:\n%s", name, answer->head);
    return strdup(value);
}

static void ask_with(const char *target, const char *header, struct answer *answer)
{
    const char *const headers[] = {header, NULL};

    web_ask(black_box_web(), &(struct ask){.target = target, .headers = headers}, answer);
}

/* All spellings of one request. */
static const char *const spellings[] = {
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json",
    "/v1/rope?format=json&out=cos&pos=0:4&dim=8",
    "/v1/rope?dim=8&pos=:4&out=cos&format=json",
    "/v1/rope?dim=8&pos=0,1,2,3&out=cos&format=json",
    "/v1/rope?dim=8&pos=0:2,2,3&out=cos&format=json",
    "/v1/rope?dim=8&pos=0:4:1&out=cos&format=json",
    "/v1/rope?dim=8&pos=0%3A4&out=cos&format=json",
    "/v1/rope?dim=8&pos=%30:4&out=%63os&format=json",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&base=10000",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&base=1e4",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&base=10000.0",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&dtype=float32",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&dtype=f32&scaling=default",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&scaling=none&profile=exact",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&rotary_dim=8",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&width=half",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&data=nested&pretty=0",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&pretty=false",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&rev=2",
    "/v1/rope?dim=8&pos=0:4&out=cos",
};

START_TEST(all_spellings_share_one_entity_tag_and_body)
{
    struct web *web = black_box_web();
    struct answer first = {0}, answer = {0};

    web_get(web, spellings[0], &first);
    ck_assert_msg(first.status == 200, "%s", first.body);
    char *etag = copy_header(&first, "ETag");
    char *location = copy_header(&first, "Content-Location");
    web_get(web, spellings[_i], &answer);
    ck_assert_msg(answer.status == 200, "%s: %s", spellings[_i], answer.body);
    ck_assert_str_eq(answer_header(&answer, "ETag"), etag);
    ck_assert_str_eq(answer_header(&answer, "Content-Location"), location);
    ck_assert_str_eq(answer.body, first.body);
    free(etag);
    free(location);
    answer_fini(&first);
    answer_fini(&answer);
}
END_TEST

/* Requests that differ in what decides the bytes. */
static const char *const others[] = {
    "/v1/rope?dim=8&pos=0:5&out=cos&format=json",
    "/v1/rope?dim=8&pos=3,2,1,0&out=cos&format=json",
    "/v1/rope?dim=8&pos=0:4&out=sin&format=json",
    "/v1/rope?dim=8&pos=0:4&out=cos,sin&format=json",
    "/v1/rope?dim=10&pos=0:4&out=cos&format=json",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&dtype=f64",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&base=10001",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&data=flat",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&data=base64",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&pretty=1",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&width=full",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&profile=f32-pow",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=npy",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=csv",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=raw",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=safetensors",
    "/v1/rope?dim=8&pos=0:4&out=cos&format=json&scaling=linear&factor=2",
};

START_TEST(other_requests_have_other_entity_tags)
{
    struct web *web = black_box_web();
    struct answer answer = {0};
    size_t count = sizeof others / sizeof others[0];

    char *tags[sizeof others / sizeof others[0] + 1];
    for (size_t i = 0; i <= count; i++) {
        web_get(web, i == 0 ? spellings[0] : others[i - 1], &answer);
        ck_assert_msg(answer.status == 200, "%zu: %s", i, answer.body);
        tags[i] = copy_header(&answer, "ETag");
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(strcmp(tags[i], tags[j]) != 0, "%zu and %zu share %s", i, j, tags[i]);
    }
    for (size_t i = 0; i <= count; i++)
        free(tags[i]);
    answer_fini(&answer);
}
END_TEST

START_TEST(an_entity_tag_is_strong_and_quoted)
{
    struct answer answer = {0};

    web_get(black_box_web(), TARGET, &answer);
    const char *etag = answer_header(&answer, "ETag");
    ck_assert_ptr_nonnull(etag);
    ck_assert(etag[0] == '"' && etag[strlen(etag) - 1] == '"' && strlen(etag) > 10);
    answer_fini(&answer);
}
END_TEST

START_TEST(if_none_match_is_304_without_a_body)
{
    struct answer answer = {0};

    web_get(black_box_web(), TARGET, &answer);
    char *etag = copy_header(&answer, "ETag");
    char *len = copy_header(&answer, "Content-Length");
    char lines[6][256];
    snprintf(lines[0], sizeof lines[0], "If-None-Match: %s", etag);
    snprintf(lines[1], sizeof lines[1], "If-None-Match: *");
    snprintf(lines[2], sizeof lines[2], "If-None-Match: W/%s", etag);
    snprintf(lines[3], sizeof lines[3], "If-None-Match: \"x\", %s", etag);
    snprintf(lines[4], sizeof lines[4], "If-None-Match: \"x,y\",W/\"z\" ,\t%s , \"w\"", etag);
    snprintf(lines[5], sizeof lines[5], "if-none-match: %s,", etag);
    for (size_t i = 0; i < 6; i++) {
        ask_with(TARGET, lines[i], &answer);
        ck_assert_msg(answer.status == 304, "%s: %ld", lines[i], answer.status);
        ck_assert_int_eq((int)answer.len, 0);
        ck_assert_str_eq(answer_header(&answer, "ETag"), etag);
        ck_assert_ptr_nonnull(answer_header(&answer, "Cache-Control"));
        ck_assert_ptr_nonnull(answer_header(&answer, "Content-Location"));
        ck_assert_str_eq(answer_header(&answer, "Content-Length"), len); /* the 200's */
    }
    free(len);
    free(etag);
    answer_fini(&answer);
}
END_TEST

START_TEST(another_entity_tag_gets_the_answer)
{
    const char *const lines[] = {"If-None-Match: \"x\"", "If-None-Match: W/\"x\", \"y\"",
                                 "If-None-Match: x", "If-None-Match:"};

    for (size_t i = 0; i < 4; i++) {
        struct answer answer = {0};

        ask_with(TARGET, lines[i], &answer);
        ck_assert_msg(answer.status == 200, "%s: %ld", lines[i], answer.status);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(a_match_costs_no_computation)
{
    /* Two gigabytes: the tag is known before anything is computed. */
    struct answer answer = {0};
    const char *target = "/v1/rope?dim=1024&pos=0:1000000&out=sin&format=raw";
    web_ask(black_box_web(), &(struct ask){.method = "HEAD", .target = target}, &answer);
    ck_assert_msg(answer.status == 200, "%s", answer.head);
    ck_assert_str_eq(answer_header(&answer, "Content-Length"), "2048000000");
    char line[256];
    snprintf(line, sizeof line, "If-None-Match: %s", answer_header(&answer, "ETag"));
    ask_with(target, line, &answer);
    ck_assert_int_eq(answer.status, 304);
    ck_assert_str_eq(answer_header(&answer, "Content-Length"), "2048000000"); /* the 200's */
    ck_assert_ptr_null(answer_header(&answer, "Transfer-Encoding"));
    ck_assert_ptr_null(answer_header(&answer, "Connection"));
    answer_fini(&answer);
}
END_TEST

START_TEST(a_match_of_text_never_computed_says_no_length)
{
    struct answer answer = {0};
    const char *target = "/v1/rope?dim=64&pos=0:40000&out=sin&format=csv";

    web_ask(black_box_web(), &(struct ask){.method = "HEAD", .target = target}, &answer);
    ck_assert_msg(answer.status == 200, "%s", answer.head);
    char line[256];
    snprintf(line, sizeof line, "If-None-Match: %s", answer_header(&answer, "ETag"));
    ask_with(target, line, &answer);
    ck_assert_int_eq(answer.status, 304);
    ck_assert_ptr_null(answer_header(&answer, "Content-Length")); /* 0 would be wrong */
    ck_assert_ptr_null(answer_header(&answer, "Transfer-Encoding"));
    answer_fini(&answer);
}
END_TEST

START_TEST(head_of_a_large_text_says_no_length)
{
    struct answer answer = {0};
    const char *target = "/v1/rope?dim=128&pos=0:100000&out=sin";

    web_ask(black_box_web(), &(struct ask){.method = "HEAD", .target = target}, &answer);
    black_box_expect(&answer, 200, "application/json");
    ck_assert_ptr_null(answer_header(&answer, "Content-Length"));
    ck_assert_ptr_nonnull(answer_header(&answer, "ETag"));
    answer_fini(&answer);
}
END_TEST

START_TEST(a_refused_request_is_refused_before_its_tag_is_looked_at)
{
    struct answer answer = {0};

    ask_with("/v1/rope?dim=7&pos=0:4", "If-None-Match: *", &answer);
    ck_assert_int_eq(answer.status, 400);
    answer_fini(&answer);
}
END_TEST

START_TEST(content_location_leads_to_the_same_bytes)
{
    const char *const targets[] = {
        "/v1/rope?pos=0,1,2,3,9,8,7&dim=16&partial_rotary_factor=0.5",
        "/v1/sinusoidal?pos=-1.5,2.25,1e3&dim=6&base=1e17&format=csv",
        "/v1/alibi?heads=12&len=7&causal=1&mask_value=-inf",
        "/v1/alibi?heads=6&q=127:128&k=0:128&format=safetensors&out=bias,slopes",
        "/v1/sinusoidal?pos=0:4&dim=4&preset=tensor2tensor&format=npy",
    };
    struct web *web = black_box_web();

    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct answer first = {0}, second = {0};

        web_get(web, targets[i], &first);
        ck_assert_msg(first.status == 200, "%s: %s", targets[i], first.body);
        char *location = copy_header(&first, "Content-Location");
        char *etag = copy_header(&first, "ETag");
        web_get(web, location, &second);
        ck_assert_msg(second.status == 200, "%s: %s", location, second.body);
        ck_assert_str_eq(answer_header(&second, "ETag"), etag);
        ck_assert_str_eq(answer_header(&second, "Content-Location"), location);
        ck_assert_uint_eq(first.len, second.len);
        ck_assert_mem_eq(first.body, second.body, first.len);
        free(location);
        free(etag);
        answer_fini(&first);
        answer_fini(&second);
    }
}
END_TEST

START_TEST(cache_control_says_how_long)
{
    static const struct {
        const char *target, *value;
    } cases[] = {
        {TARGET, "public, max-age=86400, stale-while-revalidate=604800"},
        {TARGET "&rev=2", "public, max-age=31536000, immutable"},
        {"/v1/rope?dim=7&pos=0:4", "no-store"},
        {"/nowhere", "max-age=5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = {0};

        web_get(black_box_web(), cases[i].target, &answer);
        ck_assert_str_eq(answer_header(&answer, "Cache-Control"), cases[i].value);
        answer_fini(&answer);
    }
}
END_TEST

START_TEST(a_preset_is_expanded_and_shares_the_entry)
{
    struct web *web = black_box_web();
    struct answer preset = {0}, spelled = {0};

    web_get(web, "/v1/sinusoidal?pos=0:4&dim=6&preset=tensor2tensor", &preset);
    ck_assert_msg(preset.status == 200, "%s", preset.body);
    ck_assert_ptr_null(strstr(answer_header(&preset, "Content-Location"), "preset"));
    char *location = copy_header(&preset, "Content-Location");
    web_get(web, location, &spelled);
    ck_assert_int_eq(spelled.status, 200);
    ck_assert_str_eq(preset.body, spelled.body);
    ck_assert_ptr_null(strstr(preset.body, "\"preset\""));
    free(location);
    answer_fini(&preset);
    answer_fini(&spelled);
}
END_TEST

START_TEST(another_revision_than_the_current_is_refused)
{
    struct answer answer = {0};

    web_get(black_box_web(), "/v1/rope?dim=8&pos=0:4&rev=999", &answer);
    json_t *problem = black_box_problem(&answer, 400, "invalid-parameter");
    const json_t *error = black_box_error(problem, "rev");
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(error, "detail")), "2"));
    json_decref(problem);
    answer_fini(&answer);
}
END_TEST

START_TEST(a_second_time_is_a_hit)
{
    struct answer answer = {0};
    const char *target = "/v1/alibi?heads=3&len=5&format=raw";

    web_get(black_box_web(), target, &answer);
    ck_assert_int_eq(answer.status, 200);
    web_get(black_box_web(), target, &answer);
    const char *timing = answer_header(&answer, "Server-Timing");
    ck_assert_msg(timing && strstr(timing, "cache;desc=hit"), "%s", answer.head);
    answer_fini(&answer);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(all_spellings_share_one_entity_tag_and_body, spellings),
    TEST(other_requests_have_other_entity_tags),
    TEST(an_entity_tag_is_strong_and_quoted),
    TEST(if_none_match_is_304_without_a_body),
    TEST(another_entity_tag_gets_the_answer),
    TEST(a_match_costs_no_computation),
    TEST(a_match_of_text_never_computed_says_no_length),
    TEST(head_of_a_large_text_says_no_length),
    TEST(a_refused_request_is_refused_before_its_tag_is_looked_at),
    TEST(content_location_leads_to_the_same_bytes),
    TEST(cache_control_says_how_long),
    TEST(a_preset_is_expanded_and_shares_the_entry),
    TEST(another_revision_than_the_current_is_refused),
    TEST(a_second_time_is_a_hit),
};

const struct suite caching_suite = {SUITE_TESTS(tests), BLACK_BOX};
