/* SPDX-License-Identifier: Apache-2.0
 * test_caching.c - entity tags that differ, their form, and a hit of the cache;
 * caching.scenarios has conditional requests, Cache-Control and the canonical form. */
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
        web_get(web, i == 0 ? TARGET : others[i - 1], &answer);
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
    TEST(other_requests_have_other_entity_tags),
    TEST(an_entity_tag_is_strong_and_quoted),
    TEST(a_second_time_is_a_hit),
};

const struct suite caching_suite = {SUITE_TESTS(tests), BLACK_BOX};
