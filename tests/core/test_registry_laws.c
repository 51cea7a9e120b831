/* SPDX-License-Identifier: Apache-2.0
 * test_registry_laws.c - what every encoding's numbers promise: finite, the same for any
 * division into rectangles, the same in every dtype but for one rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { DRAWS = 160, DTYPES = PE_BF16 + 1 };

static const struct pe_limits limits = {.max_elements = 20000, .max_prepared = 20000};

/* A plan of the query, or NULL where it is refused (or, of draws, too large). */
static struct pe_plan *try_plan(const struct pe_encoding *enc, const char *query)
{
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    struct pe_args *args;

    if (core_query_args(&args, enc, query, &errors) == PE_OK &&
        pe_plan_new(&plan, args, NULL, &limits, &errors))
        ck_assert_int_eq(errors.at[0].status, PE_TOO_LARGE);
    pe_args_free(args);
    return plan;
}

typedef void law(struct pe_plan *plan, const char *query, struct core_random *random);

/* The law holds for every example and for what is drawn; the query has no dtype. A check of
 * the library is a write to a file, even when it holds: in loops over elements laws only
 * abort. */
static void expect_law(int number, law *holds)
{
    const struct pe_encoding *enc = pe_at((size_t)number);
    struct core_random random = {(uint64_t)number + 31};
    char query[CORE_DRAW_MAX];
    int plans = 0;

    for (const char *const *example = pe_examples(enc); *example; example++) {
        struct pe_plan *plan = core_query_plan(enc, *example);

        holds(plan, *example, &random);
        pe_plan_free(plan);
    }
    for (int i = 0; i < DRAWS; i++) {
        struct pe_plan *plan;
        char *dtype;

        core_draw_query(enc, &random, query);
        dtype = strstr(query, "&dtype=");
        if (dtype) {
            char *rest = strchrnul(dtype + 1, '&');

            memmove(dtype, rest, strlen(rest) + 1);
        }
        plan = try_plan(enc, query);
        if (plan)
            holds(plan, query, &random);
        plans += plan != NULL;
        pe_plan_free(plan);
    }
    ck_assert_int_gt(plans, DRAWS / 20);
}

/* The same query with a dtype; NULL where that is refused. */
static struct pe_plan *plan_as(const struct pe_plan *plan, const char *query,
                               enum pe_dtype dtype)
{
    char typed[CORE_DRAW_MAX + 16];

    snprintf(typed, sizeof typed, "%s&dtype=%s", query, pe_dtype_name(dtype));
    return try_plan(pe_args_encoding(pe_plan_args(plan)), typed);
}

/* All outputs hold reals: every real dtype can be asked for. Integers must fit theirs. */
static bool all_real(const struct pe_plan *plan)
{
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++)
        if (pe_plan_tensor(plan, i)->output->natural > PE_BF16)
            return false;
    return true;
}

/* ---- finite ------------------------------------------------------------------------------ */

static bool is_asked(double value, const char *query)
{
    return isfinite(value) || (isinf(value) && strstr(query, "inf")) ||
           (isnan(value) && (strstr(query, "=nan") || strstr(query, "profile=")));
}

static void all_finite(struct pe_plan *plan, const char *query, struct core_random *random)
{
    struct pe_plan *f64 = plan_as(plan, query, PE_F64);

    ck_assert_ptr_nonnull(f64);
    for (size_t i = 0; i < pe_plan_tensor_count(f64); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(f64, i);
        double *values = core_query_doubles(f64, i);

        for (size_t j = 0; j < t->rows * t->cols; j++)
            if (!is_asked(values[j], query))
                ck_abort_msg("%s: %s[%zu] is %g", query, t->output->name, j, values[j]);
        free(values);
    }
    pe_plan_free(f64);
}

START_TEST(every_value_is_finite_unless_infinity_was_asked)
{
    expect_law(_i, all_finite);
}
END_TEST

/* ---- any division ------------------------------------------------------------------------ */

/* The tensor in four rectangles that meet at a random element. */
static void divide(const struct pe_plan *plan, size_t number, const char *query,
                   struct core_random *random)
{
    const struct pe_tensor_info *t = pe_plan_tensor(plan, number);
    size_t size = pe_dtype_size(t->dtype);
    uint64_t row = (uint64_t)core_random_whole(random, 0, (int64_t)t->rows);
    uint64_t col = (uint64_t)core_random_whole(random, 0, (int64_t)t->cols);
    const struct pe_rect quarters[] = {{0, row, 0, col},
                                       {0, row, col, t->cols - col},
                                       {row, t->rows - row, 0, col},
                                       {row, t->rows - row, col, t->cols - col}};
    char *whole = core_query_bytes(plan, number);

    for (size_t i = 0; i < PE_LEN(quarters); i++) {
        const struct pe_rect *rect = &quarters[i];
        unsigned char *part = core_query_part(plan, t, rect);

        for (uint64_t r = 0; r < rect->rows; r++) {
            if (memcmp(part + r * rect->cols * size,
                       whole + ((rect->row + r) * t->cols + rect->col) * size,
                       rect->cols * size) != 0)
                ck_abort_msg("%s: %s in %s differs when cut at %llu,%llu", query,
                             t->output->name, pe_dtype_name(t->dtype), (unsigned long long)row,
                             (unsigned long long)col);
        }
        free(part);
    }
    free(whole);
}

