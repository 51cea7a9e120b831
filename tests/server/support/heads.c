/* SPDX-License-Identifier: Apache-2.0
 * heads.c - functions of server/http as rows: "target" reads the target of a request line,
 * "path" decodes a path, "host" reads a value of Host, and "range" the value of Range for a
 * response of 1000 bytes; "range-of-longest" and "range-of-empty" are for other responses.
 * "if-none-match" and "if-range" compare with the entity tag "a1". "header-lines" reads lines,
 * between "; ", that a client sends, and "lines-as-left" a number of lines and their bytes as
 * libmicrohttpd leaves them. (absent) stands for a field that the client has not sent. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "server/http/head.h"
#include "server/http/if_none_match.h"
#include "server/http/range.h"
#include "tests/server/support/server_row.h"

/* ---- targets and hosts ----------------------------------------------------------------- */

static void target(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct head head = {0};

    head_target_read(&head, strcmp(value, "(absent)") == 0 ? NULL : value);
    if (!head.target) /* the log needs the target of a refused request, too */
        buffer_add_text(out, "no target is kept");
    else if (head.refused && strcmp(claim, "refused") == 0)
        buffer_add_format(out, "%u %s", head.refused, head.refused_why);
    else if (!head.refused && (head.raw != value || head.raw_end != value + strlen(value) + 1))
        buffer_add_text(out, "the bytes of libmicrohttpd are not noted");
    else if (!head.refused && strcmp(claim, "is") == 0)
        buffer_add(out, head.target, head.target_len);
    else if (!head.refused && strcmp(claim, "path") == 0)
        buffer_add(out, head.target, head.path_len);
    else if (!head.refused && strcmp(claim, "authority") == 0 && head.authority_len > 0)
        buffer_add(out, head.authority, head.authority_len);
    else if (!head.refused && strcmp(claim, "authority") == 0)
        buffer_add_text(out, head.authority ? "empty" : "none");
    head_clear(&head);
}

static void path(struct buffer *out, char *value, const char *claim, const void *context)
{
    size_t len = 0;
    char *decoded = head_decode_path(value, strlen(value), &len);

    if (strcmp(claim, "is") == 0)
        buffer_add_text(out, decoded[0] ? decoded : "empty");
    if (strlen(decoded) != len)
        buffer_add_format(out, ", of %zu bytes", len);
    free(decoded);
}

static void host(struct buffer *out, char *value, const char *claim, const void *context)
{
    if (strcmp(claim, "is") == 0)
        buffer_add_text(out, head_host_valid(value, strlen(value)) ? "valid" : "invalid");
    else if (strcmp(claim, "name") == 0)
        buffer_add(out, value, head_host_name_len(value, strlen(value)));
}

/* ---- ranges and entity tags ------------------------------------------------------------- */

static const uint64_t thousand = 1000, longest = UINT64_MAX - 1, empty = 0;

static void range(struct buffer *out, char *value, const char *claim, const void *context)
{
    const uint64_t size = *(const uint64_t *)context;
    struct range range;
    enum range_kind kind =
        range_find(strcmp(value, "(absent)") == 0 ? NULL : value, size, &range);

    if (strcmp(claim, "bytes") != 0)
        return;
    if (range.size != size)
        buffer_add_format(out, "of %" PRIu64, range.size);
    else if (kind == RANGE_PART)
        buffer_add_format(out, "%" PRIu64 "+%" PRIu64, range.first, range.len);
    else if (range.first == 0 && range.len == size)
        buffer_add_text(out, kind == RANGE_WHOLE ? "all" : "outside");
}

static void if_none_match(struct buffer *out, char *value, const char *claim,
                          const void *context)
{
    static const char *const results[] = {[IF_NONE_MATCH_NONE] = "send the response",
                                          [IF_NONE_MATCH_MATCH] = "the client has it",
                                          [IF_NONE_MATCH_ANY] = "the client has some"};
    const char *field = strcmp(value, "(absent)") == 0 ? NULL : value;

    if (strcmp(claim, "=>") == 0)
        buffer_add_text(out, results[if_none_match_check(field, "\"a1\"")]);
}

