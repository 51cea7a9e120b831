/* SPDX-License-Identifier: Apache-2.0
 * test_registry_laws.c - what every encoding's numbers promise: finite, the same for any
 * division into rectangles, the same in every dtype but for one rounding, empty where no
 * position is, refused before memory where too many are. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/core_draw.h"
#include "tests/support/core_query.h"

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

/* The law holds for every example and for what is drawn; the query has no dtype. */
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
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        if (pe_plan_tensor(plan, i)->output->natural > PE_BF16)
            return false;
    }
    return true;
}

/* ---- finite ------------------------------------------------------------------------------ */

static void all_finite(struct pe_plan *plan, const char *query, struct core_random *random)
{
    struct pe_plan *f64 = plan_as(plan, query, PE_F64);

    (void)random;
    ck_assert_ptr_nonnull(f64);
    for (size_t i = 0; i < pe_plan_tensor_count(f64); i++) {
        const struct pe_tensor_info *t = pe_plan_tensor(f64, i);
        double *values = core_query_doubles(f64, i);

        for (size_t j = 0; j < t->rows * t->cols; j++)
            ck_assert_msg(
                isfinite(values[j]) || (isinf(values[j]) && strstr(query, "inf")) ||
                    (isnan(values[j]) && (strstr(query, "=nan") || strstr(query, "profile="))),
                "%s: %s[%zu] is %g", query, t->output->name, j, values[j]);
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

        for (uint64_t r = 0; r < rect->rows; r++)
            ck_assert_msg(memcmp(part + r * rect->cols * size,
                                 whole + ((rect->row + r) * t->cols + rect->col) * size,
                                 rect->cols * size) == 0,
                          "%s: %s in %s differs when cut at %llu,%llu", query, t->output->name,
                          pe_dtype_name(t->dtype), (unsigned long long)row,
                          (unsigned long long)col);
        free(part);
    }
    free(whole);
}

static void divisible(struct pe_plan *plan, const char *query, struct core_random *random)
{
    for (int dtype = 0; dtype < PE_DTYPE_COUNT; dtype++) {
        struct pe_plan *typed = plan_as(plan, query, (enum pe_dtype)dtype);

        for (size_t i = 0; typed && i < pe_plan_tensor_count(typed); i++) {
            for (int turn = 0; turn < 3; turn++)
                divide(typed, i, query, random);
        }
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

    (void)random;
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

    (void)random;
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
            for (size_t j = 0; j < t->rows * t->cols; j++)
                ck_assert_msg(is_near((enum pe_dtype)dtype, values[j], exact[j]),
                              "%s: %s[%zu] is %.17g in %s, %.17g in f64", query,
                              t->output->name, j, values[j],
                              pe_dtype_name((enum pe_dtype)dtype), exact[j]);
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

/* ---- no positions, and too many ---------------------------------------------------------- */

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

static bool has_vectors(const struct pe_encoding *enc, const char *query)
{
    for (size_t i = 0; i < enc->param_count; i++) {
        if (enc->params[i].type == PE_TENSOR && !enc->params[i].table)
            return true;
    }
    return strstr(query, "&queries=") || strstr(query, "&probabilities=") ||
           strstr(query, "&cos="); /* a table to be judged */
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
            if (has_vectors(enc, query)) {
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
            if (has_vectors(enc, query)) {
                expect_conflict(enc, query, axes[i]);
                continue;
            }
            alloc_fail_start(SIZE_MAX);
            status = core_query_args(&args, enc, query, &errors);
            if (status == PE_OK)
                status = pe_plan_new(&plan, args, NULL, &limits, &errors);
            pe_args_free(args);
            alloc_fail_stop();
            if (status != PE_TOO_LARGE) { /* or beyond what the encoding can tell apart */
                ck_assert_msg(status == PE_OUT_OF_RANGE &&
                                  strcmp(errors.at[0].parameter, axes[i]) == 0,
                              "%s: %s", query, errors.at[0].detail);
            } else {
                ck_assert_uint_ge(errors.at[0].requested, UINT64_C(1) << 53);
                ck_assert_uint_ge(errors.at[0].limit, 1);
            }
            ck_assert_uint_eq(errors.count, 1);
            ck_assert_uint_lt(alloc_fail_largest(), 1 << 16);
            ck_assert_int_eq(alloc_fail_live(), 0);
        }
    }
}
END_TEST

Suite *registry_laws_suite(void);

Suite *registry_laws_suite(void)
{
    Suite *suite = suite_create("registry_laws");
    TCase *tests = tcase_create("registry_laws");
    int count = (int)pe_count();

    tcase_add_loop_test(tests, every_value_is_finite_unless_infinity_was_asked, 0, count);
    tcase_add_loop_test(tests, any_division_into_rectangles_gives_the_same_bytes, 0, count);
    tcase_add_loop_test(tests, every_cpu_path_gives_the_same_bytes, 0, count);
    tcase_add_loop_test(tests, every_dtype_holds_the_same_numbers_rounded_once, 0, count);
    tcase_add_loop_test(tests, no_positions_give_an_empty_axis, 0, count);
    tcase_add_loop_test(tests, too_many_positions_are_refused_before_memory, 0, count);
    suite_add_tcase(suite, tests);
    return suite;
}
