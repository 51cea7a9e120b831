/* SPDX-License-Identifier: Apache-2.0
 * header_block.c - see header_block.h. */
#include "server/http/header_block.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define LINE_END "\r\n"

void header_block_init(struct header_block *block)
{
    block->lines = buffer_over(block->space, sizeof block->space);
    block->closes = false;
    block->request_id = NULL;
}

void header_block_add(struct header_block *block, const char *name, const char *value)
{
    const size_t len = strlen(value);

    if (memchr(value, '\n', len) || memchr(value, '\r', len))
        buffer_fail(&block->lines);
    buffer_add_text(&block->lines, name);
    buffer_add_text(&block->lines, ": ");
    buffer_add(&block->lines, value, len);
    buffer_add_text(&block->lines, LINE_END);
}

void header_block_add_lines(struct header_block *block, const char *lines)
{
    if (!lines || strchr(lines, '\r')) {
        buffer_fail(&block->lines);
        return;
    }
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1) {
        buffer_add(&block->lines, lines, (size_t)(end - lines));
        buffer_add_text(&block->lines, LINE_END);
    }
}

const char *header_block_find(const struct header_block *block, const char *name, size_t *len)
{
    const size_t name_len = strlen(name);
    const char *line = block->space, *end = line + block->lines.len, *next;

    for (; !block->lines.failed && line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line)); /* each line has its end */
        if (next - line > (ptrdiff_t)name_len && line[name_len] == ':' &&
            strncasecmp(line, name, name_len) == 0) {
            line += name_len + 2;
            *len = (size_t)(next - line) - 1;
            return line;
        }
    }
    return NULL;
}
