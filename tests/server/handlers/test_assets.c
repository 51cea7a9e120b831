/* SPDX-License-Identifier: Apache-2.0
 * test_assets.c - the script and the stylesheet that the pages name, and that neither they nor
 * the pages need a key; explorer.scenarios has the pages. */
#include "server/handlers/assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/gunzip.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define HTML "Accept: text/html\r\n"
#define GZIP "Accept-Encoding: gzip\r\n"

static struct visit visit;
static struct scratch *scratch;
static char keys[SCRATCH_PATH];

static void need_a_key(struct config *config)
{
    config->api_keys_file = keys;
}

static void start(void)
{
    scratch = scratch_new();
    scratch_write(scratch, "keys", "the-key-of-this-test-12\n");
    snprintf(keys, sizeof keys, "%s", scratch_path(scratch, "keys"));
    visit_begin(&visit, need_a_key);
}

static void stop(void)
{
    visit_end(&visit);
    scratch_free(scratch);
}

static const char *const assets[] = {assets_script, assets_style};

START_TEST(an_asset_is_kept_for_ever)
{
    char tag[80];

    visit_ask(&visit, "GET", assets[_i], NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_expect_header(&visit, "Cache-Control", "private, max-age=31536000, immutable");
    visit_expect_header(&visit, "X-Content-Type-Options", "nosniff");
    visit_expect_header(&visit, "Vary", "Accept-Encoding");
    visit_expect_header(&visit, "Content-Encoding", NULL);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    visit_ask_if_none_match(&visit, assets[_i], tag, GZIP);
    ck_assert_int_eq(visit.answer.status, 304);
    visit_expect_header(&visit, "ETag", tag);
}
END_TEST

START_TEST(the_gzip_variant_of_an_asset_is_the_asset)
{
    char *plain, *inflated, tag[80], length[24];
    size_t len, inflated_len;

    visit_ask(&visit, "GET", assets[_i], NULL);
    len = visit.answer.len;
    plain = malloc(len);
    ck_assert_ptr_nonnull(plain);
    memcpy(plain, visit.answer.body, len);
    visit_ask(&visit, "GET", assets[_i], GZIP);
    visit_expect_header(&visit, "Content-Encoding", "gzip");
    inflated = gunzip(visit.answer.body, visit.answer.len, &inflated_len);
    ck_assert_mem_eq(inflated, plain, len);
    ck_assert_uint_eq(inflated_len, len);
    free(inflated);
    free(plain);
    snprintf(length, sizeof length, "%zu", visit.answer.len);
    snprintf(tag, sizeof tag, "%s", http_answer_header(&visit.answer, "ETag"));
    visit_ask(&visit, "HEAD", assets[_i], GZIP);
    visit_expect_header(&visit, "Content-Length", length);
    visit_ask_if_none_match(&visit, assets[_i], tag, GZIP);
    ck_assert_int_eq(visit.answer.status, 304);
}
END_TEST

START_TEST(pages_need_no_key_and_numbers_do)
{
    visit_ask(&visit, "GET", "/", HTML);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_ask(&visit, "GET", "/explore/rope", NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_ask(&visit, "GET", "/problems/unauthorized", NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    visit_ask(&visit, "GET", "/", NULL);
    ck_assert_int_eq(visit.answer.status, 401);
    visit_ask(&visit, "GET", "/v1/rope?dim=4&pos=1", HTML);
    ck_assert_int_eq(visit.answer.status, 401);
    visit_ask(&visit, "GET", "/openapi.json", NULL);
    ck_assert_int_eq(visit.answer.status, 401);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(an_asset_is_kept_for_ever, assets),
    TEST_EACH(the_gzip_variant_of_an_asset_is_the_asset, assets),
    TEST(pages_need_no_key_and_numbers_do),
};
const struct suite assets_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
