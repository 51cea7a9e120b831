/* SPDX-License-Identifier: Apache-2.0
 * tensor_reader.h - bodies that are tensors, read as they arrive: the header gives the number
 * of elements, then every byte is copied to its place at once. (json_body.h reads JSON.) Its
 * calls are, in order: new, add (many), finish, all on one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/tensors/tensor.h"

/* A format of bodies: a file of proto/tensors and a line of tensor_formats.def. */
struct tensor_format;
size_t tensor_format_count(void);
const struct tensor_format *tensor_format_at(size_t i);
/* Finds the format of that Content-Type, which may have parameters; NULL if there is none. */
const struct tensor_format *tensor_format_find(const char *content_type);
/* Returns the media type of a file by its first bytes, of which TENSOR_SNIFF_BYTES are enough:
 * that of a format, "application/json"; "application/gzip" and "application/x-pickle", which
 * are not read; NULL: none of them. */
enum { TENSOR_SNIFF_BYTES = 64 };
const char *tensor_format_sniff(const char *bytes, size_t len);
/* Returns the format's first media type and its description. */
const char *tensor_format_media_type(const struct tensor_format *format);
const char *tensor_format_summary(const struct tensor_format *format);
/* Returns whether the query must have in_dtype and shape, because the body has not. */
bool tensor_format_is_headerless(const struct tensor_format *format);
/* Returns whether bodies of the format have no names, and so one tensor. */
bool tensor_format_is_unnamed(const struct tensor_format *format);
/* Returns whether the encoding has a parameter for the tensors of such a body. */
bool tensor_format_suits(const struct tensor_format *format, const struct pe_encoding *enc);

#define TENSOR_LENGTH_UNKNOWN UINT64_MAX

struct tensor_source {
    /* The encoding whose tensors are read: their names are known and their elements are f64,
     * f32, f16 or bf16. NULL: tensors of any names and types are read. */
    const struct pe_encoding *enc;
    const char *only_name; /* without enc: of the tensor of a body without names; NULL: "" */
    uint64_t max_elements; /* most elements of all tensors; 0: any number */
    struct pe_tensor headerless; /* dtype and shape from the query; rank 0: none */
    uint64_t length;             /* bytes of the body, or TENSOR_LENGTH_UNKNOWN */
    uint64_t max_bytes;          /* most bytes of the body */
    /* The bytes that are added outlive the tensors. Those whose elements are the same in
     * memory, and come at once, are borrowed; members of archives are copied. */
    bool lasting;
    /* Charges a budget for memory, block by block, before it is written to; false: the budget
     * is exhausted. Memory for announced tensors is only address space until their bytes
     * arrive. */
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

/* Makes a reader with a copy of the source. NULL when out of memory. */
struct tensor_reader *tensor_reader_new(const struct tensor_format *format,
                                        const struct tensor_source *source);
void tensor_reader_free(struct tensor_reader *reader);
/* Adds the next bytes. In a state other than TENSOR_OK the reader ignores bytes and has no
 * memory. */
enum tensor_state tensor_reader_add(struct tensor_reader *reader, const char *bytes,
                                    size_t len);
/* Ends the body and hands its tensors to the caller, which owns them from now on. *set is empty
 * unless the result is TENSOR_OK. */
enum tensor_state tensor_reader_finish(struct tensor_reader *reader, struct tensor_set *set);
/* Returns the error, which says what would be right; "" if there is none; borrowed. */
const char *tensor_reader_error(const struct tensor_reader *reader);
