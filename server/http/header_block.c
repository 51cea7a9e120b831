/* SPDX-License-Identifier: Apache-2.0
 * header_block.c - see header_block.h. libmicrohttpd refuses a value with a line's end, so the
 * value is given as blanks, and the lines are written over its copy of them, as it is done with
 * request ids. The self-test at start proves that they are sent as they are. */
#include "server/http/header_block.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define LINE_END "\r\n"

void header_block_init(struct header_block *block)
{
    block->lines = buffer_over(block->space, sizeof block->space);
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
    if (strchr(lines, '\r'))
        buffer_fail(&block->lines);
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1) {
        buffer_add(&block->lines, lines, (size_t)(end - lines));
        buffer_add_text(&block->lines, LINE_END);
    }
}

static enum MHD_Result add_block(void *context, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    struct buffer *lines = context;

    (void)kind;
    if (!strchr(value, '\n'))
        return MHD_YES; /* a field of its own */
    buffer_add_text(lines, name);
    buffer_add_text(lines, ": ");
    buffer_add_text(lines, value);
    buffer_add_text(lines, LINE_END);
    return MHD_YES;
}

void header_block_add_given(struct header_block *block, struct MHD_Response *response)
{
    MHD_get_response_headers(response, add_block, &block->lines);
}

bool header_block_give(struct header_block *block, struct MHD_Response *response)
{
    char *text = block->space, *colon, blanks[HEADER_BLOCK_SIZE];
    size_t len;

    if (block->lines.failed || block->lines.len == 0)
        return !block->lines.failed;
    colon = memchr(text, ':', block->lines.len);
    assert(colon); /* header_block_add writes one */
    *colon = '\0';
    len = block->lines.len - (size_t)(colon + 2 - text) - (sizeof LINE_END - 1);
    assert(!MHD_get_response_header(response, text)); /* each field is given once */
    memset(blanks, 'x', len);
    blanks[len] = '\0';
    if (MHD_add_response_header(response, text, blanks) != MHD_YES)
        return false;
    memcpy((void *)(uintptr_t)MHD_get_response_header(response, text), colon + 2, len);
    return true;
}

struct search {
    const char *name, *value; /* value: NULL until it is found */
    size_t name_len, value_len;
};

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *name,
                            const char *value)
{
    struct search *search = context;
    const char *end;

    (void)kind;
    if (strcasecmp(name, search->name) == 0)
        search->value = value;
    while (!search->value && (value = strstr(value, LINE_END))) {
        value += sizeof LINE_END - 1;
        if (strncasecmp(value, search->name, search->name_len) == 0 &&
            value[search->name_len] == ':')
            search->value = value + search->name_len + 2;
    }
    if (!search->value)
        return MHD_YES;
    end = strstr(search->value, LINE_END);
    search->value_len = end ? (size_t)(end - search->value) : strlen(search->value);
    return MHD_NO;
}

const char *header_block_find(struct MHD_Response *response, const char *name, size_t *len)
{
    struct search search = {.name = name, .name_len = strlen(name)};

    MHD_get_response_headers(response, look, &search);
    *len = search.value_len;
    return search.value;
}
