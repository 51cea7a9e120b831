/* SPDX-License-Identifier: Apache-2.0
 * tensor_change.h - changes of the tensors of an input: numbers in another order, with noise or
 * moved, axes that are shorter, longer, exchanged, joined or one more, another dtype, and two
 * tensors exchanged. */
#pragma once

#include <math.h>
#include <string.h>

#include "tests/fuzz/tensor_set.h"
#include "tests/support/core_random.h"

/* A change of one tensor of the set, as the next bytes say. */
typedef void change(struct set *set, size_t tensor, struct bytes *bytes);

static double number_get(const struct set *set, size_t tensor, size_t i)
{
    const enum pe_dtype dtype = set->at[tensor].info.dtype;
    double number;

    pe_dtype_to_f64(dtype, &number, (const char *)set->data[tensor] + i * pe_dtype_size(dtype),
                    1);
    return number;
}

/* Sets a number; one that a dtype of whole numbers has not becomes its nearest. */
static void number_set(struct set *set, size_t tensor, size_t i, double number)
{
    const enum pe_dtype dtype = set->at[tensor].info.dtype;
    const bool is_signed = dtype == PE_I32 || dtype == PE_I64;
    const double most = dtype == PE_BOOL8 ? 1
                        : dtype == PE_U8  ? 255
                        : dtype == PE_I32 ? INT32_MAX
                                          : 0x1p53;

    if (dtype > PE_BF16)
        number = fmax(is_signed ? -most : 0, fmin(most, isnan(number) ? 0 : number));
    pe_dtype_from_f64(dtype, (char *)set->data[tensor] + i * pe_dtype_size(dtype), &number, 1);
}

/* Takes the last tensor of the set out of it and puts it in the place of another. */
static void replace_by_last(struct set *set, size_t tensor)
{
    const char *name = set->at[tensor].name;
    const bool complex = set->at[tensor].complex;

    free(set->data[tensor]);
    set->count--;
    set->at[tensor] = set->at[set->count];
    set->data[tensor] = set->data[set->count];
    set->at[tensor].name = name;
    set->at[tensor].complex = complex;
}

static void change_number(struct set *set, size_t tensor, struct bytes *bytes)
{
    const size_t count = elements_of(&set->at[tensor].info);
    const double number = (double)(int8_t)take(bytes) / 16;

    if (count > 0)
        number_set(set, tensor, (take(bytes) + 256 * (count > 256 ? take(bytes) : 0)) % count,
                   number);
}

static void change_order(struct set *set, size_t tensor, struct bytes *bytes)
{
    struct core_random random = {take(bytes)};

    for (size_t i = elements_of(&set->at[tensor].info); i > 1; i--) {
        const size_t j = core_random_bits(&random) % i;
        const double kept = number_get(set, tensor, i - 1);

        number_set(set, tensor, i - 1, number_get(set, tensor, j));
        number_set(set, tensor, j, kept);
    }
}

static void add_noise(struct set *set, size_t tensor, struct bytes *bytes)
{
    const unsigned size = take(bytes);
    struct core_random random = {size};
    const double most = 1.0 / (double)(1U << size % 30);

    for (size_t i = 0; i < elements_of(&set->at[tensor].info); i++)
        number_set(set, tensor, i,
                   number_get(set, tensor, i) + core_random_real(&random, -most, most));
}

/* Every number times a small one, and a small one more. */
static void change_line(struct set *set, size_t tensor, struct bytes *bytes)
{
    const double factor = (double)(int8_t)(take(bytes) + 2) / 2, term = (int8_t)take(bytes);

    for (size_t i = 0; i < elements_of(&set->at[tensor].info); i++)
        number_set(set, tensor, i, factor * number_get(set, tensor, i) + term);
}

/* Numbers begin with another one, and those before it follow the last. */
static void change_start(struct set *set, size_t tensor, struct bytes *bytes)
{
    const size_t count = elements_of(&set->at[tensor].info), by = take(bytes);
    const size_t size = pe_dtype_size(set->at[tensor].info.dtype);
    void *whole = set_add(set, "", &set->at[tensor].info);

    for (size_t i = 0; whole && i < count; i++)
        memcpy((char *)whole + i * size,
               (const char *)set->data[tensor] + (i + by) % count * size, size);
    if (whole)
        replace_by_last(set, tensor);
}

/* See the numbers in another shape: element `i` of an axis is that of number `i` modulo the
 * length that the axis has. */
