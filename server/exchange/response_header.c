/* SPDX-License-Identifier: Apache-2.0
 * response_header.c - see response_header.h. */
#include "server/exchange/response_header.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "proto/text/buffer.h"

bool response_add(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

void response_write_timing(struct header_block *block, const char *cache_result, double ms)
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
    assert(!text.failed); /* the words for the result are short */
    header_block_add(block, "Server-Timing", buffer);
}

bool response_add_coding(struct MHD_Response *response, enum content_coding coding)
{
    return coding == CONTENT_CODING_IDENTITY ||
           response_add(response, "Content-Encoding", "gzip");
}

void response_write_range(struct header_block *block, const struct range *range)
{
    char text[96];

    snprintf(text, sizeof text, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, range->first,
             range->first + range->len - 1, range->size);
    header_block_add(block, "Content-Range", text);
}
