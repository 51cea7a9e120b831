/* SPDX-License-Identifier: Apache-2.0
 * test_wait_kinds.c - whatever an exchange waits for while the pool is blocked: what its client
 * gets at the deadline and when the service ends, what becomes of the work when the client
 * leaves, what is counted, and that all bytes come back. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/text/buffer.h"
#include "server/net/answer_queue.h"
#include "server/net/inflight.h"
#include "tests/proto/support/table_bytes.h"
#include "tests/support/http_client.h"
#include "tests/support/pool_block.h"
#include "tests/support/scratch.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

#define JSON "Content-Type: application/json\r\n"
#define GZIP "Accept-Encoding: gzip\r\n"
#define ADMIN "the-admin-token-89"
#define IN_FLIGHT "posencd_http_inflight_requests"
#define GONE "posencd_rejected_total{reason=\"client_gone\"}"
#define BYTES "posencd_inflight_bytes"

/* About 0.9 MB of text, which the pool computes and compresses. */
#define SLOW "/v1/sinusoidal?dim=64&format=csv&pos=0:1150"
#define SLOW_PART "/v1/sinusoidal?dim=64&format=json&pos=5:1155"
/* Its plan takes more than a millisecond. */
#define BIASES "/v1/t5?convention=tupe&len=500&out=bias&format=raw"
#define ROWS "[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11]"
#define TABLE "{\"table\":[" ROWS "," ROWS "," ROWS "]}"
/* 1.3 MB whose every block takes milliseconds, and whose plan takes none. */
#define DEAR "/v1/sandwich?heads=8&q=0:200&k=0:199,300&score_form=paper&dim=64&format=raw"
#define PART(TARGET) "{\"requests\":[{\"path\":\"" TARGET "\"}]}"
#define CLAIM "/v1/verify?encoding=sinusoidal&dim=2&pos=0:1"
#define NUMBERS_OF_CLAIM "{\"tensors\":{\"pe\":[[0,1]]}}"

enum {
    SOON_MS = 200,
    SOME_MS = 2000, /* in which the first parts of a batch are computed */
    PATIENT_MS = 600000,
    NUMBERS = 20000,
    PARTS = 40,
    ALL = 1000, /* a batch of so many works for longer than the service takes to end */
    MOST = ANSWER_QUEUE_AHEAD + 1,
    MOST_INFLIGHT = 16 << 20,
    OTHERS_HOLD = 10 << 20, /* with it 3 MiB of answers cannot be had */
    TURNS = 64              /* of a loop, until it has read all that was sent */
};

enum before { NOTHING, SAME, PLAIN, PLAIN_AND_SAME, BATCHES };
enum body { NONE, SHORT, NUMBERS_OF_A_REQUEST, NUMBERS_OF_A_BATCH, MANY_PARTS, ALL_PARTS };

struct outcome {
    int status;         /* 0: there is no deadline */
    const char *why;    /* words of the answer, or NULL */
    const char *reason; /* of the refusal that is counted, or NULL */
};

#define LATE                                                                                   \
    {                                                                                          \
        503, "no answer was ready in time; try again", "deadline"                              \
    }

