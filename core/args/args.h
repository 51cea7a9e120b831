/* SPDX-License-Identifier: Apache-2.0
 * args.h - the inside of struct pe_args, for the files that share it: args.c (life), args_set.c
 * (gives one value), args_check.c (checks all of them), args_at.c (moves them to other
 * positions), args_canonical.c (prints them). */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>

#include "core/args/args_parse.h"
#include "core/encoding.h"

/* The text by which canonical form names a tensor that was given as text. */
struct args_spelling {
    struct args_spelling *next;
    size_t param;
    char text[];
};

struct pe_args {
    atomic_uint owners;
    const struct pe_encoding *enc;
    uint64_t given;   /* bit i: the client gave parameter i */
    uint64_t filled;  /* bit i: parameter i has a value, given or from a preset */
    uint64_t refused; /* bit i: parameter i was given, but its value, or itself, was refused */
    uint32_t wanted;  /* bit i: output i is wanted */
    uint64_t used;    /* bit i: a wanted output uses parameter i; set by pe_args_check */
    bool out_given, dtype_given, checked;
    bool keeps_given;    /* pe_args_check keeps scalars as they were given (args_print_given) */
    bool unnamed;        /* pe_args_check makes no `values`: nobody will ask for them */
    enum pe_dtype dtype; /* valid when dtype_given */
    struct args_spelling *spellings;

    /* Sets by pe_args_check: */
    struct pe_value *values;
    size_t value_count;
    char *table_key;
    uint64_t owning;           /* with given_data: bit i: parameter i owns memory, or did */
    unsigned char *given_data; /* data before the encoding's hook resolved it; NULL: not kept */
    struct pe_args *like;      /* whose texts and table key these arguments use (pe_args_at), or
                                * NULL */

    alignas(max_align_t) unsigned char data[]; /* the encoding's struct of typed values */
};

static inline bool args_bit(uint64_t set, size_t i)
{
    return set >> i & 1;
}

/* Returns whether a field holds no value of its parameter. */
bool args_is_absent(const struct pe_param *p, const void *field);

/* Finds the index of the parameter with this name, or SIZE_MAX. */
size_t args_find(const struct pe_encoding *enc, const char *name, size_t len);

/* Finds the index of the output with this name, or SIZE_MAX. */
size_t args_find_output(const struct pe_encoding *enc, const char *name);

/* Finds the PE_TENSOR parameter of the output's name, which the output is computed from, or
 * NULL. */
const struct pe_param *args_tensor(const struct pe_args *args, size_t output);

/* Returns the field of parameter p, for reading and writing. */
static inline void *args_field(struct pe_args *args, const struct pe_param *p)
{
    return args->data + p->offset;
}

/* Gives parameters (bit i: parameter i) their defaults, as if the client had left them out;
 * false when out of memory. */
bool args_leave_out(struct pe_args *args, uint64_t params);

/* Returns which parameters (bit i: parameter i) these outputs (bit i: output i) depend on. */
uint64_t args_uses(const struct pe_encoding *enc, uint32_t outputs);

/* Gives parameter i, which was not given, the value that it has in arguments of the same
 * encoding; false when out of memory: then the caller refuses the parameter. */
bool args_take(struct pe_args *args, const struct pe_args *from, size_t i);

/* Returns the bytes of memory that arguments and their values hold. */
size_t args_bytes(const struct pe_args *args);

/* Writes the names of the wanted outputs, joined by commas and cut to size, for error
 * sentences. */
void args_print_wanted(const struct pe_args *args, char *text, size_t size);

/* Prints the value of parameter i as snprintf would, whether canonical form has it or not. */
size_t args_print_param(const struct pe_args *args, size_t i, char *text, size_t size);
/* Returns the field of parameter i as it was before the encoding's hook resolved it, where
 * arguments that keep what was given have a scalar there; its field otherwise. */
const void *args_given_field(const struct pe_args *args, size_t i);
/* Prints the value of parameter i as it was given, as snprintf would. */
size_t args_print_given(const struct pe_args *args, size_t i, char *text, size_t size);
/* Runs the hooks of the encoding and checks the dtype, for arguments that obey the rules that
 * hold in every encoding. */
void args_check_encoding(struct pe_args *args, struct pe_errors *errors);
/* Note which parameters own memory, in arguments with given_data, for pe_args_at. */
void args_note_owning(struct pe_args *args);
/* Returns whether canonical form has parameter i, whether or not `values` were made. */
bool args_says(const struct pe_args *args, size_t i);
/* Builds args->values; false when out of memory. */
bool args_canonical_build(struct pe_args *args);
void args_canonical_free(struct pe_args *args);
