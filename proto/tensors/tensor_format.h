/* SPDX-License-Identifier: Apache-2.0
 * tensor_format.h - the fields of struct tensor_reader, for proto/tensors: a format reads the
 * header of a body and says which tensors follow; tensor_reader.c reads the elements. */
#pragma once

#include "proto/tensors/tensor_fill.h"
#include "proto/tensors/tensor_layout.h"
#include "proto/tensors/tensor_reader.h"

enum { TENSOR_ERROR_SIZE = 240 };

struct tensor_format {
    const char *const *media_types; /* NULL-terminated; clients are told the first */
    const char *summary;
    bool headerless; /* in_dtype and shape are in the query */
    bool unnamed;    /* its one tensor has no name */
    bool judged;     /* its tensors are only judged, by verify */
    /* Returns whether a file that begins with these bytes, at most TENSOR_SNIFF_BYTES of it, is
     * of this format; NULL: any bytes may be. */
    bool (*sniff)(const unsigned char *bytes, size_t len);
    size_t state_size;
    /* Reads bytes of the header, returns their number. Ends the header by
     * tensor_reader_begin_data, or fails by tensor_reader_fail. It is called first with len 0,
     * then with all bytes that arrive. */
    size_t (*head)(struct tensor_reader *reader, const char *bytes, size_t len);
    /* Reads what the header kept back until the body's end, and ends the header or fails; NULL:
     * a body that ends within its header fails. */
    void (*finish)(struct tensor_reader *reader);
    void (*end)(struct tensor_reader *reader); /* frees the state's memory; may be NULL */
};

struct tensor_reader {
    const struct tensor_format *format;
    struct tensor_source source;
    enum tensor_state state;
    void *head;            /* the format's state, zeroed; state_size bytes */
    uint64_t taken;        /* bytes of the body so far */
    const char *piece;     /* the bytes that are being added, */
    size_t piece_len;      /* and their number; 0: none are */
    bool in_data;          /* the header is complete */
    struct tensor_set set; /* in the order of their elements in the body */
    struct tensor_layout layouts[TENSOR_MAX];
    uint64_t bytes;          /* bytes of all tensors in the body */
    uint64_t elements;       /* elements of all tensors */
    size_t tensor;           /* index of the tensor that is being read */
    struct tensor_fill fill; /* of this tensor */
    uint64_t touched;        /* most bytes of memory that the bytes so far made resident */
    uint64_t reserved;       /* bytes reserved for all tensors */
    char error[TENSOR_ERROR_SIZE];
};

/* Sets the state and the error; returns the state. */
enum tensor_state tensor_reader_fail(struct tensor_reader *reader, enum tensor_state state,
                                     const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a tensor; the calls are in the order of the elements in the body. name is NULL for the
 * one tensor of an unnamed format. */
enum tensor_state tensor_reader_expect(struct tensor_reader *reader, const char *name,
                                       const struct tensor_layout *layout);
/* Ends the header `used` bytes into the chunk, and allocates memory for the elements. */
void tensor_reader_begin_data(struct tensor_reader *reader, size_t used);
/* For formats whose elements stand within the header: allocates memory for the tensor that was
 * expected last; then reads its next bytes, and returns the number of bytes that belong to it.
 * */
void tensor_reader_begin_tensor(struct tensor_reader *reader);
size_t tensor_reader_fill(struct tensor_reader *reader, const char *bytes, size_t len);
/* Charges the budget for memory of the format itself; false if the reader has failed. */
bool tensor_reader_reserve(struct tensor_reader *reader, uint64_t bytes);
/* Returns the name for the one tensor of a body without names. */
const char *tensor_reader_only_name(const struct tensor_reader *reader);

/* Each format's file defines its descriptor. */
#define TENSOR_FORMAT(NAME) extern const struct tensor_format NAME;
#include "proto/tensors/tensor_formats.def"
#undef TENSOR_FORMAT