static const struct row {
    const char *method, *target, *headers, *text;
    enum body body;
    enum before before; /* requests that come before: of the same, or for the plain answer */
    uint64_t held;      /* bytes that others hold */
    struct outcome late;
    bool leaves; /* the wait is over when the client leaves, else it goes on */
} rows[] = {
    /* computing: an entry, a plan alone; an entry that another request makes */
    {"GET", SLOW, .late = LATE, .leaves = true},
    {"POST", BIASES, JSON, TABLE, SHORT, .late = LATE, .leaves = true},
    {"GET", SLOW, .before = SAME, .late = LATE},
    /* compressing */
    {"GET", SLOW, GZIP, .before = PLAIN, .late.status = 200},
    {"GET", SLOW, GZIP, .before = PLAIN_AND_SAME, .late.status = 200},
    {"GET", SLOW, "Accept-Encoding: gzip, identity;q=0\r\n", .before = PLAIN,
     .late = {503, "the gzip answer could not be made now; try again", NULL}},
    /* parsing, and the next bytes of a stream */
    {"POST", "/v1/sinusoidal", JSON, .body = NUMBERS_OF_A_REQUEST, .late = LATE,
     .leaves = true},
    {"GET", DEAR, .late.status = 0},
    /* work for one request: a verdict, plans of a model, a configuration, a change */
    {"POST", CLAIM, JSON, NUMBERS_OF_CLAIM, SHORT, .late = LATE, .leaves = true},
    {"GET", "/v1/models/gemma-3-4b/tables?pos=0:4096", .late = LATE, .leaves = true},
    {"POST", "/v1/models/resolve", JSON, "{\"model_type\":\"llama\"}", SHORT, .late = LATE,
     .leaves = true},
    {"DELETE", "/v1/tables/old", "Authorization: Bearer " ADMIN "\r\n", .late = LATE},
    /* a document, and one that another request makes */
    {"GET", "/v1/encodings", .late = LATE},
    {"GET", "/v1/encodings", .before = SAME, .late = LATE},
    /* a batch: its body, a part, its turn, bytes */
    {"POST", "/v1/batch", JSON, .body = NUMBERS_OF_A_BATCH, .late = LATE, .leaves = true},
    {"POST", "/v1/batch", JSON, PART(SLOW_PART), SHORT, .late = LATE, .leaves = true},
    {"POST", "/v1/batch", JSON, PART(SLOW_PART), SHORT, BATCHES, .late = LATE, .leaves = true},
    {"POST", "/v1/batch", JSON, .body = MANY_PARTS, .held = OTHERS_HOLD,
     .late = {503, "too much is being answered; try again", "memory"}, .leaves = true},
};

static struct service *service;
static struct scratch *scratch;
static struct pool_block *blocks[2];
static struct http_client *clients[MOST], *asker; /* clients[0] is the one of the row */
static struct http_answer answer;
static struct buffer body;
static uint64_t held;
static pthread_t stopper;
static bool stopping; /* the stopper stops the service */

static void configure(struct config *config)
{
    config->threads = 1;
    config->max_inflight = MOST_INFLIGHT;
    config->admin_token_file = scratch_path(scratch, "token");
    config->learned_tables_dir = scratch_folder(scratch);
}

static void start(void)
{
    scratch = scratch_new();
    scratch_write(scratch, "token", ADMIN "\n");
    struct table_bytes table = table_bytes_matrix("old", 4, 2);
    scratch_replace(scratch, "old.safetensors", table.bytes, table.len);
    free(table.bytes);
    service = served_start(configure);
    asker = http_client_new(served_port(service));
}

static void give_bytes_back(void)
{
    inflight_release(service, held);
    held = 0;
}

static void free_blocks(void)
{
    for (int i = 0; i < 2; i++) {
        pool_block_free(blocks[i]);
        blocks[i] = NULL;
    }
}

static void *stop_service(void *arg)
{
    (void)arg;
    served_stop(service);
    return NULL;
}

static void begin_to_stop(void)
{
    ck_assert_int_eq(pthread_create(&stopper, NULL, stop_service, NULL), 0);
    stopping = true;
}

/* The lanes are freed by the service that stops, so the blocks of it are only released. */
static void await_stop(void)
{
    give_bytes_back();
    for (int i = 0; i < 2 && blocks[i]; i++)
        pool_block_release(blocks[i]);
    pthread_join(stopper, NULL);
    stopping = false;
    service = NULL;
}

static void leave(struct http_client **client)
{
    http_client_free(*client);
    *client = NULL;
}

static void end(void)
{
    for (int i = 0; i < MOST; i++)
        leave(&clients[i]);
    leave(&asker);
    if (stopping) /* a test failed meanwhile */
        await_stop();
    if (service)
        give_bytes_back();
    free_blocks();
    if (service)
        served_stop(service);
    service = NULL;
    scratch_free(scratch);
    http_answer_fini(&answer);
    buffer_fini(&body);
}

