/* SPDX-License-Identifier: Apache-2.0
 * test_emergency.c - the answer for want of memory reaches each client whole and with its own
 * id, whether or not a response may be sent to two connections at the same time. */
#include "server/exchange/emergency.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/http/sentences.h"
#include "server/http/request_id.h"
#include "server/mhd/mhd_shortcut.h"
#include "tests/support/suite.h"

enum { CLIENTS = 3, RUNS = 8 };

static struct transport *transport;
static struct emergency emergency;
static struct client {
    int fd;
    bool inference, sent;
    struct transport_connection *wire;
    struct transport_response *given; /* the response that was ready for it */
    char text[1000];
} clients[CLIENTS];
static int begun;

static void *on_begins(void *context, struct transport_connection *wire, int fd)
{
    clients[begun].wire = wire;
    return &clients[begun++];
}

static void on_target(void *owner, const char *raw)
{
}

static bool on_head(void *owner, const struct head_bytes *bytes)
{
    struct client *client = owner;
    char id[REQUEST_ID_SIZE];

    request_id_print((uint64_t)(client - clients) + 1, id);
    client->given = emergency.ready[client->inference];
    client->sent = emergency_send(&emergency, client->wire, client->inference, id);
    return client->sent;
}

static const struct transport_calls calls = {
    .begins = on_begins, .target = on_target, .head = on_head};

static void begin(unsigned shortcuts)
{
    begun = 0;
    memset(clients, 0, sizeof clients);
    emergency = (struct emergency){.shortcuts = 0};
    ck_assert(emergency_begin(&emergency, shortcuts));
    transport = transport_new(&(struct transport_options){.calls = &calls,
                                                          .shortcuts = shortcuts,
                                                          .connections = CLIENTS});
    ck_assert_ptr_nonnull(transport);
}

static void end(void)
{
    transport_free(transport);
    emergency_end(&emergency);
}

/* All ask before one reads. */
static void ask(bool inference)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    const struct sockaddr local = {.sa_family = AF_UNIX};
    int pair[2];

    for (int i = 0; i < CLIENTS; i++) {
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
        clients[i].fd = pair[0];
        clients[i].inference = inference;
        ck_assert_int_eq(send(pair[0], request, sizeof request - 1, 0), sizeof request - 1);
        ck_assert(transport_add(transport, pair[1], &local, sizeof local.sa_family));
    }
    for (int i = 0; i < RUNS; i++)
        transport_run(transport);
    for (int i = 0; i < CLIENTS; i++) {
        (void)!read(clients[i].fd, clients[i].text, sizeof clients[i].text - 1);
        close(clients[i].fd);
    }
}

static void expect_answer(const struct client *client)
{
    char id[REQUEST_ID_SIZE], line[REQUEST_ID_SIZE + 30];

    request_id_print((uint64_t)(client - clients) + 1, id);
    snprintf(line, sizeof line, "\r\nX-Request-Id: %s\r\n", id);
    ck_assert(client->sent);
    ck_assert_msg(strncmp(client->text, "HTTP/1.1 503 ", 13) == 0 &&
                      strstr(client->text, line) && strstr(client->text, SENTENCE_NO_MEMORY) &&
                      strstr(client->text, "\r\nRetry-After: 1\r\n"),
                  "%s", client->text);
}

static const struct {
    unsigned shortcuts;
    bool inference;
} kinds[] = {
    {SHORTCUTS_ALL & ~(1u << SHORTCUT_RAW_HEAD), false},
    {SHORTCUTS_ALL & ~(1u << SHORTCUT_RAW_HEAD), true},
    {1u << SHORTCUT_ID_IN_PLACE, false},
    {1u << SHORTCUT_ID_IN_PLACE, true},
    {0, false},
    {0, true},
};

START_TEST(each_client_reads_the_whole_answer_with_its_own_id)
{
    begin(kinds[_i].shortcuts);
    ask(kinds[_i].inference);
    for (int i = 0; i < CLIENTS; i++)
        expect_answer(&clients[i]);
    end();
}
END_TEST

START_TEST(each_client_has_a_response_of_its_own_where_one_may_not_be_shared)
{
    const bool shares = transport_shares_responses(kinds[_i].shortcuts);

    begin(kinds[_i].shortcuts);
    ask(kinds[_i].inference);
    for (int i = 1; i < CLIENTS; i++)
        ck_assert_int_eq(clients[i].given == clients[i - 1].given, shares);
    end();
}
END_TEST

START_TEST(an_answer_that_could_not_be_made_again_is_made_when_it_is_wanted)
{
    begin(0);
    transport_response_free(emergency.ready[0]);
    emergency.ready[0] = NULL; /* as after one for which there was no memory */
    ask(false);
    for (int i = 0; i < CLIENTS; i++)
        expect_answer(&clients[i]);
    end();
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(each_client_reads_the_whole_answer_with_its_own_id, kinds),
    TEST_EACH(each_client_has_a_response_of_its_own_where_one_may_not_be_shared, kinds),
    TEST(an_answer_that_could_not_be_made_again_is_made_when_it_is_wanted),
};

const struct suite emergency_suite = {SUITE_TESTS(tests)};