/* Rectangles of any tensor that follow each other in one scratch, often twice the same. */
static void follow(const struct pe_plan *plan, const char *query, struct core_random *random)
{
    void *scratch = core_query_scratch(plan);
    const int64_t tensors = (int64_t)pe_plan_tensor_count(plan);

    for (int turn = 0; turn < 6; turn++) {
        const struct pe_tensor_info *t =
            pe_plan_tensor(plan, (size_t)core_random_whole(random, 0, tensors - 1));
        const uint64_t row = (uint64_t)core_random_whole(random, 0, (int64_t)t->rows);
        const struct pe_rect rect = {row, t->rows - row, 0, t->cols};
        unsigned char *fresh = core_query_part(plan, t, &rect);

        for (int again = 0; again < 2; again++) {
            unsigned char *next = core_query_part_next(plan, t, &rect, scratch);

            ck_assert_msg(
                memcmp(next, fresh, rect.rows * rect.cols * pe_dtype_size(t->dtype)) == 0,
                "%s: %s differs from row %llu on where the scratch remembers", query,
                t->output->name, (unsigned long long)row);
            free(next);
        }
        free(fresh);
    }
    free(scratch);
}

static void divisible(struct pe_plan *plan, const char *query, struct core_random *random)
{
    for (int dtype = 0; dtype < PE_DTYPE_COUNT; dtype++) {
        struct pe_plan *typed = plan_as(plan, query, (enum pe_dtype)dtype);

        for (size_t i = 0; typed && i < pe_plan_tensor_count(typed); i++)
            for (int turn = 0; turn < 3; turn++)
                divide(typed, i, query, random);
        if (typed)
            follow(typed, query, random);
        /* reals take every real dtype, unless a number of the request does not fit it */
        ck_assert(typed || dtype >= DTYPES || strstr(query, "mask_value=") || !all_real(plan));
        pe_plan_free(typed);
    }
}

START_TEST(any_division_into_rectangles_gives_the_same_bytes)
{
    expect_law(_i, divisible);
}
END_TEST

static void same_on_every_path(struct pe_plan *plan, const char *query,
                               struct core_random *random)
{
    size_t used = pe_cpu_path();

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(plan, i);
        void *bytes = core_query_bytes(plan, i);

        for (size_t path = 0; path < pe_cpu_path_count(); path++) {
            void *again;

            if (!pe_cpu_path_set(path))
                continue; /* not in this CPU */
            again = core_query_bytes(plan, i);
            ck_assert_msg(
                memcmp(again, bytes, t->rows * t->cols * pe_dtype_size(t->dtype)) == 0,
                "%s: %s differs on %s", query, t->output->name, pe_cpu_path_name(path));
            free(again);
        }
        ck_assert(pe_cpu_path_set(used));
        free(bytes);
    }
}

START_TEST(every_cpu_path_gives_the_same_bytes)
{
    expect_law(_i, same_on_every_path);
}
END_TEST

/* ---- one rounding ------------------------------------------------------------------------ */

/* 0.501 ULP of the exact value; the float64 value stands for it. Masked entries hold the
 * lowest value of their dtype. */
static bool is_near(enum pe_dtype dtype, double value, double f64)
{
    if (f64 == pe_dtype_lowest(PE_F64))
        return value == pe_dtype_lowest(dtype);
    if (!isfinite(f64) || isinf(value))
        return isnan(f64) ? isnan(value) : value == f64 || fabs(f64) > -pe_dtype_lowest(dtype);
    return fabs(value - f64) <= 0.501 * core_query_ulp(dtype, f64);
}

static void rounded_once(struct pe_plan *plan, const char *query, struct core_random *random)
{
    struct pe_plan *f64 = plan_as(plan, query, PE_F64);

    for (size_t i = 0; i < pe_plan_tensor_count(f64); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(f64, i);
        double *exact = core_query_doubles(f64, i);

        for (int dtype = PE_F32; dtype < DTYPES; dtype++) {
            struct pe_plan *typed = plan_as(plan, query, (enum pe_dtype)dtype);
            double *values;

            if (!typed) { /* integers, or a mask_value, that this dtype cannot hold */
                ck_assert_msg(!all_real(plan) || strstr(query, "mask_value="), "%s", query);
                continue;
            }
            values = core_query_doubles(typed, i);
            for (size_t j = 0; j < t->rows * t->cols; j++) {
                if (!is_near((enum pe_dtype)dtype, values[j], exact[j]))
                    ck_abort_msg("%s: %s[%zu] is %.17g in %s, %.17g in f64", query,
                                 t->output->name, j, values[j],
                                 pe_dtype_name((enum pe_dtype)dtype), exact[j]);
            }
            free(values);
            pe_plan_free(typed);
        }
        free(exact);
    }
    pe_plan_free(f64);
}

START_TEST(every_dtype_holds_the_same_numbers_rounded_once)
{
    expect_law(_i, rounded_once);
}
END_TEST

SUITE(registry_laws, TEST_COUNTED(every_value_is_finite_unless_infinity_was_asked, pe_count),
      TEST_COUNTED(any_division_into_rectangles_gives_the_same_bytes, pe_count),
      TEST_COUNTED(every_cpu_path_gives_the_same_bytes, pe_count),
      TEST_COUNTED(every_dtype_holds_the_same_numbers_rounded_once, pe_count));
