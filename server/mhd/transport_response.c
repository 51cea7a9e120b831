/* SPDX-License-Identifier: Apache-2.0
 * transport_response.c - the responses of transport.h, each of which is one of
 * libmicrohttpd's.
 *
 * libmicrohttpd makes three allocations and searches six times for each header field that it
 * is given. So the lines of a head are given as one field, whose value contains the other
 * lines. It refuses a value with a line's end, so the value is given as blanks, and the lines
 * are written over its copy of them. Fields that it reads itself (Connection), or that change
 * from request to request (X-Request-Id), are given to it by themselves.
 *
 * A response may be sent to one connection after the other. The value of X-Request-Id is
 * written over that of the request before, in the response's own memory, and libmicrohttpd
 * copies it before the call of the handler that queued the response is followed by another
 * one. The self-test at start proves both; what it cannot prove is left off (mhd_shortcut.h),
 * and each line is a field, each X-Request-Id a new field, or each response sent once. */
#include <assert.h>
#include <microhttpd.h>
#include <string.h>
#include <unistd.h>

#include "server/http/request_id.h"
#include "server/http/transport.h"
#include "server/mhd/mhd_shortcut.h"

#define LINE_END "\r\n"
#define CONNECTION "Connection"

static struct MHD_Response *mhd_of(struct transport_response *response)
{
    return (struct MHD_Response *)(void *)response;
}

/* ---- the head ---------------------------------------------------------------------------- */

/* Gives all lines as the value of the first. */
static bool give_one_field(struct header_block *head, struct MHD_Response *response)
{
    char *text = head->space, *colon, blanks[HEADER_BLOCK_SIZE];
    size_t len;

    colon = memchr(text, ':', head->lines.len);
    assert(colon); /* header_block_add writes one */
    *colon = '\0';
    len = head->lines.len - (size_t)(colon + 2 - text) - (sizeof LINE_END - 1);
    memset(blanks, 'x', len);
    blanks[len] = '\0';
    if (MHD_add_response_header(response, text, blanks) != MHD_YES)
        return false;
    return mhd_shortcut_set_value(response, text, colon + 2, len);
}

/* Gives each line as a field. A field without a value says nothing, and libmicrohttpd refuses
 * it: it is left out. */
static bool give_fields(struct header_block *head, struct MHD_Response *response)
{
    char *name = head->space, *end = name + head->lines.len, *value, *next;

    for (; name < end; name = next) {
        value = memchr(name, ':', (size_t)(end - name));
        assert(value); /* header_block_add writes one */
        *value = '\0';
        value += sizeof ": " - 1;
        next = memchr(value, '\r', (size_t)(end - value));
        assert(next);
        *next = '\0';
        next += sizeof LINE_END - 1;
        if (*value && MHD_add_response_header(response, name, value) != MHD_YES)
            return false;
    }
    return true;
}

static bool give_lines(unsigned shortcuts, struct header_block *head,
                       struct MHD_Response *response)
{
    if (head->lines.len == 0)
        return true;
    return mhd_shortcut_is_in(shortcuts, SHORTCUT_ONE_FIELD) ? give_one_field(head, response)
                                                             : give_fields(head, response);
}

static enum MHD_Result add_lines(void *context, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    struct buffer *lines = context;

    (void)kind;
    if (strcmp(name, CONNECTION) == 0 || strcmp(name, REQUEST_ID_NAME) == 0)
        return MHD_YES; /* not of the lines */
    buffer_add_text(lines, name);
    buffer_add_text(lines, ": ");
    buffer_add_text(lines, value);
    buffer_add_text(lines, LINE_END);
    return MHD_YES;
}

void transport_response_lines(struct transport_response *response, struct header_block *block)
{
    MHD_get_response_headers(mhd_of(response), add_lines, &block->lines);
}

/* A value of the same length is overwritten in place, which needs no memory and cannot fail.
 * False: out of memory, and the response may have no such field. */
