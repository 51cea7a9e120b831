/* SPDX-License-Identifier: Apache-2.0
 * request_check.c - every request has one meaning, or is refused, so that no proxy before us
 * can read another (RFC 9112, 11.2). head.c and header_lines.c check the bytes; here are the
 * rules between the fields. */
#include "server/http/request_check.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/http/head.h"
#include "server/http/transport.h"

#define BAD_LENGTH "Content-Length must be a decimal number"
#define HEAD_TOO_LONG "the head must be " HEAD_MOST

void request_check_target(struct head *head, const char *raw)
{
    head_clear(head);
    head_target_read(head, raw);
}

/* libmicrohttpd leaves "GET" NUL target NUL "HTTP/1.1". A second space, or a NUL in the target,
 * shifts where the parts begin. */
static void check_request_line(struct head *head, const struct head_bytes *bytes)
{
    const char *method = bytes->method, *version = bytes->version;

    if (!bytes->wire && (method + strlen(method) + 1 != head->raw || version != head->raw_end))
        head_refuse(head, 400,
                    "the request line must be METHOD TARGET HTTP/1.1, with one space "
                    "between them and no NUL");
    else if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        head_refuse(head, 505, "the version must be HTTP/1.1 or HTTP/1.0");
}

static void check_method(struct head *head, const char *method)
{
    for (const char *at = method; *at; at++)
        if (!head_set_has(&head_token_set, (unsigned char)*at))
            head_refuse(head, 501, "the method is not a token");
    head->method = endpoint_method_of(method);
    if (head->method == METHOD_NONE)
        head_refuse(head, 405,
                    "the method is none of GET, HEAD, POST, QUERY, OPTIONS, PUT, DELETE");
    if (head->target[0] == '*' && head->method != METHOD_OPTIONS)
        head_refuse(head, 400, "the target * is for OPTIONS only");
}

static void check_host(struct head *head, const struct head_framing *framing)
{
    head->host = framing->host;
    if (framing->hosts > 1 || (head->http11 && framing->hosts == 0))
        head_refuse(head, 400, "an HTTP/1.1 request must have Host, once");
    else if (framing->hosts && !head_host_valid(framing->host, strlen(framing->host)))
        head_refuse(head, 400, "Host must be NAME or NAME:PORT");
    else if (head->authority &&
             (!framing->hosts || strlen(framing->host) != head->authority_len ||
              strncasecmp(framing->host, head->authority, head->authority_len) != 0))
        head_refuse(head, 400, "the target's authority and Host must be the same");
}

/* Reads digits only; a number that overflows becomes UINT64_MAX. */
static bool parse_length(const char *text, uint64_t *length)
{
    const char *at = text;

    *length = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (__builtin_mul_overflow(*length, 10, length) ||
            __builtin_add_overflow(*length, (uint64_t)(*at - '0'), length))
            *length = UINT64_MAX;
    return at > text && *at == '\0';
}

/* Refuses a body that is too long, and says how long one may be. */
static void refuse_length(struct head *head, uint64_t max_body)
{
    snprintf(head->too_long, sizeof head->too_long, HEAD_BODY_TOO_LONG, max_body);
    head_refuse(head, 413, head->too_long);
}

/* Checks how the body is framed. */
static void check_framing(struct head *head, const struct head_framing *framing,
                          uint64_t max_body)
{
    if (framing->lengths > 1 || framing->encodings > 1)
        head_refuse(head, 400, "Content-Length and Transfer-Encoding may be given once");
    if (framing->lengths && framing->encodings)
        head_refuse(head, 400, "Content-Length and Transfer-Encoding exclude each other");
    if (framing->encodings) {
        if (!head->http11)
            head_refuse(head, 400, "Transfer-Encoding needs HTTP/1.1");
        if (strcasecmp(framing->encoding, "chunked") != 0)
            head_refuse(head, 501, "Transfer-Encoding must be chunked and nothing else");
        head->chunked = true;
    }
    if (framing->lengths) {
        if (!parse_length(framing->length, &head->content_length))
            head_refuse(head, 400, BAD_LENGTH);
        if (head->content_length > max_body)
            refuse_length(head, max_body);
    }
}

