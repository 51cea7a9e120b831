/* SPDX-License-Identifier: Apache-2.0
 * test_collisions.c - a cache that can hardly tell its keys apart by their hashes answers as
 * one that keeps nothing: the whole key is compared, however a request is spelled. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/cache.h"
#include "server/service.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { PAIRS = 3000, DIMS = 8, STARTS = 12, SPELLINGS = 6 };

static void keep_nothing(struct config *config)
{
    config->cache_size = config->shared_table_cache = 0;
}

static void keep_little(struct config *config)
{
    config->cache_size = 256 << 10; /* so that entries also come and go */
}

/* $POSENC_PAIRS, for a longer run. */
static unsigned long pair_count(void)
{
    const char *text = getenv("POSENC_PAIRS");
    unsigned long count = text ? strtoul(text, NULL, 10) : 0;

    return count ? count : PAIRS;
}

/* One of few questions in one of its spellings. */
static void spell(char *out, size_t size, unsigned question, unsigned spelling)
{
    static const char *const names[] = {"cos", "sin"};
    unsigned dim = 2 + question % DIMS * 2, start = question / DIMS % STARTS * 7;
    const char *name = names[question / DIMS / STARTS % 2];

    switch (spelling % SPELLINGS) {
    case 0:
        snprintf(out, size, "/v1/rope?dim=%u&pos=%u:%u&out=%s&format=raw", dim, start,
                 start + 9, name);
        break;
    case 1:
        snprintf(out, size, "/v1/rope?format=raw&out=%s&pos=%u:%u:1&dim=%u", name, start,
                 start + 9, dim);
        break;
    case 2:
        snprintf(out, size, "/v1/rope?dim=%u&base=1e4&pos=%u:%u&out=%s&format=raw", dim, start,
                 start + 9, name);
        break;
    case 3:
        snprintf(out, size, "/v1/rope?dim=%u&pos=%u,%u:%u&dtype=float32&out=%s&format=raw", dim,
                 start, start + 1, start + 9, name);
        break;
    case 4: /* nearly the same question: another answer */
        snprintf(out, size, "/v1/rope?dim=%u&pos=%u:%u&out=%s&format=raw&base=10001", dim,
                 start, start + 9, name);
        break;
    default:
        snprintf(out, size, "/v1/rope?dim=%u&pos=%u:%u&out=%s&format=raw&dtype=f64", dim, start,
                 start + 9, name);
    }
}

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 8;
}

START_TEST(answers_do_not_depend_on_hashes)
{
    struct service *plain = served_start(keep_nothing), *crowded = served_start(keep_little);
    struct http_client *reference = http_client_new(served_port(plain));
    struct http_client *client = http_client_new(served_port(crowded));
    struct http_answer expected = {0}, answer = {0};
    const unsigned long pairs = pair_count();
    uint64_t state = 20261121;
    char target[200];

    cache_mask_hash(crowded->cache, 1); /* two hashes for all keys */
    for (unsigned long i = 0; i < pairs; i++) {
        if (i % 5000 == 4999) { /* a connection ends after 10,000 requests */
            http_client_free(reference);
            http_client_free(client);
            reference = http_client_new(served_port(plain));
            client = http_client_new(served_port(crowded));
        }
        spell(target, sizeof target, (unsigned)draw(&state), (unsigned)draw(&state));
        http_client_get(reference, &expected, target);
        http_client_get(client, &answer, target);
        ck_assert_msg(expected.status == 200 && answer.status == 200, "%s: %d, %s", target,
                      answer.status, expected.body);
        ck_assert_msg(answer.len == expected.len &&
                          memcmp(answer.body, expected.body, answer.len) == 0,
                      "%s: another body", target);
    }
    ck_assert(served_metric(crowded, "posencd_cache_requests_total{result=\"hit\"}") > 0);
    http_answer_fini(&expected);
    http_answer_fini(&answer);
    http_client_free(reference);
    http_client_free(client);
    served_stop(plain);
    served_stop(crowded);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(answers_do_not_depend_on_hashes),
};

const struct suite collisions_suite = {SUITE_TESTS(tests), .timeout = 600};