/* ---- asking ------------------------------------------------------------------------------ */

static void write_numbers(const char *before, const char *after)
{
    buffer_add_text(&body, before);
    for (int i = 0; i < NUMBERS; i++)
        buffer_add_format(&body, "%s%d.5", i ? "," : "", 2 * i);
    buffer_add_text(&body, after);
}

static const char *write_body(const struct row *row)
{
    buffer_fini(&body);
    if (row->body == NUMBERS_OF_A_REQUEST)
        write_numbers("{\"dim\":2,\"format\":\"raw\",\"pos\":[", "]}");
    if (row->body == NUMBERS_OF_A_BATCH)
        write_numbers("{\"requests\":[{\"encoding\":\"sinusoidal\",\"params\":{\"dim\":2,"
                      "\"pos\":[",
                      "]}}]}");
    for (int i = 0; row->body >= MANY_PARTS && i < (row->body == MANY_PARTS ? PARTS : ALL); i++)
        buffer_add_format(&body, "%s{\"path\":\"/v1/sinusoidal?dim=64&pos=%d:%d\"}",
                          i ? "," : "{\"requests\":[", i, i + 64);
    if (row->body >= MANY_PARTS)
        buffer_add_text(&body, "]}");
    return row->body > SHORT ? body.bytes : row->text;
}

static void send_request(const struct row *row, int i)
{
    clients[i] = http_client_new(served_port(service));
    http_client_request(clients[i], row->method, row->target, row->headers, write_body(row));
}

/* Returns when the one loop has read all that was sent. */
static void let_it_read(void)
{
    for (int i = 0; i < TURNS; i++)
        http_client_get(asker, &answer, "/livez");
}

/* Blocks the pool and sends the requests of a row, which wait then, as long as work may take.
 * Returns their number. */
static int wait_as(const struct row *row, uint64_t work_ms)
{
    const int count = row->before == BATCHES                                 ? MOST
                      : row->before == SAME || row->before == PLAIN_AND_SAME ? 2
                                                                             : 1;

    if (row->before == PLAIN || row->before == PLAIN_AND_SAME) {
        http_client_get(asker, &answer, row->target);
        ck_assert_int_eq(answer.status, 200);
    }
    blocks[0] = pool_block_new(service->lanes.quick);
    blocks[1] = pool_block_new(service->lanes.expensive);
    service->config.work_timeout_ms = work_ms;
    ck_assert(inflight_reserve(service, row->held));
    held = row->held;
    for (int i = count - 1; i >= 0; i--) {
        send_request(row, i);
        let_it_read();
    }
    return count;
}

static void expect(const struct row *row)
{
    ck_assert_msg(answer.status == row->late.status &&
                      (!row->late.why || strstr(answer.body, row->late.why)),
                  "%s %s: %d %s", row->method, row->target, answer.status, answer.body);
    if (row->late.status != 200)
        return;
    ck_assert(answer.whole);
    ck_assert_ptr_null(http_answer_header(&answer, "Content-Encoding"));
}

static double rejected(void)
{
    return served_metric(service, "posencd_rejected_total");
}

static void expect_all_is_given_back(void)
{
    give_bytes_back();
    ck_assert(served_metric_becomes(service, BYTES, 0));
    ck_assert(served_metric_becomes(service, IN_FLIGHT, 1));
}

/* Expects that the work was done though no exchange waited for it. */
static void expect_done(const struct row *row)
{
    if (strcmp(row->method, "DELETE") == 0)
        ck_assert_int_ne(access(scratch_path(scratch, "old.safetensors"), F_OK), 0);
    if (row->before == PLAIN || row->before == PLAIN_AND_SAME)
        ck_assert(served_metric(service, "posencd_gzip_bytes_total{coding=\"identity\"}") > 0);
}

/* ---- three ends -------------------------------------------------------------------------- */

