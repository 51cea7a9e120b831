/* SPDX-License-Identifier: Apache-2.0
 * right_numbers.h - a request that the bytes of an input choose, for any encoding by its own
 * examples and its own rows, and the numbers that the library has for it, as tensors. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/tensor_set.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_random.h"

enum { MOST_QUERY = CORE_DRAW_MAX + 128 };

static const char *example_of(const struct pe_encoding *enc, unsigned number)
{
    const char *const *examples = pe_examples(enc);
    size_t count = 0;

    while (examples[count])
        count++;
    return count > 0 ? examples[number % count] : "";
}

/* Copies a query without its choice of outputs and dtype. */
static size_t copy_without_outputs(char *query, const char *from)
{
    size_t len = 0;

    for (const char *pair = from; *pair; pair += *pair == '&') {
        const size_t all = strcspn(pair, "&");

        if (strncmp(pair, "out=", 4) != 0 && strncmp(pair, "dtype=", 6) != 0)
            len += (size_t)snprintf(query + len, MOST_QUERY - len, "%s%.*s", len > 0 ? "&" : "",
                                    (int)all, pair);
        pair += all;
    }
    return len;
}

/* Writes a query: an example, or one that is drawn from the rows of the encoding, of outputs
 * and a dtype that the input chooses, or as they stand there. */
static void query_choose(char query[MOST_QUERY], const struct pe_encoding *enc,
                         struct bytes *bytes)
{
    size_t count, len;
    const struct pe_output *outputs = pe_outputs(enc, &count);
    const unsigned number = take(bytes), one = take(bytes), other = take(bytes);
    const unsigned dtype = take(bytes);
    char whole[CORE_DRAW_MAX];

    if (number & 1) {
        struct core_random random = {number + 256 * take(bytes)};

        core_draw_query(enc, &random, whole);
    } else {
        snprintf(whole, sizeof whole, "%s", example_of(enc, number / 2));
    }
    if (one == 0) {
        snprintf(query, MOST_QUERY, "%s", whole);
        return;
    }
    len = copy_without_outputs(query, whole);
    len += (size_t)snprintf(query + len, MOST_QUERY - len, "%sout=%s", len > 0 ? "&" : "",
                            outputs[(one - 1) % count].name);
    if (other > 0 && (other - 1) % count != (one - 1) % count)
        len += (size_t)snprintf(query + len, MOST_QUERY - len, ",%s",
                                outputs[(other - 1) % count].name);
    if (dtype > 0)
        snprintf(query + len, MOST_QUERY - len, "&dtype=%s",
                 pe_dtype_name((enum pe_dtype)((dtype - 1) % PE_DTYPE_COUNT)));
}

/* Changes characters of a query, names excepted. */
static void query_spoil(char *query, struct bytes *bytes)
{
    static const char letters[] = "0123456789.,:;-ex";
    const size_t len = strlen(query);

    for (unsigned changes = take(bytes) % 4; len > 0 && changes > 0; changes--) {
        const size_t at = (take(bytes) + 256 * (len > 256 ? take(bytes) : 0)) % len;
        const char other = letters[take(bytes) % (sizeof letters - 1)];

        if (strchr(".,:;-0123456789", query[at]))
            query[at] = other;
    }
}

/* Adds a table of numbers whose shape alone a query says: "f32:9x6". */
static void set_add_table(struct set *set, const struct pe_param *param, const char *shape)
{
    struct pe_tensor info = {.dtype = PE_F32, .rank = 2};
    struct core_random random = {1};
    char *end;

    info.dims[0] = strtoul(shape, &end, 10);
    info.dims[1] = *end == 'x' ? strtoul(end + 1, NULL, 10) : 0;
    float *data = set_add(set, param->name, &info);
    for (size_t i = 0; data && i < elements_of(&info); i++)
        data[i] = (float)core_random_real(&random, -1, 1);
}

/* Adds a tensor that a query spells as numbers: "1,2;3,4". */
static void set_add_spelt(struct set *set, const struct pe_param *param, const char *text,
                          size_t len)
{
    struct pe_tensor info = {.dtype = PE_F64, .rank = 2};
    double values[MOST_ELEMENTS];
    size_t count = 0, rows = 1;

    for (const char *at = text; at < text + len && count < MOST_ELEMENTS;) {
        char *end;

        values[count++] = strtod(at, &end);
        rows += end < text + len && *end == ';';
        at = end + 1;
    }
    if (count % rows != 0)
        return;
    info.dims[0] = rows;
    info.dims[1] = count / rows;
    double *data = set_add(set, param->name, &info);
    if (data)
        memcpy(data, values, count * sizeof *data);
}

