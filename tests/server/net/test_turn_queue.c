/* SPDX-License-Identifier: Apache-2.0
 * test_turn_queue.c - in one iteration of a loop its connections begin work of about a
 * millisecond together, whatever they ask for; batches take turns, so that a client that asks
 * for health waits for one turn and not for all; a loop that ends leaves none suspended. */
#include "server/net/turn_queue.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/text/buffer.h"
#include "server/net/connection.h"
#include "server/net/loop.h"
#include "server/service.h"
#include "tests/support/gunzip.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

enum { BATCHES = 24, PARTS = 900 };

static struct visit visit;
static struct http_client *clients[BATCHES];

static void one_loop(struct config *config)
{
    config->threads = 1;
    config->work_timeout_ms = 600000;
}

/* Sends a batch of requests whose answers no other request asks for. */
static void send_batch(int i)
{
    struct buffer body = {0};
    char part[100];

    buffer_add_text(&body, "{\"requests\":[");
    for (int k = 0; k < PARTS; k++) {
        const int first = i * PARTS + k;

        snprintf(part, sizeof part, "%s{\"path\":\"/v1/sinusoidal?dim=4&pos=%d:%d\"}",
                 k > 0 ? "," : "", first, first + 1);
        buffer_add_text(&body, part);
    }
    buffer_add_text(&body, "]}");
    clients[i] = http_client_new(served_port(visit.service));
    http_client_request(clients[i], "POST", "/v1/batch", "Content-Type: application/json\r\n",
                        body.bytes);
    buffer_fini(&body);
}

static void end(void)
{
    for (int i = 0; i < BATCHES; i++)
        http_client_free(clients[i]);
    visit_end(&visit);
}

/* Keeps a loop from its clients until all have asked. */
struct pause {
    struct loop_post post; /* first: a post is cast to its pause */
    uv_sem_t held, asked;
};

static void pause_loop(struct loop_post *post)
{
    struct pause *pause = (struct pause *)(void *)post;

    uv_sem_post(&pause->held);
    uv_sem_wait(&pause->asked);
}

static void begin(void)
{
    struct pause pause = {.post.fn = pause_loop};

    visit_begin(&visit, one_loop);
    uv_sem_init(&pause.held, 0);
    uv_sem_init(&pause.asked, 0);
    loop_post(visit.service->loops[0], &pause.post);
    uv_sem_wait(&pause.held);
    for (int i = 0; i < BATCHES; i++)
        send_batch(i);
    uv_sem_post(&pause.asked);
    ck_assert(
        served_metric_becomes(visit.service, "posencd_http_inflight_requests", BATCHES + 1));
    uv_sem_destroy(&pause.held);
    uv_sem_destroy(&pause.asked);
}

static bool has_answer(struct http_client *client)
{
    struct pollfd poller = {.fd = http_client_fd(client), .events = POLLIN};

    return poll(&poller, 1, 0) > 0;
}

static int answered(struct http_client *const *asking, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += has_answer(asking[i]);
    return sum;
}

/* The answers fit the sockets, so that they end unread. The number of health checks
 * answered meanwhile does not depend on the speed of the machine. */
START_TEST(others_are_served_between_the_turns_of_batches)
{
    int asked = 0;

    begin();
    while (answered(clients, BATCHES) < BATCHES) {
        http_client_get(visit.client, &visit.answer, "/livez");
        ck_assert_int_eq(visit.answer.status, 200);
        asked++;
    }
    ck_assert_int_gt(asked, BATCHES);
    for (int i = 0; i < BATCHES; i++) {
        http_client_read(clients[i], &visit.answer, false, NULL, NULL);
        ck_assert_int_eq(visit.answer.status, 200);
    }
    end();
}
END_TEST

START_TEST(a_loop_may_end_while_batches_wait_for_their_turn)
{
    begin();
    end();
}
END_TEST

/* ---- an iteration ------------------------------------------------------------------------ */

enum { ASKING = 64, ITERATIONS = 4 };

/* Holds a loop until all of its clients have asked, then counts the answers that they have
 * after some iterations of the loop. */
