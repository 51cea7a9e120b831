/* SPDX-License-Identifier: Apache-2.0
 * response_header.c - see response_header.h. */
#include "server/exchange/response_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/text/buffer.h"

bool response_add(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

bool response_add_lines(struct MHD_Response *response, const char *lines)
{
    char name[64], value[1024];

    while (*lines) {
        size_t name_len = (size_t)(strchr(lines, ':') - lines);
        const char *start = lines + name_len + 2;
        size_t value_len = (size_t)(strchr(start, '\n') - start);

        if (name_len >= sizeof name || value_len >= sizeof value)
            return false;
        memcpy(name, lines, name_len);
        memcpy(value, start, value_len);
        name[name_len] = value[value_len] = '\0';
        if (!response_add(response, name, value))
            return false;
        lines = start + value_len + 1;
    }
    return true;
}

bool response_add_timing(struct MHD_Response *response, const char *cache_result, double ms)
{
    uint64_t us = (uint64_t)(ms * 1000 + 0.5);
    char buffer[96];
    struct buffer text = buffer_over(buffer, sizeof buffer);

    buffer_add_text(&text, "cache;desc=");
    buffer_add_text(&text, cache_result);
    if (ms > 0) {
        buffer_add_text(&text, ", compute;dur=");
        buffer_add_integer(&text, us / 1000);
        buffer_add(&text,
                   (const char[]){'.', (char)('0' + us / 100 % 10), (char)('0' + us / 10 % 10),
                                  (char)('0' + us % 10)},
                   4);
    }
    return !text.failed && response_add(response, "Server-Timing", text.bytes);
}

bool response_add_coding(struct MHD_Response *response, enum content_coding coding)
{
    return coding == CONTENT_CODING_IDENTITY ||
           response_add(response, "Content-Encoding", "gzip");
}

bool response_add_range(struct MHD_Response *response, const struct range *range)
{
    char text[96];

    snprintf(text, sizeof text, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, range->first,
             range->first + range->len - 1, range->size);
    return response_add(response, "Content-Range", text);
}
