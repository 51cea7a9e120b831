/* SPDX-License-Identifier: Apache-2.0
 * test_connection_handshake.c - the handshakes of an iteration of a loop share its allowance.
 * What a client sends is read in its turn, and peers take turns; a client that leaves, a
 * deadline that passes and a loop that ends leave no handshake that waits. */
#include <gnutls/gnutls.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "server/net/loop.h"
#include "tests/support/http_client.h"
#include "tests/support/key_pair.h"
#include "tests/support/scratch.h"
#include "tests/support/served.h"
#include "tests/support/suite.h"

enum { CLIENTS = 160, ASKING = 8, ITERATIONS = 6, HEADER_MS = 500, PATIENCE_MS = 60000 };

struct secure {
    struct http_client *client;
    gnutls_session_t session;
};

/* A loop that has iterations while it is counted which clients have an answer. */
struct watch {
    struct loop_post post; /* first: a post is cast to its watch */
    struct service *service;
    struct loop *loop;
    uv_sem_t held, greeted, counted;
    struct secure crowd[CLIENTS], other; /* other: of another peer, greets later */
    int iterations, answered;
    bool other_answered;
    uint64_t held_ns; /* the loop is held so long after the iterations; 0: it is not */
};

static struct scratch *scratch;
static gnutls_certificate_credentials_t trusted; /* none: clients do not verify */

/* ---- a client --------------------------------------------------------------------------- */

static ssize_t pull(gnutls_transport_ptr_t at, void *out, size_t size)
{
    return recv((int)(intptr_t)at, out, size, MSG_DONTWAIT);
}

static void secure_open(struct secure *secure, const struct service *service,
                        const char *address, const char *priorities)
{
    secure->client = http_client_new_from(served_port(service), address);
    ck_assert_int_eq(gnutls_init(&secure->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK), 0);
    ck_assert_int_eq(gnutls_priority_set_direct(secure->session, priorities, NULL), 0);
    gnutls_credentials_set(secure->session, GNUTLS_CRD_CERTIFICATE, trusted);
    gnutls_transport_set_int(secure->session, http_client_fd(secure->client));
    gnutls_transport_set_pull_function(secure->session, pull);
}

static void secure_close(struct secure *secure)
{
    if (!secure->client)
        return;
    http_client_free(secure->client);
    gnutls_deinit(secure->session);
    secure->client = NULL;
}

/* Sends the first message of the handshake. */
static void greet(struct secure *secure)
{
    ck_assert_int_eq(gnutls_handshake(secure->session), GNUTLS_E_AGAIN);
}

/* Waits until the server's kernel has all that was sent. */
static void is_delivered(const struct secure *secure)
{
    int left = 1;

    while (left > 0) {
        ck_assert_int_eq(ioctl(http_client_fd(secure->client), SIOCOUTQ, &left), 0);
        sched_yield();
    }
}

static bool arrived(const struct secure *secure, int ms)
{
    struct pollfd poller = {.fd = http_client_fd(secure->client), .events = POLLIN};

    return poll(&poller, 1, ms) > 0;
}

/* Waits for the server's part of the handshake. */
static void is_greeted(const struct secure *secure)
{
    char byte;

    ck_assert_int_eq(http_client_receive(secure->client, &byte, 1, MSG_PEEK), 1);
}

/* Ends the handshake and asks for health. */
static void ask(struct secure *secure)
{
    static const char request[] = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";
    char answer[13] = "";
    ssize_t got;

    while (gnutls_handshake(secure->session) == GNUTLS_E_AGAIN)
        arrived(secure, -1);
    ck_assert_int_eq(gnutls_record_send(secure->session, request, sizeof request - 1),
                     sizeof request - 1);
    do {
        arrived(secure, -1);
        got = gnutls_record_recv(secure->session, answer, 12);
    } while (got == GNUTLS_E_AGAIN);
    ck_assert_str_eq(answer, "HTTP/1.1 200");
}

/* ---- the loop --------------------------------------------------------------------------- */

