/* SPDX-License-Identifier: Apache-2.0
 * test_document.c - where the bytes of a long document are while clients read them. */
#include "server/document/document.h"

#include <stdatomic.h>

#include "proto/text/buffer.h"
#include "server/cache/body_file.h"
#include "server/shared.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define FILE_BYTES "posencd_cache_file_bytes"

enum { ASKED = 5 };

static struct visit visit;

static void one_loop(struct config *config)
{
    config->threads = 1;
}

static void end(void)
{
    visit_end(&visit);
}

/* Returns a target that is too long for the response cache; buffer_fini() it. */
static struct buffer long_target(void)
{
    struct buffer target = {0};

    for (size_t i = 0; i + 1 < pe_count(); i++)
        buffer_add_format(&target, "%s%s", i == 0 ? "/openapi.json?encoding=" : ",",
                          pe_name(pe_at(i)));
    return target;
}

static uint64_t places(void)
{
    return atomic_load(&cache_files(visit.service->cache)->left);
}

START_TEST(a_long_document_is_in_a_file_from_the_start_and_each_answer_gives_its_share_back)
{
    struct buffer target = long_target();

    visit_begin(&visit, one_loop);
    const uint64_t before = places();
    ck_assert_uint_gt(before, ASKED);
    for (int i = 0; i < ASKED; i++) {
        visit_get(&visit, target.bytes, 200, "\"openapi\"");
        ck_assert_uint_gt(visit.answer.len, BODY_FILE_LEAST);
    }
    ck_assert_double_eq(served_metric(visit.service, FILE_BYTES),
                        (double)body_file_memory(visit.answer.len));
    visit_get(&visit, "/livez", 200, "ok"); /* the exchange before is over */
    ck_assert_uint_eq(places(), before - 1);
    buffer_fini(&target);
}
END_TEST

START_TEST(a_short_document_needs_no_file)
{
    visit_begin(&visit, one_loop);
    visit_get(&visit, "/v1/encodings/rope", 200, "rope");
    ck_assert_double_eq(served_metric(visit.service, FILE_BYTES), 0);
}
END_TEST

START_TEST(a_long_document_without_a_free_descriptor_stays_in_memory)
{
    struct buffer target = long_target();

    visit_begin(&visit, one_loop);
    atomic_store(&cache_files(visit.service->cache)->left, 0);
    visit_get(&visit, target.bytes, 200, "\"openapi\"");
    ck_assert_double_eq(served_metric(visit.service, FILE_BYTES), 0);
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    buffer_fini(&target);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_long_document_is_in_a_file_from_the_start_and_each_answer_gives_its_share_back),
    TEST(a_short_document_needs_no_file),
    TEST(a_long_document_without_a_free_descriptor_stays_in_memory),
};

const struct suite document_suite = {SUITE_TESTS(tests), .teardown = end, .timeout = 60};