static void check_body(struct head *head, const struct head_framing *framing, uint64_t max_body)
{
    check_framing(head, framing, max_body);
    head->has_body = head->chunked || head->content_length > 0;
    if (head->has_body && !(head->method & (METHOD_POST | METHOD_QUERY | METHOD_PUT)))
        head_refuse(head, 400, "only POST, QUERY and PUT may have a body");
    if (framing->expectations > 1 ||
        (framing->expectations && strcasecmp(framing->expectation, "100-continue") != 0))
        head_refuse(head, 417, "Expect must be 100-continue");
    head->expects_continue = framing->expectations == 1 && head->http11;
}

/* ---- lines that libmicrohttpd has read --------------------------------------------------- */

struct reading {
    struct head *head;
    struct head_framing framing;
    size_t lines, size;
};

static void add_line(void *context, const struct head_line *line)
{
    struct reading *reading = context;

    header_lines_add(reading->head, &reading->framing, line);
}

/* libmicrohttpd has read the request line strictly, and refused folds, blanks before a colon,
 * line feeds alone and NULs (level 1 of its discipline); of a name it has not looked at the
 * bytes. */
static void check_lines(struct head *head, const struct head_bytes *bytes, uint64_t max_body)
{
    const size_t target = head->raw ? (size_t)(head->raw_end - head->raw) : 1,
                 line = strlen(bytes->method) + 1 + target + strlen("HTTP/1.1") + 2;
    struct reading reading = {.head = head};

    if (head->refused)
        return;
    if (bytes->lines > HEAD_LINES_MAX || bytes->size > line + HEAD_BYTES_MAX) {
        head_refuse(head, 431, HEAD_TOO_LONG);
        return;
    }
    transport_each_line(bytes->wire, false, add_line, &reading);
    check_host(head, &reading.framing);
    check_body(head, &reading.framing, max_body);
}

static void add_trailer_line(void *context, const struct head_line *line)
{
    struct reading *reading = context;

    reading->lines++;
    reading->size += line->name_len + line->value_len + strlen(": \r\n");
    if (!header_lines_is_valid(line))
        head_refuse(reading->head, 400, HEAD_TRAILER_BAD);
}

void request_check_trailer(struct head *head)
{
    struct reading reading = {.head = head};

    if (!head->chunked || !head->bytes.wire)
        return;
    transport_each_line(head->bytes.wire, true, add_trailer_line, &reading);
    if (reading.lines > HEAD_LINES_MAX || reading.size > HEAD_BYTES_MAX)
        head_refuse(head, 431, HEAD_TRAILER_LONG);
}

/* ---- the whole head ---------------------------------------------------------------------- */

void request_check_refused(struct head *head, struct transport_connection *wire,
                           unsigned status, uint64_t max_body)
{
    struct reading reading = {.head = head};

    if (wire) {
        head->http11 = true; /* of an older request libmicrohttpd asks for no more than this */
        transport_each_line(wire, false, add_line, &reading);
        check_framing(head, &reading.framing, max_body);
        if (reading.framing.hosts != 1 && !head->refused)
            check_host(head, &reading.framing);
    }
    if (status == 413)
        refuse_length(head, max_body);
    else if (status != 400)
        head_refuse(head, 431, HEAD_TOO_LONG);
    else
        head_refuse(head, 400, BAD_LENGTH);
}

void request_check_head(struct head *head, const struct head_bytes *bytes, uint64_t max_body)
{
    const char *method = bytes->method, *version = bytes->version;
    struct head_framing framing = {0};
    char *lines = (char *)(intptr_t)version + strlen("HTTP/1.1") + 2;
    size_t size = bytes->size;

    head->bytes = *bytes;
    head->http11 = version[0] && version[strlen(version) - 1] == '1';
    check_request_line(head, bytes);
    check_method(head, method);
    if (bytes->wire) {
        check_lines(head, bytes, max_body);
        return;
    }
    if (head->refused)
        return;
    if (lines[-2] || lines[-1] || lines < method || (size_t)(lines - method) + 2 > size) {
        head_refuse(head, 400, "the request line must end with CR LF");
        return;
    }
    size -= (size_t)(lines - method);
    if (size > HEAD_BYTES_MAX || bytes->lines > HEAD_LINES_MAX) {
        head_refuse(head, 431, HEAD_TOO_LONG);
        return;
    }
    header_lines_read(head, &framing, lines, size, bytes->lines);
    if (bytes->colon_ends)
        head_refuse(head, 400, "a header line must be NAME: VALUE, ended by CR LF");
    check_host(head, &framing);
    check_body(head, &framing, max_body);
}
