/* SPDX-License-Identifier: Apache-2.0
 * test_stream.c - long answers have the bytes of short ones, need little memory, and leak
 * nothing when the client leaves. stream.scenarios has how long text ends. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>
#include <xxhash.h>

#include "server/exchange/internal.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

static struct visit visit;

static void start(void)
{
    visit_begin(&visit, NULL);
}

static void stop(void)
{
    visit_end(&visit);
}

static void add_to_hash(void *cls, const char *bytes, size_t len)
{
    XXH3_128bits_update(cls, bytes, len);
}

/* Asks for rows [from, to) of a table of 64 columns in `count` parts; returns the 128-bit hash
 * of the bodies one after the other. */
static XXH128_hash_t hash_rows(const char *options, unsigned from, unsigned to, unsigned count)
{
    XXH3_state_t *state = XXH3_createState();
    XXH128_hash_t hash;
    char target[256];

    XXH3_128bits_reset(state);
    for (unsigned i = 0; i < count; i++) {
        unsigned rows = (to - from) / count;

        snprintf(target, sizeof target, "/v1/sinusoidal?dim=64&pos=%u:%u&%s", from + i * rows,
                 i + 1 == count ? to : from + (i + 1) * rows, options);
        http_client_request(visit.client, "GET", target, NULL, NULL);
        http_client_read(visit.client, &visit.answer, false, add_to_hash, state);
        ck_assert_int_eq(visit.answer.status, 200);
        ck_assert(visit.answer.whole);
    }
    hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

START_TEST(a_hundred_megabytes_are_the_small_answers_one_after_the_other)
{
    enum { ROWS = 400000, PIECES = 125 };
    XXH128_hash_t whole = hash_rows("format=raw", 3, 3 + ROWS, 1);

    ck_assert_str_eq(http_answer_header(&visit.answer, "Content-Length"), "102400000");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Server-Timing"), "cache;desc=stream");
    ck_assert_ptr_nonnull(http_answer_header(&visit.answer, "ETag"));
    ck_assert(XXH128_isEqual(whole, hash_rows("format=raw", 3, 3 + ROWS, PIECES)));
    ck_assert(strstr(http_answer_header(&visit.answer, "Server-Timing"), "miss"));
}
END_TEST

/* A stream that is read while another client sends request after request. */
struct interrupted {
    struct http_client *other;
    XXH3_state_t *state;
    size_t len;
};

static void add_and_ask(void *cls, const char *bytes, size_t len)
{
    struct interrupted *interrupted = cls;
    struct http_answer livez = {0};

    XXH3_128bits_update(interrupted->state, bytes, len);
    if (interrupted->len / 1000000 != (interrupted->len + len) / 1000000) {
        http_client_get(interrupted->other, &livez, "/livez");
        ck_assert_int_eq(livez.status, 200);
        http_answer_fini(&livez);
    }
    interrupted->len += len;
}

START_TEST(a_long_answer_is_the_same_beside_short_ones)
{
    static const char target[] = "/v1/sinusoidal?dim=64&pos=3:400003&format=raw";
    XXH128_hash_t alone = hash_rows("format=raw", 3, 400003, 1);

    struct http_client *others[2]; /* one of them is on the same loop */

    for (int i = 0; i < 2; i++) {
        struct interrupted interrupted = {
            others[i] = http_client_new(served_port(visit.service)), XXH3_createState(), 0};

        XXH3_128bits_reset(interrupted.state);
        http_client_request(visit.client, "GET", target, NULL, NULL);
        http_client_read(visit.client, &visit.answer, false, add_and_ask, &interrupted);
        ck_assert_uint_eq(interrupted.len, 102400000);
        ck_assert(XXH128_isEqual(alone, XXH3_128bits_digest(interrupted.state)));
        XXH3_freeState(interrupted.state);
    }
    http_client_free(others[0]);
    http_client_free(others[1]);
}
END_TEST

/* Hashes the numbers of "data":[[...],[...]] without the text around them. */
static void add_numbers(void *cls, const char *bytes, size_t len)
{
    char chunk[65536];
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        if ((bytes[i] >= '0' && bytes[i] <= '9') || strchr(".-e", bytes[i]))
            chunk[count++] = bytes[i];
        if (count == sizeof chunk || i + 1 == len) {
            XXH3_128bits_update(cls, chunk, count);
            count = 0;
        }
    }
}