static void reshape(struct set *set, size_t tensor, const struct pe_tensor *to)
{
    const struct pe_tensor from = set->at[tensor].info;
    const size_t size = pe_dtype_size(from.dtype), count = elements_of(to);

    if (elements_of(&from) == 0 || from.rank != to->rank)
        return;
    char *data = set_add(set, "", to);
    for (size_t i = 0; data && i < count; i++) {
        size_t rest = i, at = 0, stride = 1;

        for (size_t axis = from.rank; axis-- > 0;) {
            at += rest % to->dims[axis] % from.dims[axis] * stride;
            rest /= to->dims[axis];
            stride *= (size_t)from.dims[axis];
        }
        memcpy(data + i * size, (const char *)set->data[tensor] + at * size, size);
    }
    if (data)
        replace_by_last(set, tensor);
}

/* An axis has another length: shorter, or longer and begun again. */
static void change_length(struct set *set, size_t tensor, struct bytes *bytes)
{
    struct pe_tensor to = set->at[tensor].info;
    const unsigned axis = take(bytes), length = take(bytes);

    if (to.rank == 0)
        return;
    uint64_t *dim = &to.dims[axis % to.rank];
    *dim = length < 128 ? *dim + length % 4 + 1 : (length % 4 < *dim ? *dim - length % 4 : 0);
    if (length >= 192)
        *dim = length & 1 ? 2 * *dim : *dim / 2;
    reshape(set, tensor, &to);
}

/* Two axes are exchanged, with the numbers or without them. */
static void exchange_axes(struct set *set, size_t tensor, struct bytes *bytes)
{
    struct pe_tensor to = set->at[tensor].info;
    const unsigned one = take(bytes), other = take(bytes);

    if (to.rank < 2)
        return;
    const size_t a = one % to.rank, b = (a + 1 + other % (to.rank - 1)) % to.rank;
    const uint64_t kept = to.dims[a];
    to.dims[a] = to.dims[b];
    to.dims[b] = kept;
    if (other & 64)
        set->at[tensor].info = to;
    else
        reshape(set, tensor, &to);
}

/* One axis of 1 more, or two axes that adjoin joined. */
static void change_rank(struct set *set, size_t tensor, struct bytes *bytes)
{
    struct pe_tensor *info = &set->at[tensor].info;
    const unsigned at = take(bytes);

    if (at & 1 && info->rank < PE_MAX_RANK) {
        const size_t axis = at / 2 % (info->rank + 1);

        memmove(info->dims + axis + 1, info->dims + axis,
                (info->rank - axis) * sizeof *info->dims);
        info->dims[axis] = 1;
        info->rank++;
    } else if (!(at & 1) && info->rank > 1) {
        const size_t axis = at / 2 % (info->rank - 1);

        info->dims[axis] *= info->dims[axis + 1];
        memmove(info->dims + axis + 1, info->dims + axis + 2,
                (info->rank - axis - 2) * sizeof *info->dims);
        info->rank--;
    }
}

static void change_dtype(struct set *set, size_t tensor, struct bytes *bytes)
{
    struct pe_tensor to = set->at[tensor].info;

    to.dtype = (enum pe_dtype)(take(bytes) % PE_DTYPE_COUNT);
    if (!set_add(set, "", &to))
        return;
    for (size_t i = 0; i < elements_of(&to); i++)
        number_set(set, set->count - 1, i, number_get(set, tensor, i));
    replace_by_last(set, tensor);
}

static void exchange_tensors(struct set *set, size_t tensor, struct bytes *bytes)
{
    const size_t other = take(bytes) % set->count;
    const struct pe_verify_tensor kept = set->at[tensor];
    void *data = set->data[tensor];

    set->at[tensor] = set->at[other];
    set->data[tensor] = set->data[other];
    set->at[tensor].name = kept.name;
    const char *name = set->at[other].name;
    set->at[other] = kept;
    set->data[other] = data;
    set->at[other].name = name;
}

static change *const changes[] = {change_order,  add_noise,        change_length, change_dtype,
                                  exchange_axes, exchange_tensors, change_line,   change_start,
                                  change_rank,   change_number};

/* Changes the tensors, up to three times; returns whether any change was made. */
static bool set_change(struct set *set, struct bytes *bytes)
{
    const unsigned count = take(bytes) % 4;

    for (unsigned i = 0; i < count && set->count > 0; i++) {
        const unsigned kind = take(bytes) % (sizeof changes / sizeof *changes);

        changes[kind](set, take(bytes) % set->count, bytes);
    }
    return count > 0 && set->count > 0;
}
