/* SPDX-License-Identifier: Apache-2.0
 * tensor_format.h - the inside of struct tensor_reader, for proto/tensors: one format reads
 * its head and says which tensors follow; the elements are tensor_reader.c's. */
#ifndef PROTO_TENSOR_FORMAT_H
#define PROTO_TENSOR_FORMAT_H

#include "proto/tensors/tensor_reader.h"

enum { TENSOR_ERROR_SIZE = 240 };

struct tensor_format {
    const char *const *media_types; /* NULL-terminated; the first is the one to send */
    const char *summary;
    bool told; /* in_dtype and shape are in the query */
    size_t state_size;
    /* Takes bytes of the head, returns their number. Ends the head by
     * tensor_reader_begin_data, or fails by tensor_reader_fail. Called first with len 0,
     * then with all bytes that come. */
    size_t (*head)(struct tensor_reader *reader, const char *bytes, size_t len);
    void (*end)(struct tensor_reader *reader); /* frees what the state holds; may be NULL */
};

struct tensor_reader {
    const struct tensor_format *format;
    struct tensor_source source;
    enum tensor_state state;
    void *head;            /* the format's own, zeroed; state_size bytes */
    uint64_t taken;        /* bytes of the body so far */
    bool in_data;          /* the head is over */
    struct tensor_set set; /* in the order of their elements in the body */
    size_t tensor;         /* the one that is being read */
    uint64_t at;           /* bytes of it so far */
    uint64_t stored;       /* bytes of all of them so far, and */
    uint64_t reserved;     /* how many of them are reserved */
    char error[TENSOR_ERROR_SIZE];
};

/* Returns the state that it sets. */
enum tensor_state tensor_reader_fail(struct tensor_reader *reader, enum tensor_state state,
                                     const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Announces a tensor, in the order of the elements in the body. */
enum tensor_state tensor_reader_expect(struct tensor_reader *reader, const char *name,
                                       const struct pe_tensor *info);
/* Ends the head `used` bytes into the chunk: allocates memory for the elements that follow. */
void tensor_reader_begin_data(struct tensor_reader *reader, size_t used);
/* The name of the one tensor of a body that names none: the encoding's first. */
const char *tensor_reader_only_name(const struct tensor_reader *reader);

/* The formats' descriptors, one a file. */
#define TENSOR_FORMAT(NAME) extern const struct tensor_format NAME;
#include "proto/tensors/tensor_formats.def"
#undef TENSOR_FORMAT

#endif
