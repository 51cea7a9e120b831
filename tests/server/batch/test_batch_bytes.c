/* SPDX-License-Identifier: Apache-2.0
 * test_batch_bytes.c - which bytes a batch waits for that has given back what it had. */
#include <poll.h>

#include "server/net/inflight.h"
#include "server/shared.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define MISSES "posencd_cache_requests_total{result=\"miss\"}"

enum { MIB = 1 << 20, TAKEN = 8 * MIB, TAKEN_LATER = 5 * MIB, SOME_MS = 300 };

static struct visit visit;
static struct http_client *client;

static void little_memory(struct config *config)
{
    config->threads = 1;
    config->peer = CONFIG_PEER_CONNECTION;
    config->work_timeout_ms = 4000;
    config->max_inflight = 16 * MIB;
}

static void end(void)
{
    http_client_free(client);
    client = NULL;
    visit_end(&visit);
}

/* The answer takes 4.1 MiB and its second part, while it is made, 3 more. Of the 13 that long
 * answers may have 5 are free, then 8: enough if the bytes of the part are not taken for the
 * answer too. An answer of another loop keeps its bytes meanwhile, so this one gives its
 * back. */
START_TEST(a_batch_that_begins_again_wants_the_bytes_of_a_part_once)
{
    visit_begin(&visit, little_memory);
    atomic_store(&visit.service->answer_holds, true);
    ck_assert(inflight_reserve(visit.service, TAKEN));
    client = http_client_new(served_port(visit.service));
    http_client_request(client, "POST", "/v1/batch?format=safetensors",
                        "Content-Type: application/json\r\n",
                        "{\"requests\":[{\"path\":\"/v1/sinusoidal?dim=4&pos=0:2\"},"
                        "{\"path\":\"/v1/sinusoidal?dim=256&pos=0:2048\"}]}");
    ck_assert(served_metric_becomes(visit.service, MISSES, 1));
    poll(NULL, 0, SOME_MS); /* until it waits */
    inflight_release(visit.service, TAKEN - TAKEN_LATER);
    http_client_read(client, &visit.answer, false, NULL, NULL);
    ck_assert_int_eq(visit.answer.status, 200);
    inflight_release(visit.service, TAKEN_LATER);
    atomic_store(&visit.service->answer_holds, false);
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_batch_that_begins_again_wants_the_bytes_of_a_part_once),
};

const struct suite batch_bytes_suite = {SUITE_TESTS(tests), .teardown = end, .timeout = 60};