static void one_loop(struct config *config)
{
    static char chain[SCRATCH_PATH], key[SCRATCH_PATH];

    snprintf(chain, sizeof chain, "%s", scratch_path(scratch, "chain.pem"));
    snprintf(key, sizeof key, "%s", scratch_path(scratch, "key.pem"));
    config->tls_cert = chain;
    config->tls_key = key;
    config->threads = 1;
    config->admin_listen = (struct config_list){.count = 1, .item = {"127.0.0.1:0"}};
}

static void hasty(struct config *config)
{
    one_loop(config);
    config->header_timeout_ms = HEADER_MS;
}

static void count(struct loop_post *post)
{
    struct watch *watch = (struct watch *)(void *)post;

    if (watch->iterations == 0 && watch->other.client) {
        greet(&watch->other);
        is_delivered(&watch->other);
    }
    if (watch->iterations++ < ITERATIONS) {
        loop_post(watch->loop, post);
        return;
    }
    for (int i = 0; i < CLIENTS; i++)
        watch->answered += arrived(&watch->crowd[i], 0);
    watch->other_answered = watch->other.client && arrived(&watch->other, PATIENCE_MS);
    for (const uint64_t until = uv_hrtime() + watch->held_ns; uv_hrtime() < until;)
        sched_yield();
    uv_sem_post(&watch->counted);
}

static void hold(struct loop_post *post)
{
    struct watch *watch = (struct watch *)(void *)post;

    uv_sem_post(&watch->held);
    uv_sem_wait(&watch->greeted);
    post->fn = count;
    loop_post(watch->loop, post);
}

static void begin(struct watch *watch, enum key_kind kind,
                  void (*adjust)(struct config *config))
{
    static struct key_pair pair;

    memset(watch, 0, sizeof *watch); /* that of another case, where cases share the process */
    scratch = scratch_new();
    key_pair_make(&pair, kind);
    scratch_write(scratch, "chain.pem", pair.chain);
    scratch_write(scratch, "key.pem", pair.key);
    ck_assert_int_eq(gnutls_certificate_allocate_credentials(&trusted), 0);
    watch->service = served_start(adjust);
    watch->loop = watch->service->loops[0];
    watch->post.fn = hold;
    uv_sem_init(&watch->held, 0);
    uv_sem_init(&watch->greeted, 0);
    uv_sem_init(&watch->counted, 0);
}

/* The loop is held until all clients have greeted, and learns of them then, so that nothing
 * depends on the machine's speed. */
static void greet_at_once(struct watch *watch, const char *priorities)
{
    const size_t clients = CLIENTS + (watch->other.client ? 1 : 0);

    loop_post(watch->loop, &watch->post);
    uv_sem_wait(&watch->held);
    for (int i = 0; i < CLIENTS; i++)
        secure_open(&watch->crowd[i], watch->service, "127.0.0.1", priorities);
    while (loop_connections(watch->loop) < clients)
        sched_yield();
    for (int i = 0; i < CLIENTS; i++)
        greet(&watch->crowd[i]);
    for (int i = 0; i < CLIENTS; i++)
        is_delivered(&watch->crowd[i]);
    uv_sem_post(&watch->greeted);
    uv_sem_wait(&watch->counted);
    ck_assert_msg(watch->answered < CLIENTS / 2, "%d iterations answered %d of %d handshakes",
                  ITERATIONS, watch->answered, CLIENTS);
}

static void close_all(struct watch *watch)
{
    for (int i = 0; i < CLIENTS; i++)
        secure_close(&watch->crowd[i]);
    secure_close(&watch->other);
}

static void end(struct watch *watch)
{
    if (watch->service) {
        close_all(watch);
        served_stop(watch->service);
    }
    uv_sem_destroy(&watch->held);
    uv_sem_destroy(&watch->greeted);
    uv_sem_destroy(&watch->counted);
    gnutls_certificate_free_credentials(trusted);
    scratch_free(scratch);
}

static void none_is_left(struct watch *watch)
{
    while (loop_connections(watch->loop) > 0)
        sched_yield();
}

/* ---- tests ------------------------------------------------------------------------------ */