static void if_range(struct buffer *out, char *value, const char *claim, const void *context)
{
    const char *field = strcmp(value, "(absent)") == 0 ? NULL : value;

    if (strcmp(claim, "part") == 0)
        buffer_add_text(out, range_is_of(field, context) ? "yes" : "no");
}

/* ---- header lines ----------------------------------------------------------------------- */

/* Writes lines as libmicrohttpd leaves them, with NULs in place of CR, LF and the first colon
 * of a line; returns the number of lines. */
static size_t split_lines(struct buffer *out, char *text)
{
    size_t count = 0, len;

    if (!*text)
        return 0;
    for (char *line; (line = server_row_step(&text, "; ")); count++) {
        char *bytes = server_row_bytes(line, &len), *colon = memchr(bytes, ':', len);

        if (colon)
            *colon = '\0';
        buffer_add(out, bytes, len);
        buffer_add(out, "\0", 2);
        free(bytes);
    }
    return count;
}

static void write_field(struct buffer *out, const struct head *head,
                        const struct head_framing *framing, const char *claim)
{
    const struct {
        const char *name, *value;
    } fields[] = {
        {"Host", framing->host},
        {"Content-Length", framing->length},
        {"Transfer-Encoding", framing->encoding},
        {"Expect", framing->expectation},
        {"Accept", head->accept},
        {"Accept-Encoding", head->accept_encoding},
        {"Content-Type", head->content_type},
        {"Content-Encoding", head->content_encoding},
        {"If-None-Match", head->if_none_match},
        {"If-Range", head->if_range},
        {"Range", head->range},
        {"Traceparent", head->traceparent},
        {"X-Request-Id", head->request_id},
    };

    if (strcmp(claim, "framing") == 0)
        buffer_add_format(out,
                          "%u of Host, %u of Content-Length, %u of Transfer-Encoding, "
                          "%u of Expect",
                          framing->hosts, framing->lengths, framing->encodings,
                          framing->expectations);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, claim) == 0)
            buffer_add_format(out, "\"%s\"", fields[i].value ? fields[i].value : "(absent)");
}

static void read_lines(struct buffer *out, struct buffer *lines, size_t count,
                       const char *claim)
{
    struct head head = {0};
    struct head_framing framing = {0};

    buffer_add(lines, "\0", 2); /* the empty line */
    header_lines_read(&head, &framing, lines->bytes, lines->len, count);
    if (head.refused && strcmp(claim, "refused") == 0)
        buffer_add_format(out, "%u %s", head.refused, head.refused_why);
    else if (!head.refused)
        write_field(out, &head, &framing, claim);
    head_clear(&head);
}

static void header_lines(struct buffer *out, char *value, const char *claim,
                         const void *context)
{
    struct buffer lines = {0};
    size_t count = split_lines(&lines, value);

    read_lines(out, &lines, count, claim);
    buffer_fini(&lines);
}

static void lines_as_left(struct buffer *out, char *value, const char *claim,
                          const void *context)
{
    struct buffer lines = {0};
    size_t count = strtoul(value, &value, 10), len;
    char *bytes = server_row_bytes(value + (*value == ' '), &len);

    buffer_add(&lines, bytes, len);
    read_lines(out, &lines, count, claim);
    buffer_fini(&lines);
    free(bytes);
}

const struct server_row_function server_row_heads[] = {
    {"target", target, NULL},
    {"path", path, NULL},
    {"host", host, NULL},
    {"range", range, &thousand},
    {"range-of-longest", range, &longest},
    {"range-of-empty", range, &empty},
    {"if-none-match", if_none_match, NULL},
    {"if-range", if_range, "\"a1\""},
    {"if-range-without-tag", if_range, NULL},
    {"header-lines", header_lines, NULL},
    {"lines-as-left", lines_as_left, NULL},
    {NULL, NULL, NULL},
};
