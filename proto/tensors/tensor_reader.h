/* SPDX-License-Identifier: Apache-2.0
 * tensor_reader.h - bodies that are tensors, read as they arrive: the head says how many
 * elements there are, then every byte goes to its place at once. JSON bodies are json_body.h's.
 *
 * Life: new -> add* -> finish. One thread. */
#ifndef PROTO_TENSOR_READER_H
#define PROTO_TENSOR_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/tensors/tensor.h"

/* A format of bodies; a file of proto/tensors and a line of tensor_formats.def each. */
struct tensor_format;
size_t tensor_format_count(void);
const struct tensor_format *tensor_format_at(size_t i);
/* The format with that Content-Type, perhaps with parameters behind it; NULL if none has. */
const struct tensor_format *tensor_format_find(const char *content_type);
/* The format's first media type, and its description. */
const char *tensor_format_media_type(const struct tensor_format *format);
const char *tensor_format_summary(const struct tensor_format *format);
/* The query must say in_dtype and shape, because the body does not. */
bool tensor_format_is_told(const struct tensor_format *format);

#define TENSOR_LENGTH_UNKNOWN UINT64_MAX

struct tensor_source {
    const struct pe_encoding *enc; /* whose parameters the tensors are */
    struct pe_tensor told;         /* dtype and shape from the query; rank 0: none */
    uint64_t length;               /* of the body, or TENSOR_LENGTH_UNKNOWN */
    uint64_t max_bytes;            /* of the body */
    /* Takes memory from a budget, block by block, before it is written to; false: the budget
     * is exhausted. Memory that the head announces is address space alone until its bytes
     * come. */
    bool (*reserve)(void *context, uint64_t bytes);
    void *context;
};

enum tensor_state {
    TENSOR_OK,
    TENSOR_MALFORMED,
    TENSOR_TOO_LARGE,   /* more than max_bytes */
    TENSOR_OVER_BUDGET, /* the budget is exhausted: reserve returned false */
    TENSOR_NO_MEMORY,
};

struct tensor_reader;

/* The source is copied. NULL when out of memory. */
struct tensor_reader *tensor_reader_new(const struct tensor_format *format,
                                        const struct tensor_source *source);
void tensor_reader_free(struct tensor_reader *reader);
/* The next bytes. After anything but TENSOR_OK more bytes are ignored and no memory is
 * held. */
enum tensor_state tensor_reader_add(struct tensor_reader *reader, const char *bytes,
                                    size_t len);
/* Ends the body and hands its tensors to the caller, which owns them from now on. *set is
 * empty unless TENSOR_OK. */
enum tensor_state tensor_reader_finish(struct tensor_reader *reader, struct tensor_set *set);
const struct tensor_format *tensor_reader_format(const struct tensor_reader *reader);
/* The error, with what would be right; "" without one; borrowed. */
const char *tensor_reader_error(const struct tensor_reader *reader);

#endif
