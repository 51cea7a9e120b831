/* SPDX-License-Identifier: Apache-2.0
 * crowd_answer.h - an answer of HTTP/1.1 as it arrives: its status, the length of its body, and
 * whether it is whole. Its bytes are not kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum answer_part {
    ANSWER_HEAD,
    ANSWER_SIZED,     /* a body of a known length */
    ANSWER_SIZE_LINE, /* the line before a chunk */
    ANSWER_CHUNK,     /* the bytes of a chunk */
    ANSWER_CHUNK_END, /* the line end behind them */
    ANSWER_TRAILER,   /* behind the last chunk */
    ANSWER_WHOLE
};

struct answer {
    enum answer_part part;
    bool has_no_body; /* it answers a HEAD */
    int status;
    bool ends_connection;
    uint64_t left; /* of the body or of the chunk */
    uint64_t body; /* bytes of the body so far, without the lines between chunks */
    size_t len;    /* bytes in text: of the head or of a line so far */
    char text[4096];
};

/* An answer of which nothing has come, to a HEAD or to another request. */
void answer_begin(struct answer *answer, bool is_head);

/* Takes bytes up to the end of the answer and returns their number; -1 if they are no answer.
 * */
ptrdiff_t answer_take(struct answer *answer, const char *bytes, size_t len);

/* How many bytes of the body may be dropped unseen: answer_skip says that they were. */
uint64_t answer_skippable(const struct answer *answer);
void answer_skip(struct answer *answer, uint64_t len);
