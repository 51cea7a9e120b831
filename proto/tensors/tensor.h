/* SPDX-License-Identifier: Apache-2.0
 * tensor.h - tensors that a client sent: their description for core, and their elements in
 * their own dtype. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

enum { TENSOR_MAX = 16, TENSOR_ALIGNMENT = 64, TENSOR_NAME_SIZE = 256 };

struct tensor {
    char name[TENSOR_NAME_SIZE];
    struct pe_tensor info;
    const char *type; /* the elements' type in a body, "u16" or "c64"; NULL: that of info */
    bool complex;     /* the last axis is the real and the imaginary part */
    bool text;        /* its numbers came as text, which says no dtype */
    uint64_t bytes;   /* bytes of its elements */
    void *data;       /* aligned to TENSOR_ALIGNMENT; NULL before tensor_set_allocate */
    bool borrowed;    /* the data are bytes of a file in memory, aligned to the dtype */
};

/* {0} is the empty set. */
struct tensor_set {
    size_t count;
    struct tensor at[TENSOR_MAX];
    char *config; /* the text of a model's config.json that came with them; NULL: none */
    char *claim;  /* the text of a claim that came with them; NULL: none */
};

/* Computes the bytes of the tensor's elements; false if they do not fit 64 bits. */
bool tensor_bytes(const struct pe_tensor *info, uint64_t *bytes);
/* Returns whether the dtype is one of the four that vectors have: f64, f32, f16, bf16. */
bool tensor_holds_reals(enum pe_dtype dtype);

/* Returns whether the name has 1 to TENSOR_NAME_SIZE - 1 printable characters of ASCII. */
bool tensor_is_name(const char *name);

/* A parameter takes a tensor of a binary body if it is a PE_TENSOR, or a PE_REALS or
 * PE_POSITIONS, whose list or rows are then the numbers of the tensor. */
/* Finds the parameter of that name, or of another spelling of it, that takes a tensor; NULL if
 * there is none. */
const struct pe_param *tensor_param(const struct pe_encoding *enc, const char *name);
/* Finds the parameter that takes the one tensor of a body without names: the first PE_TENSOR,
 * else the first PE_REALS that an output requires which is answered by default; else NULL. */
const struct pe_param *tensor_param_unnamed(const struct pe_encoding *enc);
/* Returns whether a parameter of the encoding takes a tensor. */
bool tensor_is_taken(const struct pe_encoding *enc);
enum { TENSOR_NAMES_SIZE = 160 };
/* Writes "x, q, k, ids, pos", the encoding's parameters that take tensors: lists follow them,
 * positions are last. Returns text. */
const char *tensor_print_names(const struct pe_encoding *enc, char *text, size_t size);

/* Adds a tensor without memory; the caller has checked name, dtype and count. Returns NULL if
 * its bytes cannot be counted. */
struct tensor *tensor_set_add(struct tensor_set *set, const char *name,
                              const struct pe_tensor *info);
uint64_t tensor_set_bytes(const struct tensor_set *set);
/* Counts the bytes of the tensors that lists, matrices or positions of the encoding take, as
 * float64. */
uint64_t tensor_set_list_bytes(const struct tensor_set *set, const struct pe_encoding *enc);
/* Counts the bytes that those tensors take besides their own as they become float64: the list
 * of the request, and a copy of what is not float64 already. */
uint64_t tensor_set_list_growth(const struct tensor_set *set, const struct pe_encoding *enc);
/* Allocates memory for a tensor, or for each one that has none; false when out of memory. */
bool tensor_allocate(struct tensor *tensor);
bool tensor_set_allocate(struct tensor_set *set);
/* Frees the elements of a tensor, unless they are borrowed. */
void tensor_drop(struct tensor *tensor);
/* Frees the tensors; the set is empty afterwards. */
void tensor_set_fini(struct tensor_set *set);
/* Frees the tensors and the set, which malloc made; NULL is allowed. */
void tensor_set_free(struct tensor_set *set);
