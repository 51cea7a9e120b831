/* SPDX-License-Identifier: Apache-2.0
 * test_listener.c - connections are spread evenly over the loops, and refused when too many. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/loop.h"
#include "tests/server/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct crowd crowd;

static void stop(void)
{
    crowd_stop(&crowd);
}

static void four_loops(struct config *config)
{
    config->threads = 4;
}

static void ten_connections(struct config *config)
{
    config->max_connections = 10;
    config->source[CONFIG_MAX_CONNECTIONS] = CONFIG_FLAG;
}

static void visit(int client)
{
    crowd_ask(&crowd, client, "/livez", 200);
}

static void expect_two_on_each_loop(void)
{
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(loop_connections(crowd.service->loops[i]), 2);
}

START_TEST(eight_connections_on_four_loops_are_two_each)
{
    crowd.service = served_start(four_loops);
    for (int i = 0; i < 8; i++)
        visit(i);
    expect_two_on_each_loop();
    ck_assert_uint_eq(crowd.service->connections, 8);
}
END_TEST

START_TEST(closed_connections_are_replaced_on_their_loop)
{
    crowd.service = served_start(four_loops);
    for (int i = 0; i < 8; i++)
        visit(i);
    for (int i = 0; i < 8; i += 4) /* both connections of the first loop */
        crowd_leave(&crowd, i);
    crowd_await(&crowd, 6);
    visit(8);
    visit(9);
    expect_two_on_each_loop();
}
END_TEST

START_TEST(connections_beyond_the_limit_get_503_and_the_others_stay)
{
    crowd.service = served_start(ten_connections);
    for (int i = 0; i < 10; i++) {
        visit(i);
        if (http_answer_header(&crowd.answer, "Connection")) { /* overload from seven on */
            crowd_leave(&crowd, i);
            crowd_connect(&crowd, i);
        }
    }
    crowd_await(&crowd, 10);
    for (int i = 10; i < CROWD; i++) {
        crowd_ask(&crowd, i, "/version", 503);
        crowd_expect_refusal(&crowd, i, "too many connections; try again");
    }
    http_client_get(crowd.clients[9], &crowd.answer, "/livez");
    ck_assert_int_eq(crowd.answer.status, 200);
}
END_TEST

static void three_from_an_address(struct config *config)
{
    config->max_per_address = 3;
    config->listen.count = 1;
    snprintf(config->admin_listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    config->admin_listen.count = 1;
}

START_TEST(connections_beyond_the_limit_of_an_address_get_503_but_for_health)
{
    static const char *const health[] = {"/livez", "/readyz", "/healthz", "/v2/health/live",
                                         "/v2/health/ready"};

    crowd.service = served_start(three_from_an_address);
    for (int i = 0; i < 3; i++) {
        visit(i);
        ck_assert_ptr_null(http_answer_header(&crowd.answer, "Connection"));
    }
    crowd_ask(&crowd, 3, "/version", 503);
    crowd_expect_refusal(
        &crowd, 3,
        "{\"type\":\"/problems/overloaded\",\"title\":\"Overloaded\",\"status\":503,"
        "\"detail\":\"too many connections from your address; try again\","
        "\"error\":\"too many connections from your address; try again\"}\n");
    crowd_ask_at(&crowd, 4, 1, "/metrics", 200); /* the operator gets in */
    ck_assert_ptr_nonnull(
        strstr(crowd.answer.body, "\nposencd_rejected_total{reason=\"address\"} 1\n"));
    for (size_t i = 0; i < sizeof health / sizeof *health; i++) {
        crowd_ask(&crowd, 5, health[i], 200);
        ck_assert_str_eq(http_answer_header(&crowd.answer, "Connection"), "close");
        crowd_leave(&crowd, 5);
    }
    for (int i = 1; i < 5; i++)
        crowd_leave(&crowd, i);
    crowd_await(&crowd, 1);
    crowd_ask(&crowd, 6, "/version", 200); /* a place is free again */
}
END_TEST

START_TEST(at_the_last_level_only_the_operator_and_health_are_admitted)
{
    crowd.service = served_start(three_from_an_address);
    visit(0);
    crowd_overload(&crowd, true);
    crowd_ask(&crowd, 1, "/version", 503);
    ck_assert_ptr_nonnull(strstr(crowd.answer.body, "too many connections; try again"));
    crowd_leave(&crowd, 1);
    visit(1);
    crowd_ask_at(&crowd, 2, 1, "/livez", 200);
    crowd_overload(&crowd, false);
    visit(3);
}
END_TEST

START_TEST(at_the_limit_a_request_with_a_body_is_answered_before_the_body)
{
    static const struct {
        const char *target;
        int status;
    } cases[] = {{"/livez", 405}, {"/nothing/livez", 503}};
    char head[128];

    crowd.service = served_start(three_from_an_address);
    crowd_overload(&crowd, true);
    for (int i = 0; i < 2; i++) {
        snprintf(head, sizeof head,
                 "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n",
                 cases[i].target);
        crowd_connect(&crowd, i);
        http_client_send(crowd.clients[i], head, strlen(head));
        http_client_read(crowd.clients[i], &crowd.answer, false, NULL, NULL);
        ck_assert_int_eq(crowd.answer.status, cases[i].status);
        ck_assert_str_eq(http_answer_header(&crowd.answer, "Connection"), "close");
        while (crowd.service->guests > 0)
            sched_yield();
    }
    atomic_store(&crowd.service->inflight_bytes, 0);
}
END_TEST

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The sockets are made first, so that only the server's side needs descriptors. */
START_TEST(without_descriptors_clients_get_503_and_no_loop_spins)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    struct sockaddr_in addr = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct rlimit before, tight;
    int sockets[CROWD], served = 0, refused = 0, last = 0;
    char text[1024];
    double cpu;

    crowd.service = served_start(NULL);
    addr.sin_port = htons((in_port_t)service_port(crowd.service, 0));
    for (int i = 0; i < CROWD; i++) {
        last = sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        ck_assert_int_ge(last, 0);
    }
    getrlimit(RLIMIT_NOFILE, &before);
    tight = before;
    tight.rlim_cur = (rlim_t)last + 6;
    setrlimit(RLIMIT_NOFILE, &tight);
    cpu = cpu_seconds();
    for (int i = 0; i < CROWD; i++) {
        ck_assert_int_eq(connect(sockets[i], (struct sockaddr *)&addr, sizeof addr), 0);
        send(sockets[i], request, sizeof request - 1, MSG_NOSIGNAL);
    }
    for (int i = 0; i < CROWD; i++) {
        ssize_t got = recv(sockets[i], text, sizeof text - 1, 0);

        text[got > 0 ? got : 0] = '\0';
        served += strncmp(text, "HTTP/1.1 200", 12) == 0;
        refused += strncmp(text, "HTTP/1.1 503", 12) == 0;
    }
    cpu = cpu_seconds() - cpu;
    setrlimit(RLIMIT_NOFILE, &before);
    ck_assert_int_gt(served, 0);
    ck_assert_int_gt(refused, 0);
    ck_assert_int_eq(served + refused, CROWD);
    ck_assert_msg(cpu < 2.0, "%.3f s of CPU", cpu);
    for (int i = 0; i < CROWD; i++)
        close(sockets[i]);
    visit(0); /* descriptors are free again */
    ck_assert_int_ge(
        (int)served_metric(crowd.service, "posencd_rejected_total{reason=\"descriptors\"}"),
        refused);
}
END_TEST