struct watch {
    struct loop_post post; /* first: a post is cast to its watch */
    struct loop *loop;
    uv_sem_t held, asked, counted;
    struct http_client *asking[ASKING], *other; /* other: of another peer, asks later */
    const struct asked *wanted;                 /* by it, with these positions */
    int first;
    int iterations, answers;
    bool other_answered;
    bool leaving; /* the clients that ask leave after those iterations */
};

enum { TEXT = 2, GZIP = 3, CHUNKS = 5 };

static const struct asked {
    const char *name, *method, *target, *headers; /* two numbers for the target, or a body */
} asked[] = {
    {"an answer of raw bytes", "GET", "/v1/sinusoidal?dim=256&format=raw&pos=%d:%d", NULL},
    {"the head of an answer", "HEAD", "/v1/sinusoidal?dim=256&format=raw&pos=%d:%d", NULL},
    [TEXT] = {"an answer of text", "GET", "/v1/sinusoidal?dim=32&format=csv&pos=%d:%d", NULL},
    {"a compressed answer", "GET", "/v1/sinusoidal?dim=8&pos=%d:%d",
     "Accept-Encoding: gzip\r\n"},
    {"the metrics", "GET", "/metrics?%d-%d", NULL},
    [CHUNKS] = {"a compressed body in chunks", "POST", "/v1/sinusoidal?dim=4&format=raw",
                "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"},
};

/* Sends a compressed list of positions as one chunk, for which a loop does little work: it
 * could be read at once, but it might inflate to a thousand times its length. */
static void send_chunks(struct http_client *client, const struct asked *what, int first)
{
    struct buffer plain = {0}, request = {0};
    size_t len;
    char *packed;

    buffer_add_text(&plain, "{\"pos\":[0");
    for (int pos = first; pos < first + 200; pos++)
        buffer_add_format(&plain, ",%d", pos);
    buffer_add_text(&plain, "]}");
    packed = gunzip_pack(GUNZIP_GZIP, plain.bytes, plain.len, &len);
    buffer_add_format(&request,
                      "%s %s HTTP/1.1\r\nHost: a\r\n%sTransfer-Encoding: chunked\r\n\r\n"
                      "%zx\r\n",
                      what->method, what->target, what->headers, len);
    buffer_add(&request, packed, len);
    buffer_add_text(&request, "\r\n0\r\n\r\n");
    http_client_send(client, request.bytes, request.len);
    free(packed);
    buffer_fini(&request);
    buffer_fini(&plain);
}

static void ask(struct http_client *client, const struct asked *what, int first)
{
    char target[120];

    if (strcmp(what->method, "POST") == 0) {
        send_chunks(client, what, first);
        return;
    }
    snprintf(target, sizeof target, what->target, first, first + 900);
    http_client_request(client, what->method, target, what->headers, NULL);
}

static void count(struct loop_post *post)
{
    struct watch *watch = (struct watch *)(void *)post;

    if (watch->iterations == 0 && watch->other)
        ask(watch->other, watch->wanted, watch->first);
    if (watch->iterations++ < ITERATIONS) {
        loop_post(watch->loop, post);
        return;
    }
    watch->answers = answered(watch->asking, ASKING);
    watch->other_answered = watch->other && has_answer(watch->other);
    for (int i = 0; watch->leaving && i < ASKING; i++)
        http_client_free(watch->asking[i]);
    uv_sem_post(&watch->counted);
}

static void hold(struct loop_post *post)
{
    struct watch *watch = (struct watch *)(void *)post;

    uv_sem_post(&watch->held);
    uv_sem_wait(&watch->asked);
    post->fn = count;
    loop_post(watch->loop, post);
}

/* All requests are there when the loop goes on, so that nothing depends on the machine's
 * speed. */
