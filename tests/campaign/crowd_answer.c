/* SPDX-License-Identifier: Apache-2.0
 * crowd_answer.c - see crowd_answer.h. */
#include "tests/campaign/crowd_answer.h"

#include <stdlib.h>
#include <string.h>

void answer_begin(struct answer *answer, bool is_head)
{
    answer->part = ANSWER_HEAD;
    answer->has_no_body = is_head;
    answer->status = 0;
    answer->ends_connection = false;
    answer->left = answer->body = 0;
    answer->len = 0;
}

/* The value of a field of the head in text, or NULL. */
static const char *field(const struct answer *answer, const char *name)
{
    const char *at = strcasestr(answer->text, name);

    return at ? at + strlen(name) : NULL;
}

/* Reads the head, which is complete; false if it is none or says no length. */
static bool read_head(struct answer *answer)
{
    const char *length = field(answer, "\r\nContent-Length:");
    const bool chunked = field(answer, "\r\nTransfer-Encoding: chunked") != NULL;

    if (strncmp(answer->text, "HTTP/1.1 ", 9) != 0)
        return false;
    answer->status = (int)strtol(answer->text + 9, NULL, 10);
    answer->ends_connection = field(answer, "\r\nConnection: close") != NULL;
    answer->len = 0;
    if (answer->has_no_body || answer->status == 204 || answer->status == 304) {
        answer->part = ANSWER_WHOLE;
        return true;
    }
    answer->left = length ? strtoull(length, NULL, 10) : 0;
    answer->part = chunked ? ANSWER_SIZE_LINE : answer->left ? ANSWER_SIZED : ANSWER_WHOLE;
    return chunked || length;
}

/* Acts on a complete line between chunks; false if it is none. */
static bool read_line(struct answer *answer)
{
    char *end = answer->text;

    if (answer->part == ANSWER_SIZE_LINE) {
        answer->left = strtoull(answer->text, &end, 16);
        answer->part = answer->left ? ANSWER_CHUNK : ANSWER_TRAILER;
        if (end == answer->text)
            return false;
    } else if (answer->part == ANSWER_CHUNK_END) {
        answer->part = ANSWER_SIZE_LINE;
        if (answer->len != 2)
            return false;
    } else if (answer->len == 2) {
        answer->part = ANSWER_WHOLE;
    }
    answer->len = 0;
    return true;
}

/* Adds bytes to the line or the head; it is complete when text ends with the mark. */
static ptrdiff_t gather(struct answer *answer, const char *bytes, size_t len, const char *mark)
{
    const size_t mark_len = strlen(mark);
    size_t taken = 0;

    while (taken < len) {
        if (answer->len == sizeof answer->text - 1)
            return -1;
        answer->text[answer->len++] = bytes[taken++];
        answer->text[answer->len] = '\0';
        if (answer->len >= mark_len &&
            memcmp(answer->text + answer->len - mark_len, mark, mark_len) == 0) {
            if (!(answer->part == ANSWER_HEAD ? read_head(answer) : read_line(answer)))
                return -1;
            break;
        }
    }
    return (ptrdiff_t)taken;
}

uint64_t answer_skippable(const struct answer *answer)
{
    return answer->part == ANSWER_SIZED || answer->part == ANSWER_CHUNK ? answer->left : 0;
}

void answer_skip(struct answer *answer, uint64_t len)
{
    answer->left -= len;
    answer->body += len;
    if (answer->left == 0)
        answer->part = answer->part == ANSWER_CHUNK ? ANSWER_CHUNK_END : ANSWER_WHOLE;
}

ptrdiff_t answer_take(struct answer *answer, const char *bytes, size_t len)
{
    size_t taken = 0;

    while (taken < len && answer->part != ANSWER_WHOLE) {
        const uint64_t skippable = answer_skippable(answer);

        if (skippable) {
            const size_t some = skippable < len - taken ? (size_t)skippable : len - taken;
            answer_skip(answer, some);
            taken += some;
            continue;
        }
        const ptrdiff_t got = gather(answer, bytes + taken, len - taken,
                                     answer->part == ANSWER_HEAD ? "\r\n\r\n" : "\r\n");
        if (got < 0)
            return -1;
        taken += (size_t)got;
    }
    return (ptrdiff_t)taken;
}