static XXH128_hash_t hash_text(const char *options, unsigned from, unsigned to, size_t *len)
{
    XXH3_state_t *state = XXH3_createState();
    XXH128_hash_t hash;
    char target[256];

    XXH3_128bits_reset(state);
    snprintf(target, sizeof target, "/v1/sinusoidal?dim=64&pos=%u:%u&%s", from, to, options);
    http_client_request(visit.client, "GET", target, NULL, NULL);
    http_client_read(visit.client, &visit.answer, false, add_numbers, state);
    ck_assert_int_eq(visit.answer.status, 200);
    ck_assert(visit.answer.whole);
    *len = visit.answer.len;
    hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return hash;
}

/* Text that only turns out to be too long for the cache while it is written: its first
 * megabyte is not written twice, and nothing is lost at the seam. */
START_TEST(text_that_outgrows_the_cache_has_no_seam)
{
    static const char *const formats[] = {"format=csv", "format=json", "format=json&pretty=1"};

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        unsigned rows = 1400;
        size_t len;
        char *start, *end;

        http_client_get(visit.client, &visit.answer, "/livez");
        for (len = 0; len <= EXCHANGE_CACHEABLE; rows += 100)
            hash_text(formats[i], 0, rows, &len);
        ck_assert_str_eq(http_answer_header(&visit.answer, "Server-Timing"),
                         "cache;desc=stream");
        ck_assert_uint_lt(len, EXCHANGE_CACHEABLE * 2);
        char target[128];
        snprintf(target, sizeof target, "/v1/sinusoidal?dim=64&pos=0:%u&%s", rows - 100,
                 formats[i]);
        http_client_get(visit.client, &visit.answer, target);
        ck_assert_uint_eq(visit.answer.len, strlen(visit.answer.body));
        start = strdup(visit.answer.body);
        http_client_get(visit.client, &visit.answer, target);
        ck_assert_str_eq(visit.answer.body, start); /* no part of it was cached */
        end = strchr(start, '\0');
        ck_assert(end[-1] == '\n' || end[-1] == '}');
        free(start);
    }
}
END_TEST

/* No memory is held once the clients are gone. A loop notices that in its next iteration, which
 * a request causes. */
static void expect_nothing_held(void)
{
    const uint64_t end = uv_hrtime() + 300 * UINT64_C(1000000000); /* which only a hang takes */
    uint64_t held = 1;

    while (held != 0 && uv_hrtime() < end) {
        http_client_get(visit.client, &visit.answer, "/livez");
        held = inflight_used(visit.service) + (atomic_load(&visit.service->connections) > 1);
    }
    ck_assert_uint_eq(inflight_used(visit.service), 0);
    ck_assert_uint_eq(atomic_load(&visit.service->connections), 1);
}

START_TEST(a_client_that_leaves_in_the_middle_leaves_nothing_behind)
{
    static const char *const targets[] = {
        "/v1/rope?pos=0:8000000&dim=128&out=cos&format=raw",
        "/v1/sinusoidal?dim=64&pos=0:200000",
        "/v1/sinusoidal?dim=64&pos=0:1500&format=csv",
        "/v1/alibi?heads=64&len=2048&format=npy",
    };

    for (int times = 0; times < 24; times++) {
        struct http_client *other = http_client_new(served_port(visit.service));
        char some[4096];

        http_client_request(other, "GET", targets[times % 4], NULL, NULL);
        ck_assert_int_gt((int)http_client_receive(other, some, sizeof some, 0), 0);
        http_client_free(other);
    }
    expect_nothing_held();
}
END_TEST