static void ask_at_once(struct watch *watch, const struct asked *what)
{
    watch->post.fn = hold;
    watch->loop = visit.service->loops[0];
    uv_sem_init(&watch->held, 0);
    uv_sem_init(&watch->asked, 0);
    uv_sem_init(&watch->counted, 0);
    for (int i = 0; i < ASKING; i++) {
        watch->asking[i] = http_client_new(served_port(visit.service));
        http_client_get(watch->asking[i], &visit.answer, "/livez");
    }
    loop_post(watch->loop, &watch->post);
    uv_sem_wait(&watch->held);
    for (int i = 0; i < ASKING; i++)
        ask(watch->asking[i], what, 1000 * i);
    uv_sem_post(&watch->asked);
    uv_sem_wait(&watch->counted);
    ck_assert_msg(watch->answers < ASKING / 2,
                  "%s: %d iterations answered %d of %d clients that asked at once", what->name,
                  ITERATIONS, watch->answers, ASKING);
}

static void watch_fini(struct watch *watch)
{
    uv_sem_destroy(&watch->held);
    uv_sem_destroy(&watch->asked);
    uv_sem_destroy(&watch->counted);
}

static void read_answer(struct http_client *client, const struct asked *what)
{
    http_client_read(client, &visit.answer, strcmp(what->method, "HEAD") == 0, NULL, NULL);
    ck_assert_msg(visit.answer.status == 200, "%s: %d %s", what->name, visit.answer.status,
                  visit.answer.body);
}

static void read_all(struct watch *watch, const struct asked *what)
{
    for (int i = 0; i < ASKING; i++) {
        read_answer(watch->asking[i], what);
        http_client_free(watch->asking[i]);
    }
    watch_fini(watch);
}

START_TEST(a_loop_does_in_an_iteration_as_much_as_its_allowance)
{
    struct watch watch = {.other = NULL};

    visit_begin(&visit, one_loop);
    ask_at_once(&watch, &asked[_i]);
    read_all(&watch, &asked[_i]);
    visit_end(&visit);
}
END_TEST

static void impatient(struct config *config)
{
    config->threads = 1;
    config->work_timeout_ms = 60000;
}

START_TEST(an_answer_whose_maker_left_before_its_turn_is_made_for_the_next_client)
{
    const struct asked *what = &asked[_i];
    struct watch watch = {.leaving = true};

    visit_begin(&visit, impatient);
    ask_at_once(&watch, what);
    for (int i = 0; i < ASKING; i++) {
        ask(visit.client, what, 1000 * i);
        read_answer(visit.client, what);
        if (i == ASKING - 1 || what == &asked[CHUNKS]) /* the connection closes after chunks */
            visit_reconnect(&visit);
    }
    watch_fini(&watch);
    visit_end(&visit);
}
END_TEST

/* Forms of request: of the many connections that wait for their turn, and of the one connection
 * of another peer, which may ask for the answer of one of the many. */
static const struct {
    int many, one, first;
} beside[] = {
    {TEXT, TEXT, 1000000},   {TEXT, TEXT, 62000},     {GZIP, GZIP, 62000},
    {CHUNKS, TEXT, 1000000}, {TEXT, CHUNKS, 1000000},
};

START_TEST(a_peer_has_its_turn_however_many_connections_of_another_wait)
{
    struct watch watch = {.wanted = &asked[beside[_i].one], .first = beside[_i].first};

    visit_begin(&visit, one_loop);
    watch.other = http_client_new_from(served_port(visit.service), "127.0.0.2");
    http_client_get(watch.other, &visit.answer, "/livez");
    ask_at_once(&watch, &asked[beside[_i].many]);
    ck_assert(watch.other_answered);
    read_all(&watch, &asked[beside[_i].many]);
    http_client_free(watch.other);
    visit_end(&visit);
}
END_TEST

SUITE(turn_queue, TEST(others_are_served_between_the_turns_of_batches),
      TEST(a_loop_may_end_while_batches_wait_for_their_turn),
      TEST_EACH(a_peer_has_its_turn_however_many_connections_of_another_wait, beside),
      TEST_EACH(a_loop_does_in_an_iteration_as_much_as_its_allowance, asked),
      TEST_EACH(an_answer_whose_maker_left_before_its_turn_is_made_for_the_next_client, asked));
