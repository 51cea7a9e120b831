/* SPDX-License-Identifier: Apache-2.0
 * test_request_templates.c - what decides a request is its key, and a template is made when a
 * key comes again. That requests made from templates are right is a matter of
 * test_request_at.c. */
#include "server/cache/request_templates.h"

#include <stdio.h>
#include <string.h>

#include "proto/request/request.h"
#include "tests/support/suite.h"

static struct request_templates *templates;

static void start(void)
{
    templates = request_templates_new();
    ck_assert_ptr_nonnull(templates);
}

static void stop(void)
{
    request_templates_free(templates);
}

static bool make_key(struct request_templates_key *key, const char *query, const char *accept)
{
    return request_templates_key(key, "rope", 4, query, strlen(query), accept, 1);
}

static const struct {
    const char *query, *accept, *key, *position;
} keys[] = {
    {"pos=4&dim=8", NULL, "rope?pos=&dim=8 ", "4"},
    {"dim=8&pos=0:4", "*/*", "rope?dim=8&pos= */*", "0:4"},
    {"dim=8&pos=-0.5,7&rev=0", "", "rope?dim=8&pos=&rev=0 ", "-0.5,7"},
    {"pos=1&pos=2", NULL, "rope?pos=&pos=2 ", "1"},
    {"xpos=1&pos=2", NULL, "rope?xpos=1&pos= ", "2"},
};

START_TEST(the_key_is_all_but_the_positions)
{
    struct request_templates_key key;

    ck_assert(make_key(&key, keys[_i].query, keys[_i].accept));
    ck_assert_uint_eq(key.len, strlen(keys[_i].key));
    ck_assert_mem_eq(key.bytes, keys[_i].key, key.len);
    ck_assert_uint_eq(key.position_len, strlen(keys[_i].position));
    ck_assert_mem_eq(key.position, keys[_i].position, key.position_len);
}
END_TEST

static const char *const keyless[] = {"dim=8",        "",      "pos",          "pos=&dim=8",
                                      "pos=1%2C2",    "POS=1", "dim=8&posi=1", "pos=%31&dim=8",
                                      "dim=8&x=pos=1"};

START_TEST(a_query_without_plain_positions_has_no_key)
{
    struct request_templates_key key;

    ck_assert(!make_key(&key, keyless[_i], NULL));
}
END_TEST

START_TEST(a_key_that_is_too_long_is_none)
{
    char query[REQUEST_TEMPLATES_KEY_MAX + 100] = "pos=1&";
    struct request_templates_key key;
    const size_t most = REQUEST_TEMPLATES_KEY_MAX - strlen("rope? ") + strlen("1");

    memset(query + strlen(query), 'x', sizeof query - strlen(query));
    query[most] = '\0';
    ck_assert(make_key(&key, query, NULL));
    ck_assert(!make_key(&key, query, "a"));
    query[most] = 'x';
    query[most + 1] = '\0';
    ck_assert(!make_key(&key, query, NULL));
    ck_assert(!request_templates_key(&key, "rope", 4, NULL, 0, NULL, 1));
}
END_TEST

/* Asks as an exchange does; returns whether a template served, and the request's etag. */
static bool ask(const char *query, const char *accept, unsigned generation, char etag[64])
{
    struct request_templates_key key;
    struct pe_errors errors = {.count = 0};
    bool wanted;

    ck_assert(request_templates_key(&key, "rope", 4, query, strlen(query), accept, generation));
    struct request *request = request_templates_find(templates, &key, &wanted);
    const bool found = request;
    if (!found) {
        request = request_new(pe_find("rope", 4));
        ck_assert_ptr_nonnull(request);
        request_set_query(request, query, strlen(query), &errors);
        if (wanted)
            request_keep(request);
        enum pe_status status =
            request_finish(request, accept, accept ? strlen(accept) : 0, &errors);
        if (wanted && status == PE_OK)
            request_templates_add(templates, &key, request);
        if (status != PE_OK) {
            request_free(request);
            return false;
        }
    }
    snprintf(etag, 64, "%s", request_etag(request, CONTENT_CODING_IDENTITY));
    request_free(request);
    return found;
}

START_TEST(the_third_request_is_made_from_a_template)
{
    char first[64], third[64];

    ck_assert(!ask("pos=1&dim=8&format=npy&out=cos", NULL, 1, first));
    ck_assert(!ask("pos=2&dim=8&format=npy&out=cos", NULL, 1, third));
    ck_assert(ask("pos=1&dim=8&format=npy&out=cos", NULL, 1, third));
    ck_assert_str_eq(first, third);
    ck_assert(ask("pos=3&dim=8&format=npy&out=cos", NULL, 1, third));
    ck_assert_str_ne(first, third);
}
END_TEST

START_TEST(another_accept_or_generation_is_another_key)
{
    char json[64], csv[64], etag[64];

    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(ask("pos=1&dim=8&out=cos", "application/json", 1, json), i == 2);
    ck_assert(!ask("pos=1&dim=8&out=cos", "text/csv", 1, csv));
    ck_assert_str_ne(json, csv);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(ask("pos=1&dim=8&out=cos", "application/json", 2, etag), i == 2);
    ck_assert_str_eq(json, etag);
}
END_TEST

START_TEST(a_request_that_is_refused_makes_no_template)
{
    char etag[64];

    for (int i = 0; i < 4; i++)
        ck_assert(!ask("pos=1&dim=7", NULL, 1, etag));
    for (int i = 0; i < 4; i++)
        ck_assert(!ask("pos=1&out=inv_freq&dim=8", NULL, 1, etag)); /* no effect: read anew */
}
END_TEST

/* A list may be repeated: pos=1&pos=2 is pos=1,2. */
static const char *const twice[] = {"pos=%d&dim=8&out=cos&pos=2",
                                    "pos=%d&p%%6Fs=2&dim=8&out=cos",
                                    "pos=%d&dim=8&out=cos&p%%6fs=7,9"};

START_TEST(a_target_with_more_positions_makes_no_template)
{
    char query[64], etag[64], first[64];

    for (int i = 0; i < 4; i++) {
        snprintf(query, sizeof query, twice[_i], i % 3);
        ck_assert(!ask(query, NULL, 1, etag));
        if (i == 0)
            memcpy(first, etag, sizeof first);
    }
    ck_assert_str_eq(first, etag); /* of the same target */
}
END_TEST

START_TEST(many_keys_take_each_others_places)
{
    char query[64], etag[64], again[64];

    for (int i = 0; i < 4 * REQUEST_TEMPLATES_MAX; i++)
        for (int j = 0; j < 3; j++) {
            snprintf(query, sizeof query, "pos=%d&dim=%d&out=cos", j, 2 + 2 * i);
            ck_assert_int_eq(ask(query, NULL, 1, etag), j == 2);
        }
    snprintf(query, sizeof query, "pos=2&dim=%d&out=cos", 8 * REQUEST_TEMPLATES_MAX);
    ck_assert(ask(query, NULL, 1, again));
    ck_assert_str_eq(etag, again);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(the_key_is_all_but_the_positions, keys),
    TEST_EACH(a_query_without_plain_positions_has_no_key, keyless),
    TEST(a_key_that_is_too_long_is_none),
    TEST(the_third_request_is_made_from_a_template),
    TEST(another_accept_or_generation_is_another_key),
    TEST(a_request_that_is_refused_makes_no_template),
    TEST_EACH(a_target_with_more_positions_makes_no_template, twice),
    TEST(many_keys_take_each_others_places),
};

const struct suite request_templates_suite = {SUITE_TESTS(tests), .setup = start,
                                              .teardown = stop};
