/* SPDX-License-Identifier: Apache-2.0
 * heads.c - functions of server/http as rows: "target" reads the target of a request line,
 * "host" a value of Host, and "range" the value of Range for a response of 1000 bytes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "server/http/head.h"
#include "server/http/range.h"
#include "tests/server/support/server_row.h"

static void target(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct head head = {0};

    head_target_read(&head, value);
    if (head.refused && head.target) /* the log needs the target of a refused request */
        buffer_add_format(out, "%u %s", head.refused, head.refused_why);
    else if (head.raw != value || head.raw_end != value + strlen(value) + 1)
        buffer_add_text(out, "the bytes of libmicrohttpd are not noted");
    else if (strcmp(claim, "is") == 0)
        buffer_add(out, head.target, head.target_len);
    else if (strcmp(claim, "path") == 0)
        buffer_add(out, head.target, head.path_len);
    else if (strcmp(claim, "authority") == 0 && head.authority_len > 0)
        buffer_add(out, head.authority, head.authority_len);
    else if (strcmp(claim, "authority") == 0)
        buffer_add_text(out, head.authority ? "empty" : "none");
    head_clear(&head);
}

static void host(struct buffer *out, char *value, const char *claim, const void *context)
{
    if (strcmp(claim, "is") == 0)
        buffer_add_text(out, head_host_valid(value, strlen(value)) ? "valid" : "invalid");
    else if (strcmp(claim, "name") == 0)
        buffer_add(out, value, head_host_name_len(value, strlen(value)));
}

static void range(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct range range;
    enum range_kind kind = range_find(value, 1000, &range);

    if (strcmp(claim, "bytes") != 0 || range.size != 1000)
        return;
    if (kind == RANGE_PART)
        buffer_add_format(out, "%" PRIu64 "+%" PRIu64, range.first, range.len);
    else if (range.first == 0 && range.len == 1000)
        buffer_add_text(out, kind == RANGE_WHOLE ? "all" : "outside");
}

const struct server_row_function server_row_heads[] = {
    {"target", target, NULL}, {"host", host, NULL}, {"range", range, NULL}, {NULL, NULL, NULL}};