/* ---- several sockets ------------------------------------------------------------------ */

static char path[108]; /* the size of sun_path */

static void tcp_and_unix(struct config *config)
{
    snprintf(config->listen.item[1], CONFIG_ITEM_SIZE, "unix:%s,mode=0600", path);
    snprintf(config->listen.item[2], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    config->listen.count = 3;
}

START_TEST(it_listens_on_all_addresses_and_removes_its_file)
{
    struct scratch *scratch = scratch_new();
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    char text[200];
    ssize_t got;
    int fd;

    snprintf(path, sizeof path, "%s", scratch_path(scratch, "s"));
    memcpy(addr.sun_path, path, strlen(path) + 1);
    crowd.service = served_start(tcp_and_unix);
    ck_assert_uint_gt(service_port(crowd.service, 0), 0);
    ck_assert_uint_eq(service_port(crowd.service, 1), 0);
    ck_assert_uint_gt(service_port(crowd.service, 2), 0);
    ck_assert_uint_ne(service_port(crowd.service, 0), service_port(crowd.service, 2));
    visit(0);
    crowd_ask_at(&crowd, 1, 2, "/livez", 200);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof addr), 0);
    ck_assert_int_gt(send(fd, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 32, MSG_NOSIGNAL), 0);
    got = recv(fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    ck_assert_msg(strncmp(text, "HTTP/1.1 200", 12) == 0, "%s", text);
    close(fd);
    crowd_stop(&crowd);
    ck_assert_int_ne(access(path, F_OK), 0);
    scratch_free(scratch);
}
END_TEST

static void port_taken(struct config *config)
{
    snprintf(config->listen.item[1], CONFIG_ITEM_SIZE, "127.0.0.1:%u",
             served_port(crowd.service));
    config->listen.count = 2;
}

START_TEST(a_taken_port_is_69_and_nothing_of_it_stays)
{
    struct service_error error;

    crowd.service = served_start(NULL);
    ck_assert_ptr_null(served_try(port_taken, NULL, &error));
    ck_assert_int_eq(error.exit_code, 69);
    ck_assert_ptr_nonnull(strstr(error.text, "cannot bind: Address already in use"));
    visit(0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(eight_connections_on_four_loops_are_two_each),
    TEST(closed_connections_are_replaced_on_their_loop),
    TEST(connections_beyond_the_limit_get_503_and_the_others_stay),
    TEST(connections_beyond_the_limit_of_an_address_get_503_but_for_health),
    TEST(at_the_last_level_only_the_operator_and_health_are_admitted),
    TEST(at_the_limit_a_request_with_a_body_is_answered_before_the_body),
    TEST(without_descriptors_clients_get_503_and_no_loop_spins),
    TEST(it_listens_on_all_addresses_and_removes_its_file),
    TEST(a_taken_port_is_69_and_nothing_of_it_stays),
};

const struct suite listener_suite = {SUITE_TESTS(tests), .teardown = stop, .timeout = 30};