static const struct {
    enum key_kind kind;
    const char *priorities;
} forms[] = {
    {KEY_KIND_P256, "NORMAL"},
    {KEY_KIND_P256, "NORMAL:-VERS-TLS1.3"},
    {KEY_KIND_RSA2048, "NORMAL"},
    {KEY_KIND_RSA2048, "NORMAL:-VERS-TLS1.3"},
    {KEY_KIND_P256, "NORMAL:-GROUP-ALL:+GROUP-FFDHE8192:+GROUP-X448:+GROUP-SECP256R1"},
};

START_TEST(an_iteration_has_as_many_handshakes_as_its_allowance_and_all_have_their_turn)
{
    static struct watch watch;

    begin(&watch, forms[_i].kind, one_loop);
    greet_at_once(&watch, forms[_i].priorities);
    for (int i = 0; i < CLIENTS; i++)
        is_greeted(&watch.crowd[i]);
    for (int i = 0; i < ASKING; i++)
        ask(&watch.crowd[CLIENTS - 1 - i]);
    end(&watch);
}
END_TEST

START_TEST(a_peer_has_its_handshake_however_many_of_another_wait)
{
    static struct watch watch;

    begin(&watch, forms[_i].kind, one_loop);
    secure_open(&watch.other, watch.service, "127.0.0.2", forms[_i].priorities);
    greet_at_once(&watch, forms[_i].priorities);
    ck_assert(watch.other_answered);
    ask(&watch.other);
    end(&watch);
}
END_TEST

START_TEST(a_client_that_leaves_before_its_turn_is_closed)
{
    static struct watch watch;

    begin(&watch, KEY_KIND_RSA2048, one_loop);
    greet_at_once(&watch, "NORMAL");
    close_all(&watch);
    none_is_left(&watch);
    end(&watch);
}
END_TEST

START_TEST(the_wait_for_a_turn_counts_to_the_deadline)
{
    static struct watch watch;
    int answered = 0;

    begin(&watch, KEY_KIND_RSA2048, hasty);
    watch.held_ns = 2 * HEADER_MS * 1000000ULL;
    greet_at_once(&watch, "NORMAL");
    none_is_left(&watch);
    for (int i = 0; i < CLIENTS; i++) {
        char byte;

        answered +=
            http_client_receive(watch.crowd[i].client, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
    }
    ck_assert_int_lt(answered, CLIENTS);
    end(&watch);
}
END_TEST

/* The exchange of keys in a field of 8,192 bits takes ten times what is counted. */
static const struct {
    enum key_kind kind;
    const char *priorities;
} costly[] = {
    {KEY_KIND_P256, "NORMAL:-GROUP-ALL:+GROUP-FFDHE8192"},
    {KEY_KIND_P256, "NORMAL:-GROUP-ALL:+GROUP-SECP521R1:+GROUP-X448"},
    {KEY_KIND_RSA2048, "NORMAL:-VERS-TLS1.3:-KX-ALL:+DHE-RSA"},
};

START_TEST(a_client_that_wants_a_costly_exchange_alone_is_refused)
{
    static struct watch watch;
    int code;

    begin(&watch, costly[_i].kind, one_loop);
    secure_open(&watch.other, watch.service, "127.0.0.1", costly[_i].priorities);
    while ((code = gnutls_handshake(watch.other.session)) == GNUTLS_E_AGAIN)
        arrived(&watch.other, -1);
    ck_assert_msg(code != 0 && gnutls_error_is_fatal(code), "code %d", code);
    end(&watch);
}
END_TEST

START_TEST(a_loop_may_end_while_handshakes_wait)
{
    static struct watch watch;

    begin(&watch, KEY_KIND_RSA2048, one_loop);
    greet_at_once(&watch, "NORMAL");
    served_stop(watch.service);
    close_all(&watch);
    watch.service = NULL;
    end(&watch);
}
END_TEST

SUITE(connection_handshake,
      TEST_EACH(an_iteration_has_as_many_handshakes_as_its_allowance_and_all_have_their_turn,
                forms),
      TEST_EACH(a_peer_has_its_handshake_however_many_of_another_wait, forms),
      TEST(a_client_that_leaves_before_its_turn_is_closed),
      TEST(the_wait_for_a_turn_counts_to_the_deadline),
      TEST_EACH(a_client_that_wants_a_costly_exchange_alone_is_refused, costly),
      TEST(a_loop_may_end_while_handshakes_wait));
