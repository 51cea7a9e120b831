/* SPDX-License-Identifier: Apache-2.0
 * test_registry_axes.c - no positions give every encoding an empty axis, and too many are
 * refused before memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct pe_limits limits = {.max_elements = 20000, .max_prepared = 20000};

static const char *const axes[] = {"pos", "q", "k", "len", "distance"};

/* q and k are tensors where vectors are rotated. */
static bool has_positions(const struct pe_encoding *enc, const char *name)
{
    const size_t at = args_find(enc, name, strlen(name));

    return at != SIZE_MAX && enc->params[at].type != PE_TENSOR;
}

/* The query with another value of a parameter it has; false where it has none. */
static bool replace(char out[CORE_DRAW_MAX], const struct pe_encoding *enc, const char *query,
                    const char *name, const char *value)
{
    size_t name_len = strlen(name);

    for (const char *pair = query, *end; has_positions(enc, name) && *pair;
         pair = *end ? end + 1 : end) {
        end = strchrnul(pair, '&');
        if (strncmp(pair, name, name_len) != 0 || pair[name_len] != '=')
            continue;
        snprintf(out, CORE_DRAW_MAX, "%.*s%s=%s%s", (int)(pair - query), query, name, value,
                 end);
        return true;
    }
    return false;
}

static bool has_vectors(const struct pe_encoding *enc, const char *query, const char *axis)
{
    for (size_t i = 0; i < enc->param_count; i++)
        if (enc->params[i].type == PE_TENSOR && !enc->params[i].table)
            return true;
    return strstr(query, "&queries=") || strstr(query, "&probabilities=") ||
           ((strstr(query, "&curves=") || strstr(query, "&hidden=")) &&
            strcmp(axis, "k") != 0) ||
           strstr(query, "&token_ids=") || strstr(query, "&cos="); /* a table to be judged */
}

/* A len of 0 is refused: the least of the row is more, or another parameter is a position. */
static bool needs_positions(const struct pe_encoding *enc, const char *query, const char *axis)
{
    const struct pe_param *param = &enc->params[args_find(enc, axis, strlen(axis))];

    return param->type == PE_INT && (param->min > 0 || strstr(query, "&mask_position="));
}

/* A parameter of the query says how many positions there may be. */
static bool has_most(const char *query, const char *axis)
{
    return strcmp(axis, "len") == 0 && strstr(query, "&max_position=");
}

/* The client's vectors are as many as they are: other numbers of positions do not fit, or are
 * beyond the encoding's table. */
static void expect_conflict(const struct pe_encoding *enc, const char *query, const char *axis)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args;
    enum pe_status status = core_query_args(&args, enc, query, &errors);

    ck_assert(status == PE_CONFLICT ||
              (status == PE_OUT_OF_RANGE && strcmp(errors.at[0].parameter, axis) == 0));
    ck_assert_uint_eq(errors.count, 1);
    pe_args_free(args);
}

START_TEST(no_positions_give_an_empty_axis)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    char query[CORE_DRAW_MAX];
    int tried = 0, positions = 0;

    for (size_t i = 0; i < PE_LEN(axes); i++)
        positions += has_positions(enc, axes[i]);
    for (const char *const *example = pe_examples(enc); *example; example++) {
        struct pe_plan *full = core_query_plan(enc, *example);
        uint64_t cols = pe_plan_tensor(full, 0)->cols;

        for (size_t i = 0; i < PE_LEN(axes); i++) {
            struct pe_plan *plan;
            const struct pe_tensor_info *t;

            if (!replace(query, enc, *example, axes[i],
                         strcmp(axes[i], "len") == 0 ? "0" : "0:0"))
                continue;
            tried++;
            if (has_vectors(enc, query, axes[i]) || needs_positions(enc, query, axes[i])) {
                expect_conflict(enc, query, axes[i]);
                continue;
            }
            plan = core_query_plan(enc, query);
            t = pe_plan_tensor(plan, 0);
            ck_assert_uint_eq(pe_plan_elements(plan), 0);
            if (strcmp(axes[i], "pos") == 0)
                ck_assert(t->dims[0] == 0 && (t->rank < 2 || t->cols == cols));
            free(core_query_bytes(plan, 0));
            pe_plan_free(plan);
        }
        pe_plan_free(full);
    }
    ck_assert_msg(tried > 0 || positions == 0, "%s: no example has positions", pe_name(enc));
}
END_TEST

START_TEST(too_many_positions_are_refused_before_memory)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    char query[CORE_DRAW_MAX];

    for (const char *const *example = pe_examples(enc); *example; example++) {
        for (size_t i = 0; i < PE_LEN(axes); i++) {
            struct pe_errors errors = {.count = 0};
            struct pe_plan *plan = NULL;
            struct pe_args *args;
            enum pe_status status;

            if (!replace(query, enc, *example, axes[i],
                         strcmp(axes[i], "len") == 0 ? "9007199254740992"
                                                     : "0:9007199254740992"))
                continue;
            if (strstr(query, "&recent="))
                continue; /* the cache has a size of its own */
            if (has_vectors(enc, query, axes[i]) || has_most(query, axes[i])) {
                expect_conflict(enc, query, axes[i]);
                continue;
            }
            alloc_fail_start(SIZE_MAX);
            status = core_query_args(&args, enc, query, &errors);
            if (status == PE_OK)
                status = pe_plan_new(&plan, args, NULL, &limits, &errors);
            pe_args_free(args);
            alloc_fail_stop();
            ck_assert_uint_lt(alloc_fail_largest(), 1 << 16);
            if (status == PE_OK) { /* runs that follow from spans, which look at no key */
                ck_assert_msg(strcmp(axes[i], "k") == 0 && strstr(query, "out=runs"), "%s",
                              query);
                pe_plan_free(plan);
                continue;
            }
            if (status != PE_TOO_LARGE) { /* or beyond what the encoding can tell apart */
                ck_assert_msg(status == PE_OUT_OF_RANGE &&
                                  strcmp(errors.at[0].parameter, axes[i]) == 0,
                              "%s: %s", query, errors.at[0].detail);
            } else {
                /* an axis of blocks has one entry for many positions */
                ck_assert_uint_gt(errors.at[0].requested, UINT64_C(1) << 40);
                ck_assert_uint_gt(errors.at[0].requested, errors.at[0].limit);
                ck_assert_uint_ge(errors.at[0].limit, 1);
            }
            ck_assert_uint_eq(errors.count, 1);
            ck_assert_int_eq(alloc_fail_live(), 0);
        }
    }
}
END_TEST

SUITE(registry_axes, TEST_COUNTED(no_positions_give_an_empty_axis, pe_count),
      TEST_COUNTED(too_many_positions_are_refused_before_memory, pe_count));
