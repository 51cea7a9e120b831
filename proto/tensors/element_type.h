/* SPDX-License-Identifier: Apache-2.0
 * element_type.h - the types that elements of a body have, and their reading into the types
 * that core has. An element of a complex type has two parts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

/* The types that a parameter takes: reals, as vectors have; reals and integers, as lists of
 * numbers have; or any. */
enum element_accept { ELEMENT_REALS, ELEMENT_NUMBERS, ELEMENT_ANY };

enum element_keep {
    ELEMENT_SAME,
    ELEMENT_TRUTH,
    ELEMENT_SIGNED,
    ELEMENT_UNSIGNED,
    ELEMENT_E4M3,
    ELEMENT_E5M2
};

struct element_type {
    const char *name;        /* "u16" */
    const char *npy;         /* NumPy's code without the byte order, "u2"; NULL: none */
    const char *safetensors; /* "U16"; NULL: none */
    const char *inference;   /* "UINT16", the Open Inference Protocol's; NULL: none */
    enum pe_dtype dtype;     /* of a part in memory */
    size_t size;             /* bytes of a part in the body */
    size_t parts;            /* 2 for complex types, else 1 */
    enum element_keep keep;
};

/* Finds a type by its name in a format; NULL if there is none. */
const struct element_type *element_type_find(const char *name); /* "u16", or as pe_dtype_find */
const struct element_type *element_type_find_npy(const char *code);
const struct element_type *element_type_find_safetensors(const char *name);
const struct element_type *element_type_find_inference(const char *name);
/* Returns the type whose elements are the same in a body and in memory. */
const struct element_type *element_type_of(enum pe_dtype dtype);
/* Returns whether the type is one of the four that vectors have: f64, f32, f16, bf16. */
bool element_type_is_real(const struct element_type *type);
bool element_type_is_accepted(const struct element_type *type, enum element_accept accept);
/* Gets the least and the greatest number of a type of integers, or 0 and 1 of truth values. */
void element_type_range(const struct element_type *type, double *least, double *greatest);

/* Reads `count` parts into out[0], out[stride], out[2 * stride] ... Returns false at an
 * unsigned number that no type of core holds, beyond 2^63 - 1. */
bool element_type_read(const struct element_type *type, bool big_endian, void *out,
                       size_t stride, const void *in, size_t count);
/* Returns the types that a tensor of that name may have: a list or positions may have integers.
 * Any, if enc is NULL, or has no such parameter, so that the error is about the name. */
enum element_accept element_type_accept(const struct pe_encoding *enc, const char *name);
