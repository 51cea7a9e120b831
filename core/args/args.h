/* SPDX-License-Identifier: Apache-2.0
 * args.h - the inside of struct pe_args, for the files that fill, check and print it: args.c
 * (life), args_set.c (one value at a time), args_check.c (all of them), args_canonical.c. */
#ifndef PE_ARGS_H
#define PE_ARGS_H

#include <stdalign.h>
#include <stdatomic.h>

#include "core/args/args_parse.h"
#include "core/encoding.h"

/* How canonical form spells a tensor that was given as text. */
struct args_spelling {
    struct args_spelling *next;
    size_t param;
    char text[];
};

struct pe_args {
    atomic_uint owners;
    const struct pe_encoding *enc;
    uint64_t given;  /* bit i: the client gave parameter i */
    uint64_t filled; /* bit i: it has a value: given, or from a preset */
    uint32_t wanted; /* bit i: output i is wanted */
    uint64_t used;   /* bit i: a wanted output uses parameter i; known when all are checked */
    bool out_given, dtype_given, checked;
    enum pe_dtype dtype; /* when given */
    struct args_spelling *spellings;

    /* After args_check: */
    struct pe_value *values;
    size_t value_count;
    char *table_key;

    alignas(max_align_t) unsigned char data[]; /* the encoding's struct */
};

static inline bool args_bit(uint64_t set, size_t i)
{
    return set >> i & 1;
}

/* Index of the parameter with this name, or SIZE_MAX. */
size_t args_find(const struct pe_encoding *enc, const char *name, size_t len);

/* The vectors that have the output's name: what the output is made of. NULL: none. */
const struct pe_param *args_tensor(const struct pe_args *args, size_t output);

/* The field of parameter p, for reading and writing. */
static inline void *args_field(struct pe_args *args, const struct pe_param *p)
{
    return args->data + p->offset;
}

/* Names of the wanted outputs joined by commas, for sentences; cut to size. */
void args_print_wanted(const struct pe_args *args, char *text, size_t size);

/* Builds args->values; false when out of memory. */
bool args_canonical_build(struct pe_args *args);
void args_canonical_free(struct pe_args *args);

#endif
