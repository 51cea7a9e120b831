/* SPDX-License-Identifier: Apache-2.0
 * transport.c - the transport and the connections of transport.h: a libmicrohttpd daemon that
 * is run from outside (external epoll), and its callbacks in the order in which a connection
 * meets them. */
#include "server/http/transport.h"

#include <gnutls/abstract.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "server/mhd/mhd_shortcut.h"

/* The memory pool of a connection: request line, header lines and the head of the response.
 * After each request libmicrohttpd zeroes it, but for what it has read of the next one, and
 * before that the end of a read buffer that it shrinks: 24 KiB in all, which take 0.1 us for
 * one connection and up to 1 us where a thousand take turns. A pool of 12 KiB would save a
 * quarter of that, and refuses heads of 100 lines (two wire cases), of which libmicrohttpd
 * keeps 56 bytes each. So its size is what heads need. */
enum { POOL_BYTES = 16384 };

/* Measured with libmicrohttpd 0.9.75: half of the pool is the read buffer, which grows when the
 * head comes near its end; each header line takes 56 bytes besides its text. */
enum {
    READ_BUFFER = POOL_BYTES / 2,
    READ_AHEAD = 1024,  /* the read buffer grows when fewer bytes of it are free */
    READ_GROWTH = 2048, /* most bytes by which a buffer that has grown exceeds the head */
    LINE_RECORD = 64,   /* bytes for a header line besides its text */
};

/* Since 1.0.0 the library can read as strictly as RFC 9112 asks of a server: level 1, which
 * still skips one empty line before a request. Before, the bytes of a head are read
 * (RAW_HEAD), and they are the same at each level. */
#if MHD_VERSION >= 0x01000000
#define DISCIPLINE MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1
#else
#define DISCIPLINE MHD_OPTION_STRICT_FOR_CLIENT, 0
#endif

/* A transport is used on one thread. Since 0.9.77 a library that is not told so begins a
 * connection not when it is added, but when it runs next, and the caller no longer knows of
 * which it is told. */
#if MHD_VERSION >= 0x00097707
#define ONE_THREAD MHD_USE_NO_THREAD_SAFETY
#else
#define ONE_THREAD 0u
#endif

enum { LIMIT_SLACK = 128 }; /* above our own limit, so that libmicrohttpd's is never reached */

struct transport {
    struct MHD_Daemon *mhd;
    const struct transport_calls *calls;
    void *context;
    unsigned shortcuts;
    bool adds; /* in transport_add */
};

static struct MHD_Connection *mhd_of(struct transport_connection *connection)
{
    return (struct MHD_Connection *)(void *)connection;
}

const char *transport_version(void)
{
    return MHD_get_version();
}

bool transport_has_bytes(unsigned shortcuts)
{
    return mhd_shortcut_is_in(shortcuts, SHORTCUT_RAW_HEAD);
}

bool transport_shares_responses(unsigned shortcuts)
{
    return mhd_shortcut_is_in(shortcuts, SHORTCUT_SHARED);
}

unsigned transport_shortcuts_off(unsigned shortcuts)
{
    return (unsigned)__builtin_popcount(shortcuts ^ SHORTCUTS_ALL);
}

void transport_on_panic(transport_panic *panic, void *context)
{
    MHD_set_panic_func(panic, context);
}

/* ---- what happens on a connection -------------------------------------------------------- */

static void on_connection(void *cls, struct MHD_Connection *mhd, void **owner,
                          enum MHD_ConnectionNotificationCode what)
{
    struct transport *transport = cls;
    const int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

    if (what == MHD_CONNECTION_NOTIFY_STARTED && !transport->adds)
        shutdown(fd, SHUT_RDWR); /* the self-test fails with a library that begins it later */
    else if (what == MHD_CONNECTION_NOTIFY_STARTED)
        *owner = transport->calls->begins(transport->context,
                                          (struct transport_connection *)(void *)mhd, fd);
    else if (*owner && transport->calls->ends)
        transport->calls->ends(transport->context, *owner);
}

static void *owner_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

/* Returns NULL, as the context of the request until the first call of on_request. */
static void *on_target(void *cls, const char *raw, struct MHD_Connection *mhd)
{
    const struct transport *transport = cls;
    void *owner = owner_of(mhd);

    if (owner)
        transport->calls->target(owner, raw);
    mhd_shortcut_cut_query(transport->shortcuts, raw);
    return NULL;
}

static struct head_bytes read_head(unsigned shortcuts, struct MHD_Connection *mhd,
                                   const char *method, const char *version)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    struct head_bytes bytes = {
        .method = method,
        .version = version,
        .size = info ? info->header_size : 0,
        .lines = (size_t)MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, NULL, NULL)};

    if (!mhd_shortcut_raw_head(shortcuts, mhd, &bytes))
        bytes.wire = (struct transport_connection *)(void *)mhd;
    return bytes;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *body,
                                  size_t *len, void **owner)
{
    const struct transport *transport = cls;
    const struct transport_calls *calls = transport->calls;
    struct head_bytes bytes;
    bool goes_on;

    (void)url;
    if (*owner) {
        goes_on = *len == 0 ? calls->whole(*owner) : calls->body(*owner, body, len);
    } else {
        *owner = owner_of(mhd);
        bytes = read_head(transport->shortcuts, mhd, method, version);
        goes_on = *owner && calls->head(*owner, &bytes);
    }
    return goes_on ? MHD_YES : MHD_NO;
}

static void on_completed(void *cls, struct MHD_Connection *mhd, void **owner,
                         enum MHD_RequestTerminationCode why)
{
    const struct transport *transport = cls;

