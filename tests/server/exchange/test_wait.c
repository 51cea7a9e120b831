/* SPDX-License-Identifier: Apache-2.0
 * test_wait.c - tests how work on the pool ends that is not done in time, whose client leaves,
 * or whose service ends: the root page is replaced by a job that waits. */
#include "server/exchange/wait.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "server/exchange/response.h"
#include "server/handlers/routes.h"
#include "tests/support/pool_block.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

enum { SOON_MS = 150 };

struct waiting {
    struct wait wait;
    struct pe_stop stop;
    uint64_t held; /* bytes of the in-flight budget */
    struct service *service;
};

static struct visit visit;
static struct pool_block *block;
static struct exchange_routes waiting_routes;
static atomic_bool obeys, released, ran, loop_waits;

static void run(struct wait *wait)
{
    const struct waiting *waiting = (struct waiting *)(void *)wait;

    atomic_store(&ran, true);
    while (!atomic_load(&released) && !(atomic_load(&obeys) && pe_stop_is_set(&waiting->stop)))
        sched_yield();
}

static enum next step_done(struct exchange *ex)
{
    struct header_block head;

    header_block_init(&head);
    return response_queue(ex, 204, response_of_program("", 0), &head);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct waiting *waiting = (struct waiting *)(void *)wait;

    if (ex)
        ex->step = step_done;
    inflight_release(waiting->service, waiting->held);
    free(waiting);
}

static bool cancel(struct wait *wait, struct exchange *ex)
{
    pe_stop_set(&((struct waiting *)(void *)wait)->stop);
    return true;
}

static const struct wait_kind kind = {
    .run = run, .settle = settle, .cancel = cancel, .stops = true};

static enum next begin(struct exchange *ex)
{
    struct waiting *waiting = calloc(1, sizeof *waiting);

    ck_assert_ptr_nonnull(waiting);
    waiting->service = exchange_service(ex);
    waiting->held = 1000;
    ck_assert(inflight_reserve(waiting->service, waiting->held));
    enum next next = wait_start(ex, &waiting->wait, &kind, 0);
    while (atomic_load(&loop_waits) && !atomic_load(&ran))
        sched_yield(); /* the loop looks at no deadline before the job has begun */
    return next;
}

static void soon(struct config *config)
{
    config->work_timeout_ms = SOON_MS;
    config->threads = 1;
}

static void patient(struct config *config)
{
    config->work_timeout_ms = 60000;
    config->threads = 1;
}

static void serve(void (*adjust)(struct config *config))
{
    visit_begin(&visit, adjust);
    waiting_routes = routes;
    waiting_routes.first_step[ENDPOINT_ROOT] = begin;
    visit.service->routes = &waiting_routes;
}

static void start(void)
{
    atomic_store(&obeys, true);
    atomic_store(&released, false);
    atomic_store(&ran, false);
    atomic_store(&loop_waits, false);
}

static void end(void)
{
    atomic_store(&released, true);
    pool_block_free(block);
    block = NULL;
    visit_end(&visit);
}

START_TEST(a_job_that_is_done_answers)
{
    serve(patient);
    atomic_store(&released, true);
    visit_get(&visit, "/", 204, "");
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(a_job_that_has_begun_is_stopped_at_the_deadline_and_answers)
{
    serve(soon);
    atomic_store(&loop_waits, true);
    visit_get(&visit, "/", 204, "");
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(a_job_that_does_not_stop_is_given_up)
{
    serve(soon);
    atomic_store(&obeys, false);
    atomic_store(&loop_waits, true);
    visit_get(&visit, "/", 503, "no answer was ready in time; try again");
    ck_assert(served_metric(visit.service, "posencd_inflight_bytes") > 0);
    atomic_store(&released, true);
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
}
END_TEST

START_TEST(a_job_that_has_not_begun_at_the_deadline_never_does)
{
    serve(soon);
    block = pool_block_new(visit.service->lanes.quick);
    visit_get(&visit, "/", 503, "no answer was ready in time; try again");
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    ck_assert(!atomic_load(&ran));
}
END_TEST

START_TEST(a_job_whose_client_left_before_it_began_never_begins)
{
    struct http_client *leaver;

    serve(patient);
    leaver = http_client_new(served_port(visit.service));
    block = pool_block_new(visit.service->lanes.quick);
    http_client_request(leaver, "GET", "/", NULL, NULL);
    while (served_metric(visit.service, "posencd_inflight_bytes") < 1000)
        sched_yield();
    http_client_free(leaver);
    while (served_metric(visit.service, "posencd_rejected_total{reason=\"client_gone\"}") != 1)
        sched_yield();
    ck_assert(served_metric_becomes(visit.service, "posencd_inflight_bytes", 0));
    ck_assert(!atomic_load(&ran));
}
END_TEST

START_TEST(a_share_of_the_pool_that_is_full_refuses_it)
{
    struct http_client *others[THREAD_POOL_PEER_MOST];

    serve(patient);
    block = pool_block_new(visit.service->lanes.quick);
    for (int i = 0; i < THREAD_POOL_PEER_MOST; i++) {
        others[i] = http_client_new(served_port(visit.service));
        http_client_request(others[i], "GET", "/", NULL, NULL);
    }
    while (served_metric(visit.service, "posencd_inflight_bytes") <
           1000.0 * THREAD_POOL_PEER_MOST)
        sched_yield();
    visit_get(&visit, "/", 503, "too many computations of this client wait for a thread");
    for (int i = 0; i < THREAD_POOL_PEER_MOST; i++)
        http_client_free(others[i]);
}
END_TEST

START_TEST(a_service_ends_while_a_job_runs)
{
    serve(patient);
    http_client_request(visit.client, "GET", "/", NULL, NULL);
    while (!atomic_load(&ran))
        sched_yield(); /* the service is ended by the fixture */
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_job_that_is_done_answers),
    TEST(a_job_that_has_begun_is_stopped_at_the_deadline_and_answers),
    TEST(a_job_that_does_not_stop_is_given_up),
    TEST(a_job_that_has_not_begun_at_the_deadline_never_does),
    TEST(a_job_whose_client_left_before_it_began_never_begins),
    TEST(a_share_of_the_pool_that_is_full_refuses_it),
    TEST(a_service_ends_while_a_job_runs),
};

const struct suite wait_suite = {SUITE_TESTS(tests), .setup = start, .teardown = end,
                                 .timeout = 60};
