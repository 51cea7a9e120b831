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
#include "server/sys/log.h"
#include "tests/support/http_client.h"
#include "tests/support/scratch.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { CROWD = 40 };

static struct service *service;
static struct http_client *clients[CROWD];
static struct http_answer answer;

static void stop(void)
{
    for (int i = 0; i < CROWD; i++) {
        http_client_free(clients[i]);
        clients[i] = NULL;
    }
    http_answer_fini(&answer);
    served_stop(service);
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

static void visit_for(int i, const char *target)
{
    clients[i] = http_client_new(service_port(service, 0));
    http_client_get(clients[i], &answer, target);
}

static void visit(int i)
{
    visit_for(i, "/livez");
}

START_TEST(eight_connections_on_four_loops_are_two_each)
{
    service = served_start(four_loops);
    for (int i = 0; i < 8; i++)
        visit(i);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(loop_connections(service->loops[i]), 2);
    ck_assert_uint_eq(service->connections, 8);
    stop();
}
END_TEST

START_TEST(closed_connections_are_replaced_on_their_loop)
{
    service = served_start(four_loops);
    for (int i = 0; i < 8; i++)
        visit(i);
    for (int i = 0; i < 8; i += 4) { /* both connections of the first loop */
        http_client_free(clients[i]);
        clients[i] = NULL;
    }
    while (service->connections > 6)
        sched_yield();
    visit(8);
    visit(9);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(loop_connections(service->loops[i]), 2);
    stop();
}
END_TEST

START_TEST(connections_beyond_the_limit_get_503_and_the_others_stay)
{
    service = served_start(ten_connections);
    for (int i = 0; i < 10; i++) {
        visit(i);
        ck_assert_int_eq(answer.status, 200);
        if (http_answer_header(&answer, "Connection")) { /* overload from seven of ten on */
            http_client_free(clients[i]);
            clients[i] = http_client_new(service_port(service, 0));
        }
    }
    while (service->connections < 10)
        sched_yield();
    for (int i = 10; i < CROWD; i++) {
        visit_for(i, "/version");
        ck_assert_int_eq(answer.status, 503);
        ck_assert_str_eq(http_answer_header(&answer, "Retry-After"), "1");
        ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
        ck_assert_str_eq(http_answer_header(&answer, "Content-Type"),
                         "application/problem+json");
        ck_assert_ptr_nonnull(strstr(answer.body, "too many connections; try again"));
        ck_assert(answer.whole);
        ck_assert(http_client_closed(clients[i]));
    }
    http_client_get(clients[9], &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    stop();
}
END_TEST

static void three_from_an_address(struct config *config)
{
    config->max_per_address = 3;
    config->listen.count = 1;
    snprintf(config->admin_listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    config->admin_listen.count = 1;
}

START_TEST(connections_beyond_the_limit_of_an_address_get_503)
{
    service = served_start(three_from_an_address);
    for (int i = 0; i < 3; i++) {
        visit(i);
        ck_assert_int_eq(answer.status, 200);
        ck_assert_ptr_null(http_answer_header(&answer, "Connection"));
    }
    visit(3);
    ck_assert_int_eq(answer.status, 503);
    ck_assert_str_eq(http_answer_header(&answer, "Retry-After"), "1");
    ck_assert_str_eq(
        answer.body,
        "{\"type\":\"/problems/overloaded\",\"title\":\"Overloaded\",\"status\":503,"
        "\"detail\":\"too many connections from your address; try again\"}\n");
    ck_assert(answer.whole);
    ck_assert(http_client_closed(clients[3]));
    clients[4] = http_client_new(service_port(service, 1)); /* the operator gets in */
    http_client_get(clients[4], &answer, "/metrics");
    ck_assert_int_eq(answer.status, 200);
    ck_assert_ptr_nonnull(
        strstr(answer.body, "\nposencd_rejected_total{reason=\"address\"} 1\n"));
    for (int i = 1; i < 5; i++) {
        http_client_free(clients[i]);
        clients[i] = NULL;
    }
    while (service->connections > 1)
        sched_yield();
    visit(5); /* a place is free again */
    ck_assert_int_eq(answer.status, 200);
    stop();
}
END_TEST

START_TEST(at_the_last_level_only_the_operator_and_health_are_admitted)
{
    service = served_start(three_from_an_address);
    visit(0);
    ck_assert_int_eq(answer.status, 200);
    atomic_store(&service->inflight_bytes, service->config.max_inflight);
    while (service->overload_level < 4)
        sched_yield();
    visit_for(1, "/version");
    ck_assert_int_eq(answer.status, 503);
    ck_assert_ptr_nonnull(strstr(answer.body, "too many connections; try again"));
    http_client_free(clients[1]);
    visit(1);
    ck_assert_int_eq(answer.status, 200);
    clients[2] = http_client_new(service_port(service, 1));
    http_client_get(clients[2], &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    atomic_store(&service->inflight_bytes, 0);
    while (service->overload_level > 0)
        sched_yield();
    visit(3);
    ck_assert_int_eq(answer.status, 200);
    stop();
}
END_TEST

START_TEST(at_the_limit_a_request_with_a_body_is_answered_before_the_body)
{
    static const struct {
        const char *target;
        int status;
    } cases[] = {{"/livez", 405}, {"/nothing/livez", 503}};
    char head[128];

    service = served_start(three_from_an_address);
    atomic_store(&service->inflight_bytes, service->config.max_inflight);
    while (service->overload_level < 4)
        sched_yield();
    for (int i = 0; i < 2; i++) {
        snprintf(head, sizeof head,
                 "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n",
                 cases[i].target);
        clients[i] = http_client_new(service_port(service, 0));
        http_client_send(clients[i], head, strlen(head));
        http_client_read(clients[i], &answer, false, NULL, NULL);
        ck_assert_int_eq(answer.status, cases[i].status);
        ck_assert_str_eq(http_answer_header(&answer, "Connection"), "close");
        while (service->guests > 0)
            sched_yield();
    }
    atomic_store(&service->inflight_bytes, 0);
    stop();
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

    service = served_start(NULL);
    addr.sin_port = htons((in_port_t)service_port(service, 0));
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
    ck_assert_int_eq(answer.status, 200);
    ck_assert_int_ge(
        (int)served_metric(service, "posencd_rejected_total{reason=\"descriptors\"}"), refused);
    stop();
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
    service = served_start(tcp_and_unix);
    ck_assert_uint_gt(service_port(service, 0), 0);
    ck_assert_uint_eq(service_port(service, 1), 0);
    ck_assert_uint_gt(service_port(service, 2), 0);
    ck_assert_uint_ne(service_port(service, 0), service_port(service, 2));
    visit(0);
    ck_assert_int_eq(answer.status, 200);
    clients[1] = http_client_new(service_port(service, 2));
    http_client_get(clients[1], &answer, "/livez");
    ck_assert_int_eq(answer.status, 200);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof addr), 0);
    ck_assert_int_gt(send(fd, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 32, MSG_NOSIGNAL), 0);
    got = recv(fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    ck_assert_msg(strncmp(text, "HTTP/1.1 200", 12) == 0, "%s", text);
    close(fd);
    stop();
    ck_assert_int_ne(access(path, F_OK), 0);
    scratch_free(scratch);
}
END_TEST

START_TEST(a_taken_port_is_69_and_nothing_of_it_stays)
{
    struct service_error error = {0};
    struct config_error wrong;
    struct config config;

    service = served_start(NULL);
    config_defaults(&config);
    ck_assert_int_eq(config_check(&config, &wrong), CONFIG_OK);
    snprintf(config.listen.item[0], CONFIG_ITEM_SIZE, "127.0.0.1:0");
    snprintf(config.listen.item[1], CONFIG_ITEM_SIZE, "127.0.0.1:%u", service_port(service, 0));
    config.listen.count = 2;
    ck_assert_ptr_null(service_start(&config, NULL, &error));
    ck_assert_int_eq(error.exit_code, 69);
    ck_assert_ptr_nonnull(strstr(error.text, "cannot bind: Address already in use"));
    visit(0);
    ck_assert_int_eq(answer.status, 200);
    stop();
}
END_TEST

static const struct suite_test tests[] = {
    TEST(eight_connections_on_four_loops_are_two_each),
    TEST(closed_connections_are_replaced_on_their_loop),
    TEST(connections_beyond_the_limit_get_503_and_the_others_stay),
    TEST(connections_beyond_the_limit_of_an_address_get_503),
    TEST(at_the_last_level_only_the_operator_and_health_are_admitted),
    TEST(at_the_limit_a_request_with_a_body_is_answered_before_the_body),
    TEST(without_descriptors_clients_get_503_and_no_loop_spins),
    TEST(it_listens_on_all_addresses_and_removes_its_file),
    TEST(a_taken_port_is_69_and_nothing_of_it_stays),
};

const struct suite listener_suite = {SUITE_TESTS(tests), .timeout = 30};
