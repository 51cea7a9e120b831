/* SPDX-License-Identifier: Apache-2.0
 * tensor.h - tensors that a client sent: what core wants to know of them, and their
 * elements in memory of their own dtype. */
#ifndef PROTO_TENSOR_H
#define PROTO_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

enum { TENSOR_MAX = 16, TENSOR_ALIGNMENT = 64, TENSOR_NAME_SIZE = 32 };

struct tensor {
    char name[TENSOR_NAME_SIZE];
    struct pe_tensor info;
    uint64_t bytes; /* of its elements */
    void *data;     /* aligned to TENSOR_ALIGNMENT; NULL before tensor_set_allocate */
};

/* {0} is the empty set. */
struct tensor_set {
    size_t count;
    struct tensor at[TENSOR_MAX];
};

/* The bytes of the tensor's elements; false when they cannot be counted in 64 bits. */
bool tensor_bytes(const struct pe_tensor *info, uint64_t *bytes);
/* The four types that vectors have: f64, f32, f16, bf16. */
bool tensor_holds_reals(enum pe_dtype dtype);

/* The parameter of that name that takes a tensor, NULL if there is none; any of them if name
 * is NULL. */
const struct pe_param *tensor_param(const struct pe_encoding *enc, const char *name);
/* "x, q, k": the encoding's parameters that take tensors. Returns text. */
const char *tensor_print_names(const struct pe_encoding *enc, char *text, size_t size);

/* Adds a tensor without memory; the caller has checked name, dtype and count. NULL when its
 * bytes cannot be counted. */
struct tensor *tensor_set_add(struct tensor_set *set, const char *name,
                              const struct pe_tensor *info);
uint64_t tensor_set_bytes(const struct tensor_set *set);
/* Allocates memory for every tensor that has none; false when there is not enough. */
bool tensor_set_allocate(struct tensor_set *set);
/* Frees the tensors; the set is empty then. */
void tensor_set_fini(struct tensor_set *set);

#endif