    (void)mhd;
    if (*owner && transport->calls->over)
        transport->calls->over(transport->context, *owner,
                               why == MHD_REQUEST_TERMINATED_COMPLETED_OK);
    *owner = NULL;
}

/* The raw target was read (on_target): nothing is decoded in libmicrohttpd's buffer. */
static size_t keep_escapes(void *cls, struct MHD_Connection *mhd, char *text)
{
    (void)cls, (void)mhd;
    return strlen(text);
}

static void on_log(void *cls, const char *format, va_list args)
{
    const struct transport *transport = cls;
    const unsigned refused = mhd_shortcut_refusal(transport->shortcuts, format, args);

    if (refused && transport->calls->refuses)
        transport->calls->refuses(transport->context, refused);
    if (transport->calls->log)
        transport->calls->log(transport->context, format, args);
}

/* ---- the daemon -------------------------------------------------------------------------- */

/* Each connection sets its own certificate, so the daemon has none. */
static int no_certificate(gnutls_session_t session, const gnutls_datum_t *authorities,
                          int count, const gnutls_pk_algorithm_t *algorithms,
                          int algorithms_count, gnutls_pcert_st **certificate,
                          unsigned *certificate_count, gnutls_privkey_t *key)
{
    (void)session, (void)authorities, (void)count, (void)algorithms, (void)algorithms_count;
    (void)certificate, (void)certificate_count, (void)key;
    return -1;
}

struct transport *transport_new(const struct transport_options *options)
{
    const char *priorities = options->tls_priorities;
    const struct MHD_OptionItem with_tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(uintptr_t)no_certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct transport *transport = calloc(1, sizeof *transport);

    if (!transport)
        return NULL;
    transport->calls = options->calls;
    transport->context = options->context;
    transport->shortcuts = options->shortcuts;
    transport->mhd = MHD_start_daemon(
        (priorities ? MHD_USE_TLS : 0u) | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
            MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG | ONE_THREAD,
        0, NULL, NULL, on_request, transport, MHD_OPTION_EXTERNAL_LOGGER, on_log, transport,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, transport, MHD_OPTION_URI_LOG_CALLBACK,
        on_target, transport, MHD_OPTION_NOTIFY_COMPLETED, on_completed, transport,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, DISCIPLINE,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, /* else it sends no file by sendfile */
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)options->connections + LIMIT_SLACK, MHD_OPTION_CONNECTION_TIMEOUT,
        options->idle_seconds, MHD_OPTION_ARRAY, priorities ? with_tls : with_tls + 2,
        MHD_OPTION_END);
    if (transport->mhd)
        return transport;
    free(transport);
    return NULL;
}

void transport_free(struct transport *transport)
{
    MHD_stop_daemon(transport->mhd);
    free(transport);
}

int transport_epoll_fd(const struct transport *transport)
{
    return MHD_get_daemon_info(transport->mhd, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

bool transport_add(struct transport *transport, int fd, const struct sockaddr *address,
                   socklen_t len)
{
    bool added;

    transport->adds = true;
    added = MHD_add_connection(transport->mhd, fd, address, len) == MHD_YES;
    transport->adds = false;
    return added;
}

uint64_t transport_run(struct transport *transport)
{
    MHD_UNSIGNED_LONG_LONG ms;

    MHD_run(transport->mhd);
    return MHD_get_timeout(transport->mhd, &ms) == MHD_YES ? ms : UINT64_MAX;
}

/* ---- a connection ------------------------------------------------------------------------ */

void transport_suspend(struct transport_connection *connection)
{
    MHD_suspend_connection(mhd_of(connection));
}

void transport_resume(struct transport_connection *connection)
{
    MHD_resume_connection(mhd_of(connection));
}

struct gnutls_session_int *transport_session(struct transport_connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd_of(connection), MHD_CONNECTION_INFO_GNUTLS_SESSION);

    return info ? info->tls_session : NULL;
}

const struct sockaddr *transport_address(struct transport_connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd_of(connection), MHD_CONNECTION_INFO_CLIENT_ADDRESS);

    return info ? info->client_addr : NULL;
}

bool transport_has_head(struct transport_connection *connection)
{
    return MHD_get_connection_info(mhd_of(connection),
                                   MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

struct taking {
    void (*take)(void *context, const struct head_line *line);
    void *context;
};

static enum MHD_Result take_line(void *cls, enum MHD_ValueKind kind, const char *name,
                                 size_t name_len, const char *value, size_t value_len)
{
    const struct taking *taking = cls;

    (void)kind;
    taking->take(taking->context, &(struct head_line){.name = name,
                                                      .name_len = name_len,
                                                      .value = value ? value : "",
                                                      .value_len = value ? value_len : 0});
    return MHD_YES;
}

void transport_each_line(struct transport_connection *connection, bool trailer,
                         void (*take)(void *context, const struct head_line *line),
                         void *context)
{
    struct taking taking = {take, context};

    MHD_get_connection_values_n(mhd_of(connection), trailer ? MHD_FOOTER_KIND : MHD_HEADER_KIND,
                                take_line, &taking);
}

size_t transport_head_space(const struct head_bytes *request)
{
    size_t taken = READ_BUFFER + LINE_RECORD * request->lines;

    if (request->size > READ_BUFFER - READ_AHEAD)
        taken += request->size + READ_GROWTH - READ_BUFFER;
    return taken < POOL_BYTES ? POOL_BYTES - taken : 0;
}