static size_t resident_bytes(void)
{
    unsigned long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    ck_assert_int_eq(fscanf(file, "%lu %lu", &total, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* AddressSanitizer keeps what was freed in a quarantine of its own: more than the answer needs,
 * and still far from the gigabyte. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GROWTH_MOST (96 << 20)
#endif
#endif
#ifndef GROWTH_MOST
#define GROWTH_MOST (8 << 20)
#endif

START_TEST(a_gigabyte_needs_no_memory)
{
    size_t before, grown;

    hash_rows("format=raw", 0, 100000, 1);
    before = resident_bytes();
    hash_rows("format=raw", 0, 4000000, 1);
    ck_assert_str_eq(http_answer_header(&visit.answer, "Content-Length"), "1024000000");
    grown = resident_bytes() - before;
    ck_assert_msg(grown < GROWTH_MOST || resident_bytes() < before, "grew by %zu bytes", grown);
}
END_TEST

START_TEST(a_slow_reader_does_not_hold_up_the_others)
{
    struct http_client *slow[8];

    for (int i = 0; i < 8; i++) {
        slow[i] = http_client_new(served_port(visit.service));
        http_client_request(slow[i], "GET", "/v1/rope?pos=0:8000000&dim=128&out=sin&format=raw",
                            NULL, NULL);
    }
    for (int times = 0; times < 50; times++) {
        http_client_get(visit.client, &visit.answer, "/v1/rope?pos=0:4&dim=8");
        ck_assert_int_eq(visit.answer.status, 200);
    }
    for (int i = 0; i < 8; i++)
        http_client_free(slow[i]);
    expect_nothing_held();
}
END_TEST

static void little_memory(struct config *config)
{
    config->max_inflight = 1 << 20;
    config->max_body = 1 << 20;
}

/* Large blocks are made only while memory is plenty. */
START_TEST(streams_take_little_memory_each_when_there_is_little)
{
    enum { MOST = 3 }; /* 320 KiB and 2 * 128 KiB are what one client may hold of 1 MiB */
    static const char target[] = "/v1/rope?pos=0:8000000&dim=128&out=sin&format=raw";
    struct http_client *clients[MOST];

    stop();
    visit_begin(&visit, little_memory);
    for (int i = 0; i < MOST; i++) {
        char some[12];

        clients[i] = http_client_new(served_port(visit.service));
        http_client_request(clients[i], "GET", target, NULL, NULL);
        ck_assert_int_eq((int)http_client_receive(clients[i], some, 12, MSG_WAITALL), 12);
        ck_assert_mem_eq(some, "HTTP/1.1 200", 12);
    }
    ck_assert_uint_eq(inflight_used(visit.service), (320 + 2 * 128) << 10);
    for (int i = 0; i < MOST; i++)
        http_client_free(clients[i]);
}
END_TEST

START_TEST(what_is_slow_to_make_is_made_in_small_blocks)
{
    static const struct {
        const char *target;
        unsigned kib;
    } cases[] = {
        {"/v1/rope?pos=0:8000000&dim=128&out=sin&format=raw", 320},
        {"/v1/rope?pos=0:100000&dim=128&out=sin&format=json", 128},
        {"/v1/rope?pos=0:8000000&dim=128&out=sin&format=raw&dtype=f64", 128},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char some[12];

        http_client_request(visit.client, "GET", cases[i].target, NULL, NULL);
        ck_assert_int_eq((int)http_client_receive(visit.client, some, 12, MSG_WAITALL), 12);
        ck_assert_mem_eq(some, "HTTP/1.1 200", 12);
        ck_assert_uint_eq(inflight_used(visit.service), cases[i].kib << 10);
        visit_reconnect(&visit);
        expect_nothing_held();
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_hundred_megabytes_are_the_small_answers_one_after_the_other),
    TEST(a_long_answer_is_the_same_beside_short_ones),
    TEST(text_that_outgrows_the_cache_has_no_seam),
    TEST(a_client_that_leaves_in_the_middle_leaves_nothing_behind),
    TEST(a_gigabyte_needs_no_memory),
    TEST(a_slow_reader_does_not_hold_up_the_others),
    TEST(streams_take_little_memory_each_when_there_is_little),
    TEST(what_is_slow_to_make_is_made_in_small_blocks),
};

const struct suite stream_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                   .timeout = 60};