/* Sets what the query says; tensors that it spells are added to the set. The tensors that are
 * judged say which outputs a claim is about. */
static void read_query(struct pe_args *args, const char *query, struct set *set, bool is_claim,
                       struct pe_errors *errors)
{
    for (const char *at = query; *at; at += *at == '&') {
        const size_t all = strcspn(at, "&"), len = strcspn(at, "=&");
        const struct pe_param *param = pe_param_find(pe_args_encoding(args), at, len);
        const char *value = len < all ? at + len + 1 : at + all;
        const size_t value_len = (size_t)(at + all - value);
        const bool chosen = (len == 3 && memcmp(at, "out", 3) == 0) ||
                            (len == 5 && memcmp(at, "dtype", 5) == 0);

        if (param && param->type == PE_TENSOR && strncmp(value, "f32:", 4) == 0)
            set_add_table(set, param, value + 4);
        else if (param && param->type == PE_TENSOR)
            set_add_spelt(set, param, value, value_len);
        else if (!is_claim || !chosen)
            pe_args_set_text(args, at, len, value, value_len, errors);
        at += all;
    }
}

/* Returns the name of an output as a tensor beside those that it is made of: what becomes of
 * vectors has a name of its own; what has the name of another input is told by its rank. */
static const char *judged_name(const struct set *set, size_t inputs, const char *name)
{
    static const char *const names[][2] = {{"x", "y"}, {"q", "q_rot"}, {"k", "k_rot"}};

    for (size_t i = 0; inputs > 0 && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    for (size_t i = 0; i < inputs; i++)
        if (strcmp(name, set->at[i].name) == 0)
            return "";
    return name;
}

/* Adds the numbers of checked arguments, in the dtype of the plan. Returns whether all were. */
static bool add_numbers(struct set *set, struct pe_args *args, const void *const input[],
                        const struct pe_limits *limits)
{
    struct pe_errors errors = {.count = 0};
    const size_t inputs = set->count;
    struct pe_plan *plan;
    bool all = true;

    if (pe_plan_new(&plan, args, NULL, limits, &errors) != PE_OK)
        return false;
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *info = pe_plan_tensor(plan, i);
        const struct pe_rect whole = {.rows = info->rows, .cols = info->cols};
        struct pe_tensor tensor = {.dtype = info->dtype, .rank = info->rank};
        void *slots[PE_MAX_OUTPUTS] = {NULL};

        memcpy(tensor.dims, info->dims, sizeof tensor.dims);
        const char *name = info->output->name;
        void *data = set_add(set, judged_name(set, inputs, name), &tensor);
        all = all && data;
        if (!data)
            continue;
        const size_t scratch_size = pe_plan_scratch(plan, info->rows * info->cols);
        void *scratch = aligned_alloc(64, (scratch_size + 64) / 64 * 64);
        assert(scratch);
        slots[info->slot] = data;
        pe_fill(plan, info->group, &whole, slots, input, scratch);
        free(scratch);
    }
    pe_plan_free(plan);
    return all && set->count > inputs;
}

/* Gives the arguments the tensor of this name; returns its data, NULL if the set has none. */
static const void *give_tensor(struct pe_args *args, const char *name, const struct set *set,
                               struct pe_errors *errors)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->at[i].name, name) == 0) {
            pe_args_set_tensor(args, name, strlen(name), &set->at[i].info, errors);
            return set->data[i];
        }
    }
    return NULL;
}

/* Adds the numbers of a query, of all outputs that it asks for. Returns whether all were. */
static bool set_add_right(struct set *set, const struct pe_encoding *enc, const char *query,
                          const struct pe_limits *limits)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args = pe_args_new(enc);
    const void *input[PE_VERIFY_TENSORS] = {NULL};
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    assert(args);
    read_query(args, query, set, false, &errors);
    for (size_t i = 0, tensors = 0; i < count; i++) {
        if (params[i].type != PE_TENSOR)
            continue;
        assert(tensors < PE_VERIFY_TENSORS);
        input[tensors++] = give_tensor(args, params[i].name, set, &errors);
    }
    const bool made =
        pe_args_check(args, &errors) == PE_OK && add_numbers(set, args, input, limits);
    pe_args_free(args);
    return made;
}