static bool set_request_id(unsigned shortcuts, struct MHD_Response *response, const char *id)
{
    const char *value;

    if (mhd_shortcut_is_in(shortcuts, SHORTCUT_ID_IN_PLACE) &&
        mhd_shortcut_set_value(response, REQUEST_ID_NAME, id, strlen(id)))
        return true;
    value = MHD_get_response_header(response, REQUEST_ID_NAME);
    return (!value || MHD_del_response_header(response, REQUEST_ID_NAME, value) == MHD_YES) &&
           MHD_add_response_header(response, REQUEST_ID_NAME, id) == MHD_YES;
}

/* ---- the body ---------------------------------------------------------------------------- */

/* No body follows, so libmicrohttpd asks for none. */
static ssize_t pull_nothing(void *owner, uint64_t at, char *out, size_t capacity)
{
    (void)owner, (void)at, (void)out, (void)capacity;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

static struct MHD_Response *create(const struct transport_body *body)
{
    static_assert(TRANSPORT_LEN_UNKNOWN == MHD_SIZE_UNKNOWN, "one number");
    static_assert(TRANSPORT_END == MHD_CONTENT_READER_END_OF_STREAM, "one number");
    static_assert(TRANSPORT_CUT == MHD_CONTENT_READER_END_WITH_ERROR, "one number");

    switch (body->kind) {
    case TRANSPORT_LACKS:
        break;
    case TRANSPORT_BYTES:
        return MHD_create_response_from_buffer_with_free_callback_cls(
            (size_t)body->len, (void *)(uintptr_t)body->bytes, body->release, body->owner);
    case TRANSPORT_FILE:
        return MHD_create_response_from_fd64(body->len, body->fd);
    case TRANSPORT_PULLED:
        return MHD_create_response_from_callback(body->len, body->block, body->pull,
                                                 body->owner, body->release);
    case TRANSPORT_NONE:
        return MHD_create_response_from_callback(body->len, 1, pull_nothing, NULL, NULL);
    }
    return NULL;
}

static void release(const struct transport_body *body)
{
    if (body->kind == TRANSPORT_FILE)
        close(body->fd);
    if (body->release)
        body->release(body->owner);
}

/* libmicrohttpd 0.9.75 writes the length of the response object into a 304 too, and the 0 of an
 * empty one would be wrong. For an unknown length it says chunked, and some clients then wait
 * for chunks; it ends a chunked response to HEAD with a last chunk, which HEAD must not have.
 * With the flag for HTTP/1.0 it says nothing and closes instead. */
static bool set_length(const struct transport_body *body, struct MHD_Response *response)
{
    return body->kind != TRANSPORT_NONE || body->len != TRANSPORT_LEN_UNKNOWN ||
           MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END) ==
               MHD_YES;
}

/* ---- the response ------------------------------------------------------------------------ */

struct transport_response *transport_response_new(unsigned shortcuts,
                                                  const struct transport_body *body,
                                                  struct header_block *head)
{
    struct MHD_Response *response = head->lines.failed ? NULL : create(body);

    if (!response) {
        release(body);
        return NULL;
    }
    if (give_lines(shortcuts, head, response) &&
        (!head->closes || MHD_add_response_header(response, CONNECTION, "close") == MHD_YES) &&
        (!head->request_id || set_request_id(shortcuts, response, head->request_id)) &&
        set_length(body, response))
        return (struct transport_response *)(void *)response;
    MHD_destroy_response(response);
    return NULL;
}

void transport_response_free(struct transport_response *response)
{
    if (response)
        MHD_destroy_response(mhd_of(response));
}

bool transport_response_send(unsigned shortcuts, struct transport_connection *connection,
                             unsigned status, struct transport_response *response,
                             const char *request_id)
{
    return set_request_id(shortcuts, mhd_of(response), request_id) &&
           MHD_queue_response((struct MHD_Connection *)(void *)connection, status,
                              mhd_of(response)) == MHD_YES;
}
