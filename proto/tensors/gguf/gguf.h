/* SPDX-License-Identifier: Apache-2.0
 * gguf.h - walks through the head of a GGUF file (ggml's description of the format, versions
 * 2 and 3) as its bytes arrive, in memory of fixed size: pairs of a key and a value, then a row
 * a tensor. Lists, of the words of a tokenizer for example, are passed over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GGUF_NAME_SIZE = 128, GGUF_TEXT_SIZE = 64, GGUF_AXES = 4 };

struct gguf_tensor {
    char name[GGUF_NAME_SIZE]; /* its first characters, if it is longer */
    size_t rank;
    uint64_t dims[GGUF_AXES]; /* the first varies fastest */
    uint32_t type;            /* of ggml: gguf_type.h */
    uint64_t offset;          /* bytes behind the start of the data */
};

struct gguf_calls {
    /* A pair whose value is a number or a truth value, or else a text, cut to its first
     * characters. */
    void (*number)(void *context, const char *key, double value);
    void (*text)(void *context, const char *key, const char *value);
    void (*tensor)(void *context, const struct gguf_tensor *tensor);
};

struct gguf { /* {.at = 0} to begin */
    unsigned char item[GGUF_NAME_SIZE];
    size_t have, want; /* bytes of the item that is being read */
    uint64_t skip;     /* bytes behind it that are passed over */
    int step;
    uint32_t type;                  /* of a value */
    uint64_t pairs, tensors, words; /* that are left */
    uint64_t alignment;
    char key[GGUF_NAME_SIZE];
    struct gguf_tensor tensor;
    uint64_t at;     /* bytes of the file so far */
    uint64_t data;   /* byte at which the numbers of the tensors begin, once it is over */
    bool over;       /* the head is */
    const char *why; /* why it is malformed; NULL: it is not */
};

/* Returns whether a file begins so. */
bool gguf_is(const unsigned char *bytes, size_t len);
/* Reads bytes, and returns how many belong to the head; all of them, unless it is over or
 * malformed. */
size_t gguf_read(struct gguf *gguf, const struct gguf_calls *calls, void *context,
                 const char *bytes, size_t len);