START_TEST(at_the_deadline_a_wait_ends_with_its_answer)
{
    const struct row *row = &rows[_i];
    char sample[80];

    const int count = wait_as(row, row->held > 0 ? SOME_MS : SOON_MS);

    if (row->late.status == 0) { /* it has no deadline: it outlasts one that began later */
        http_client_ask(asker, &answer, "POST", CLAIM, JSON, NUMBERS_OF_CLAIM);
        ck_assert_int_eq(answer.status, 503);
        free_blocks();
        http_client_read(clients[0], &answer, false, NULL, NULL);
        ck_assert(answer.status == 200 && answer.whole);
        expect_all_is_given_back();
        return;
    }
    for (int i = count - 1; i >= 0; i--) {
        http_client_read(clients[i], &answer, false, NULL, NULL);
        expect(row);
    }
    ck_assert(served_metric_becomes(service, IN_FLIGHT, 1));
    ck_assert(rejected() == (row->late.reason ? count : 0));
    if (row->late.reason) {
        snprintf(sample, sizeof sample, "posencd_rejected_total{reason=\"%s\"}",
                 row->late.reason);
        ck_assert(served_metric(service, sample) == count);
    }
    free_blocks();
    expect_all_is_given_back();
    expect_done(row);
}
END_TEST

/* Another client leaves after the one of the row, so that the loop has looked at both. A batch
 * that waits for bytes is woken now and then: libmicrohttpd may find that its client left. */
START_TEST(when_its_client_leaves_a_wait_is_over_or_goes_on)
{
    const struct row *row = &rows[_i];
    const int count = wait_as(row, PATIENT_MS);
    ck_assert(served_metric_becomes(service, IN_FLIGHT, count + 1));
    struct http_client *other = http_client_new(served_port(service));

    http_client_request(other, "POST", CLAIM, JSON, NUMBERS_OF_CLAIM);
    let_it_read();
    leave(&clients[0]);
    http_client_free(other);
    while (served_metric(service, GONE) < 1 + (row->leaves && row->held == 0))
        sched_yield();
    ck_assert(served_metric_becomes(service, IN_FLIGHT, count + !row->leaves));
    ck_assert(row->held > 0 || rejected() == 1 + row->leaves);
    if (row->leaves && count == 1) { /* no work is left that holds bytes */
        give_bytes_back();
        ck_assert(served_metric_becomes(service, BYTES, 0));
    }
    free_blocks();
    for (int i = 1; i < count; i++) {
        http_client_read(clients[i], &answer, false, NULL, NULL);
        ck_assert_int_eq(answer.status, 200);
    }
    expect_all_is_given_back();
    expect_done(row);
}
END_TEST

START_TEST(a_service_that_ends_answers_those_who_wait)
{
    const struct row *row = &rows[_i];

    wait_as(row, PATIENT_MS);
    begin_to_stop();
    http_client_read(clients[0], &answer, false, NULL, NULL);
    if (row->late.status == 0) /* the answer had begun */
        ck_assert(answer.status == 200 && !answer.whole);
    else if (row->late.status == 200)
        ck_assert_int_eq(answer.status, 200); /* as many of its bytes as the socket takes */
    else
        expect(row);
    await_stop();
}
END_TEST

/* The batch is not suspended: it gives way to others after each millisecond of work. */
START_TEST(a_batch_that_works_when_the_service_ends_is_answered)
{
    static const struct row row = {"POST", "/v1/batch", JSON, .body = ALL_PARTS};

    send_request(&row, 0);
    while (served_metric(service, "posencd_cache_entries") < 1)
        sched_yield();
    begin_to_stop();
    http_client_read(clients[0], &answer, false, NULL, NULL);
    ck_assert(answer.status == 503 || (answer.status == 200 && answer.whole));
    await_stop();
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(at_the_deadline_a_wait_ends_with_its_answer, rows),
    TEST_EACH(when_its_client_leaves_a_wait_is_over_or_goes_on, rows),
    TEST_EACH(a_service_that_ends_answers_those_who_wait, rows),
    TEST(a_batch_that_works_when_the_service_ends_is_answered),
};

const struct suite wait_kinds_suite = {SUITE_TESTS(tests), .setup = start, .teardown = end,
                                       .timeout = 60};
