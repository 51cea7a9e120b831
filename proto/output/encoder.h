/* SPDX-License-Identifier: Apache-2.0
 * encoder.h - the fields of struct encoder, for the formats. Private to proto; callers use
 * format.h. */
#pragma once

#include "core/posenc.h"
#include "proto/http/format.h"
#include "proto/request/request.h"
#include "proto/text/buffer.h"

/* The size of a block of output, which one call computes. */
enum { ENCODER_BLOCK_BYTES = 64 << 10, ENCODER_BLOCK_ELEMENTS = 16 << 10 };
#define ENCODER_BLOCK_NS                                                                       \
    10e6 /* a block takes at most about this long, unless one element takes longer */

struct encoder {
    const struct format *format;
    struct pe_plan *plan;           /* a reference of its own */
    struct request_options options; /* a copy */
    const void *context;            /* request_format_context, the request's */
    struct buffer head;             /* the bytes before the first tensor; made by begin */
    uint64_t at;                  /* bytes read: of head, or (binary_body.h) of the response */
    size_t order[PE_MAX_OUTPUTS]; /* order of the tensors in the response */
    const struct pe_stop *stop;   /* ends a long read early; NULL: none */
    uint64_t (*clock_ns)(void);   /* measures fill_ns; NULL: it is not wanted */
    uint64_t fill_ns;             /* in which numbers were computed */
    bool failed;                  /* a read ended early */
    const char *warning;  /* found by the first read, borrowed from `state`; NULL: none */
    void *state;          /* the format's state: begin allocates it, end frees it */
    unsigned char *block; /* memory for encoder_block_elements of any tensor */
    void *scratch;
    const void *input[TENSOR_MAX]; /* the request's tensors */
};

/* Returns whether the request wants no more; a format then sets `failed` and ends its read. */
bool encoder_is_stopped(const struct encoder *encoder);
/* Returns the number of elements of a tensor that fit the block. */
size_t encoder_block_elements(const struct pe_plan *plan, const struct pe_tensor_info *tensor);
/* Returns the number of elements and of bytes of a tensor; the plan's checks have limited
 * both. */
uint64_t encoder_elements(const struct pe_tensor_info *tensor);
uint64_t encoder_bytes(const struct pe_tensor_info *tensor);

/* Computes elements of the tensor from number `at` on (row-major), as many as make one
 * rectangle and at most `max` (at least 1), into out (aligned); returns their number. */
size_t encoder_fill(struct encoder *encoder, size_t tensor, uint64_t at, size_t max, void *out);
/* Computes exactly the bytes [at, at + len) of the tensor; out may have any alignment. */
void encoder_fill_bytes(struct encoder *encoder, size_t tensor, uint64_t at, char *out,
                        size_t len);
/* Writes all warnings of the plan as one header line; a longer line is cut. Returns the
 * length of its value. */
size_t encoder_write_warnings(const struct encoder *encoder, struct buffer *lines);
/* Copies the unread bytes of the head; returns their number, 0 when all of them were read. */
size_t encoder_read_head(struct encoder *encoder, char *out, size_t capacity);
