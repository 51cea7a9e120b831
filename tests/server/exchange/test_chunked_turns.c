/* SPDX-License-Identifier: Apache-2.0
 * test_chunked_turns.c - compressed bodies, in chunks and of known length, that a loop inflates
 * in many turns. All are read to their end, however long they wait for their turns; those whose
 * clients leave or whose loop ends meanwhile have none. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include "proto/text/buffer.h"
#include "server/net/loop.h"
#include "server/service.h"
#include "tests/support/core_random.h"
#include "tests/support/gunzip.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

enum { CLIENTS = 24, LINES = 60000, LINE_BYTES = 64, ITERATIONS = 3 };

#define DEADLINE_NS UINT64_C(200000000)

static struct visit visit;

/* Holds a loop until its clients have sent their bodies, and closes them after some iterations,
 * in which the loop has turns for few of them. */
static struct hold {
    struct loop_post post; /* first: a post is cast to its hold */
    uv_sem_t held, sent, over;
    struct http_client *clients[CLIENTS];
    int iterations;
    enum leaving { STAY, END, RESET, LATE } leaving;
} hold;

static void leave(struct http_client *client)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    if (hold.leaving == RESET)
        setsockopt(http_client_fd(client), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    http_client_free(client);
}

static bool has_left(void)
{
    return hold.leaving == END || hold.leaving == RESET;
}

/* Nothing else happens on the loop until the clients would be late and the sweep is due. */
static void wait_for_deadline(void)
{
    const uint64_t start = uv_hrtime();

    while (uv_hrtime() - start < DEADLINE_NS)
        sched_yield();
}

static void on_iteration(struct loop_post *post)
{
    if (hold.iterations++ < ITERATIONS) {
        loop_post(visit.service->loops[0], post);
        return;
    }
    if (hold.leaving == LATE)
        wait_for_deadline();
    for (int i = 0; has_left() && i < CLIENTS; i++)
        leave(hold.clients[i]);
    uv_sem_post(&hold.over);
}

static void on_held(struct loop_post *post)
{
    uv_sem_post(&hold.held);
    uv_sem_wait(&hold.sent);
    post->fn = on_iteration;
    loop_post(visit.service->loops[0], post);
}

/* A body of 4 MB in 40 KB, most of which is blanks. */
static void write_request(struct buffer *out, bool in_chunks)
{
    struct core_random random = {.state = 1};
    struct buffer plain = {0};
    size_t len;
    char *packed;

    buffer_add_text(&plain, "{\"dim\":4,\"pos\":[7");
    for (int pos = 1; pos < 100; pos++) /* a list of so many numbers may be long */
        buffer_add_format(&plain, ",%d", pos);
    for (int i = 0; i < LINES; i++)
        buffer_add_format(&plain, "%*s", (int)core_random_whole(&random, 1, 2 * LINE_BYTES),
                          "\n");
    buffer_add_text(&plain, "]}");
    packed = gunzip_pack(GUNZIP_GZIP, plain.bytes, plain.len, &len);
    buffer_add_format(out,
                      "POST /v1/sinusoidal HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
                      "Content-Type: application/json\r\n");
    buffer_add_format(out,
                      in_chunks ? "Transfer-Encoding: chunked\r\n\r\n%zx\r\n"
                                : "Content-Length: %zu\r\n\r\n",
                      len);
    buffer_add(out, packed, len);
    buffer_add_text(out, in_chunks ? "\r\n0\r\n\r\n" : "");
    free(packed);
    buffer_fini(&plain);
}

static void one_loop(struct config *config)
{
    config->threads = 1;
}

static void impatient(struct config *config)
{
    config->threads = 1;
    config->body_timeout_ms = 1;
}

/* Returns when all clients have sent a body and the loop has run for some iterations. */
static void send_bodies(enum leaving leaving, bool in_chunks,
                        void (*adjust)(struct config *config))
{
    /* The bodies of two peers, of which none has more to parse than one peer may. */
    static const char *const addresses[] = {"127.0.0.1", "127.0.0.2"};
    struct buffer request = {0};

    write_request(&request, in_chunks);
    visit_begin(&visit, adjust);
    hold = (struct hold){.post.fn = on_held, .leaving = leaving};
    uv_sem_init(&hold.held, 0);
    uv_sem_init(&hold.sent, 0);
    uv_sem_init(&hold.over, 0);
    for (int i = 0; i < CLIENTS; i++) {
        hold.clients[i] = http_client_new_from(served_port(visit.service), addresses[i % 2]);
        http_client_get(hold.clients[i], &visit.answer, "/livez");
    }
    loop_post(visit.service->loops[0], &hold.post);
    uv_sem_wait(&hold.held);
    for (int i = 0; i < CLIENTS; i++)
        http_client_send(hold.clients[i], request.bytes, request.len);
    uv_sem_post(&hold.sent);
    uv_sem_wait(&hold.over);
    buffer_fini(&request);
}

static void stop(void)
{
    for (int i = 0; !has_left() && i < CLIENTS; i++)
        http_client_free(hold.clients[i]);
    visit_end(&visit);
    uv_sem_destroy(&hold.held);
    uv_sem_destroy(&hold.sent);
    uv_sem_destroy(&hold.over);
}

START_TEST(bodies_that_take_many_turns_are_read_to_their_end)
{
    send_bodies(STAY, true, one_loop);
    for (int i = 0; i < CLIENTS; i++) {
        http_client_read(hold.clients[i], &visit.answer, false, NULL, NULL);
        visit_expect(&visit, 200, "[0.6569866,");
    }
    stop();
}
END_TEST

START_TEST(clients_that_leave_before_their_turn_leave_nothing_behind)
{
    send_bodies((enum leaving)_i, true, one_loop);
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", 1));
    visit_reconnect(&visit); /* its time for a first request may be over on a slow machine */
    http_client_get(visit.client, &visit.answer, "/livez");
    ck_assert_int_eq(visit.answer.status, 200);
    stop();
}
END_TEST

START_TEST(the_time_until_its_turn_does_not_count_against_a_client)
{
    send_bodies(LATE, _i == 1, impatient);
    for (int i = 0; i < CLIENTS; i++) {
        http_client_read(hold.clients[i], &visit.answer, false, NULL, NULL);
        visit_expect(&visit, 200, "[0.6569866,");
    }
    ck_assert(served_metric_becomes(visit.service, "posencd_http_inflight_requests", 1));
    stop();
}
END_TEST

START_TEST(a_loop_may_end_while_bodies_wait_for_their_turn)
{
    send_bodies(STAY, true, one_loop);
    stop();
}
END_TEST

SUITE(chunked_turns, TEST(bodies_that_take_many_turns_are_read_to_their_end),
      TEST_RANGE(clients_that_leave_before_their_turn_leave_nothing_behind, END, RESET + 1),
      TEST_RANGE(the_time_until_its_turn_does_not_count_against_a_client, 0, 2),
      TEST(a_loop_may_end_while_bodies_wait_for_their_turn));
