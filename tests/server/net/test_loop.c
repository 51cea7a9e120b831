/* SPDX-License-Identifier: Apache-2.0
 * test_loop.c - a loop runs posts of other threads on its own thread, in order. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/loop.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { POSTS = 1000, THREADS = 4 };

static struct service *service;

static void start(void)
{
    service = served_start(NULL);
}

static void stop(void)
{
    served_stop(service);
}

struct note {
    struct loop_post post; /* first: a post is cast to its note */
    int number;
};

static struct note notes[THREADS][POSTS];
static int done[THREADS], out_of_order;
static uv_thread_t seen_on;
static uv_sem_t all_done;

static void on_note(struct loop_post *post)
{
    struct note *note = (struct note *)(void *)post;
    int thread = (int)(note - notes[0]) / POSTS;

    seen_on = uv_thread_self();
    out_of_order += note->number != done[thread]++;
    if (done[thread] == POSTS)
        uv_sem_post(&all_done);
}

static void *post_all(void *arg)
{
    struct note *mine = arg;

    for (int i = 0; i < POSTS; i++) {
        mine[i] = (struct note){.post.fn = on_note, .number = i};
        loop_post(service->loops[1], &mine[i].post);
    }
    return NULL;
}

START_TEST(posts_of_many_threads_run_on_the_loops_thread_each_in_order)
{
    pthread_t threads[THREADS];
    uv_thread_t self = uv_thread_self();

    uv_sem_init(&all_done, 0);
    memset(done, 0, sizeof done);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, post_all, notes[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        uv_sem_wait(&all_done);
    ck_assert_int_eq(out_of_order, 0);
    ck_assert(!uv_thread_equal(&self, &seen_on));
    uv_sem_destroy(&all_done);
}
END_TEST

START_TEST(the_heartbeat_of_every_loop_advances)
{
    for (size_t i = 0; i < service->loop_count; i++) {
        uint64_t first = loop_heartbeat_ms(service->loops[i]);

        while (loop_heartbeat_ms(service->loops[i]) == first)
            sched_yield();
        ck_assert_uint_gt(loop_heartbeat_ms(service->loops[i]), first);
    }
}
END_TEST

START_TEST(any_stream_socket_may_be_given_and_is_counted)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    const struct sockaddr local = {.sa_family = AF_UNIX};
    char text[1024];
    int pair[2];
    ssize_t got;
    size_t len = 0;

    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    loop_give(service->loops[0], pair[1], &local, sizeof local.sa_family, LISTENER_KIND_PUBLIC);
    ck_assert_uint_eq(loop_connections(service->loops[0]), 1);
    ck_assert_uint_eq(service->connections, 1);
    ck_assert_int_gt(send(pair[0], request, sizeof request - 1, MSG_NOSIGNAL), 0);
    while ((got = recv(pair[0], text + len, sizeof text - 1 - len, 0)) > 0)
        len += (size_t)got;
    text[len] = '\0';
    ck_assert_msg(strncmp(text, "HTTP/1.1 200", 12) == 0, "%s", text);
    close(pair[0]);
    while (service->connections > 0)
        sched_yield();
    ck_assert_uint_eq(loop_connections(service->loops[0]), 0);
}
END_TEST

START_TEST(a_descriptor_that_is_no_socket_is_given_up_and_uncounted)
{
    const struct sockaddr local = {.sa_family = AF_UNIX};
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    loop_give(service->loops[0], ends[1], &local, sizeof local.sa_family, LISTENER_KIND_PUBLIC);
    while (service->connections > 0)
        sched_yield();
    ck_assert_uint_eq(loop_connections(service->loops[0]), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(posts_of_many_threads_run_on_the_loops_thread_each_in_order),
    TEST(the_heartbeat_of_every_loop_advances),
    TEST(any_stream_socket_may_be_given_and_is_counted),
    TEST(a_descriptor_that_is_no_socket_is_given_up_and_uncounted),
};

const struct suite loop_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                 .timeout = 30};
