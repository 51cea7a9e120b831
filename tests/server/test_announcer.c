/* SPDX-License-Identifier: Apache-2.0
 * test_announcer.c - what a service manager hears of a service in each state, and whether its
 * loops are alive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/announcer.h"
#include "server/net/loop_state.h"
#include "server/shared.h"
#include "server/sys/notify_socket.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct service service;
static struct loop stage; /* the only loop of the service; it has a heartbeat and no thread */
static struct loop *loops[] = {&stage};
static struct announcer *announcer;
static struct notify_socket notify;
static struct scratch *scratch;
static uv_loop_t uv;
static int manager;

static void begin(void)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    char why[200];

    scratch = scratch_new();
    snprintf(addr.sun_path, sizeof addr.sun_path, "%s", scratch_path(scratch, "notify"));
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(manager, (struct sockaddr *)&addr, sizeof addr), 0);
    setenv("NOTIFY_SOCKET", addr.sun_path, 1);
    ck_assert_msg(notify_socket_open(&notify, why, sizeof why), "%s", why);
    service.loops = loops;
    service.loop_count = 1;
    atomic_store(&service.state, SERVICE_LOADING);
    uv_loop_init(&uv);
    announcer = announcer_new(&service, &uv);
    ck_assert_ptr_nonnull(announcer);
}

static void end(void)
{
    announcer_stop(announcer);
    uv_run(&uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&uv), 0);
    announcer_free(announcer);
    notify_socket_close(&notify);
    close(manager);
    scratch_free(scratch);
}

/* Checks the next message; "" means that there is none. */
static void expect_heard(const char *start)
{
    char text[100] = "";
    ssize_t got = recv(manager, text, sizeof text - 1, 0);

    ck_assert_msg((got > 0) == (*start != '\0') && strncmp(text, start, strlen(start)) == 0,
                  "heard \"%s\", not \"%s\"", text, start);
}

START_TEST(a_service_is_ready_once_it_has_loaded)
{
    announcer_begin(announcer, &notify);
    expect_heard("");
    atomic_store(&service.state, SERVICE_READY);
    announcer_ready(announcer);
    expect_heard("READY=1");
}
END_TEST

START_TEST(a_service_that_was_ready_before_is_announced)
{
    atomic_store(&service.state, SERVICE_READY);
    announcer_ready(announcer); /* nobody listens yet */
    expect_heard("");
    announcer_begin(announcer, &notify);
    expect_heard("READY=1");
}
END_TEST

START_TEST(a_reload_begins_and_ends)
{
    announcer_begin(announcer, &notify);
    announcer_reloading(announcer); /* while it loads, it reloads nothing */
    expect_heard("");
    atomic_store(&service.state, SERVICE_READY);
    announcer_reloading(announcer);
    expect_heard("RELOADING=1\nMONOTONIC_USEC=");
    announcer_ready(announcer);
    expect_heard("READY=1");
    atomic_store(&service.state, SERVICE_DRAINING);
    announcer_stopping(announcer);
    expect_heard("STOPPING=1");
    announcer_ready(announcer);
    expect_heard("");
}
END_TEST

static void on_idle(uv_idle_t *idle)
{
}

/* Runs the timer, which alone does not keep the loop alive. */
static void run_for(uint64_t ms)
{
    uv_idle_t idle;

    uv_idle_init(&uv, &idle);
    uv_idle_start(&idle, on_idle);
    for (uint64_t start = uv_now(&uv), first = 1; first || uv_now(&uv) < start + ms; first = 0)
        uv_run(&uv, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&idle, NULL);
    uv_run(&uv, UV_RUN_NOWAIT);
}

START_TEST(a_loop_that_is_stuck_gives_no_sign_of_life)
{
    char text[100];

    notify.watchdog_ms = 3;
    announcer_begin(announcer, &notify);
    atomic_store(&stage.heartbeat_ms, uv_now(&uv));
    run_for(0);
    expect_heard("WATCHDOG=1");
    atomic_store(&stage.heartbeat_ms, uv_now(&uv) - 5001);
    while (recv(manager, text, sizeof text, 0) > 0)
        continue; /* the timer may have run more than once */
    run_for(3);
    expect_heard("");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_service_is_ready_once_it_has_loaded),
    TEST(a_service_that_was_ready_before_is_announced),
    TEST(a_reload_begins_and_ends),
    TEST(a_loop_that_is_stuck_gives_no_sign_of_life),
};

const struct suite announcer_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
