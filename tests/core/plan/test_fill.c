/* SPDX-License-Identifier: Apache-2.0
 * test_fill.c - running plans: any division into rectangles gives the same bytes, typed fills
 * are taken where they are offered, and nothing is written beside the rectangle. */
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "core/plan/plan.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/core_sample.h"
#include "tests/support/suite.h"

static const char *const queries[] = {
    "pos=0:9&dim=4",
    "pos=0:9&dim=4&out=rows,negated&dtype=f64",
    "pos=0:3000&dim=2&out=cube&dtype=bf16", /* more than one piece of rows */
    "grid=3x5000&out=ids",                  /* a row in several pieces */
    "pos=0:7&len=2048&out=mask",            /* a row of just one piece */
    "pos=0:7&len=2049&out=mask",
    "times=0.5,7,9&out=late",
    "out=total&weights=0.5,0.25",
};

START_TEST(any_rectangle_holds_its_part_of_the_whole)
{
    struct pe_plan *plan = core_query_plan(&core_sample, queries[_i]);
    struct core_random random = {(uint64_t)_i};

    for (size_t n = 0; n < pe_plan_tensor_count(plan); n++) {
        const struct pe_tensor_info *t = pe_plan_tensor(plan, n);
        size_t size = pe_dtype_size(t->dtype);
        char *whole = core_query_bytes(plan, n);

        for (int turn = 0; turn < 40; turn++) {
            uint64_t row = (uint64_t)core_random_whole(&random, 0, (int64_t)t->rows);
            uint64_t col = (uint64_t)core_random_whole(&random, 0, (int64_t)t->cols);
            struct pe_rect rect = {
                row, (uint64_t)core_random_whole(&random, 0, (int64_t)(t->rows - row)), col,
                (uint64_t)core_random_whole(&random, 0, (int64_t)(t->cols - col))};
            unsigned char *part = core_query_part(plan, t, &rect);

            for (uint64_t r = 0; r < rect.rows; r++)
                ck_assert_mem_eq(part + r * rect.cols * size,
                                 whole + ((row + r) * t->cols + col) * size, rect.cols * size);
            free(part);
        }
        free(whole);
    }
    pe_plan_free(plan);
}
END_TEST

static const struct {
    const char *encoding, *query;
} neighbours[] = {
    {"sinusoidal", "pos=0:3000&dim=96"},
    {"sinusoidal", "pos=-1500:1500&dim=33&odd=extra-sin&dtype=bf16"},
    {"rope", "pos=70000:69000:-1&dim=64&out=cos,sin,inv_freq"},
    {"t5", "q=0:600&k=0:700&out=bias&table=f32:32x3"},
    {"t5", "q=0:40&k=0:9000&out=bias&dtype=f64&table=f32:32x2"},
    {"t5", "q=5,1,9,9,2,70,1000,3&k=0:700:3&out=bias&table=f32:32x5"},
    {"rope/apply", "pos=100:700&x=f32:600x3x16&seq_axis=0"},
};

/* Walks through rows as a server does, and sometimes leaps back. */
START_TEST(what_the_scratch_remembers_changes_no_byte)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find(neighbours[_i].encoding), neighbours[_i].query);
    struct core_random random = {(uint64_t)_i};
    void *scratch = core_query_scratch(plan);
    uint64_t row = 0;

    for (int turn = 0; turn < 150; turn++) {
        const int64_t tensors = (int64_t)pe_plan_tensor_count(plan);
        const struct pe_tensor_info *t =
            pe_plan_tensor(plan, (size_t)core_random_whole(&random, 0, 7) % (size_t)tensors);
        const bool leap = turn % 10 == 9;

        row = leap ? (uint64_t)core_random_whole(&random, 0, (int64_t)t->rows - 1)
                   : row % t->rows;
        const uint64_t col = (uint64_t)core_random_whole(&random, 0, leap ? 9 : 0) % t->cols;
        struct pe_rect rect = {row, (uint64_t)core_random_whole(&random, 1, 60), col,
                               t->cols - col};
        rect.rows = rect.rows < t->rows - row ? rect.rows : t->rows - row;
        unsigned char *fresh = core_query_part(plan, t, &rect);
        unsigned char *next = core_query_part_next(plan, t, &rect, scratch);

        ck_assert_mem_eq(next, fresh, rect.rows * rect.cols * pe_dtype_size(t->dtype));
        free(fresh);
        free(next);
        row += rect.rows;
    }
    free(scratch);
    pe_plan_free(plan);
}
END_TEST

START_TEST(the_values_are_those_of_the_reference)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=5,7&dim=4&out=rows,negated,mask");
    double *rows = core_query_doubles(plan, 0), *negated = core_query_doubles(plan, 1);
    double *mask = core_query_doubles(plan, 2);

    for (size_t i = 0; i < 8; i++) {
        ck_assert(rows[i] == (i < 4 ? 5 : 7) + (double)(i % 4));
        ck_assert(negated[i] == -rows[i]);
        ck_assert(mask[i] == 1); /* 5 and 7 are at or after 0..3 */
    }
    free(rows);
    free(negated);
    free(mask);
    pe_plan_free(plan);
}
END_TEST

START_TEST(both_outputs_of_a_group_fill_in_one_call)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=1:3&dim=2&out=rows,negated");
    struct pe_rect all = {0, 2, 0, 2};
    float rows[4], negated[4];
    void *out[] = {rows, negated};
    void *scratch = aligned_alloc(64, (pe_plan_scratch(plan, 4) + 63) / 64 * 64);

    pe_fill(plan, 0, &all, out, NULL, scratch);
    for (size_t i = 0; i < 4; i++)
        ck_assert(rows[i] == -negated[i] && rows[i] > 0);
    free(scratch);
    pe_plan_free(plan);
}
END_TEST

START_TEST(an_empty_rectangle_writes_nothing)
{
    static const struct pe_rect empty[] = {{0, 0, 0, 4},
                                           {9, 0, 0, 4},
                                           {0, 9, 0, 0},
                                           {0, 9, 4, 0},
                                           {9, 0, 4, 0}};
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=0:9&dim=4");

    for (size_t i = 0; i < PE_LEN(empty); i++)
        free(core_query_part(plan, pe_plan_tensor(plan, 0), &empty[i]));
    pe_plan_free(plan);
}
END_TEST

/* ---- typed fills: marked, so that the path can be seen ----------------------------------- */

static void reference(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    for (uint64_t i = 0; i < rect->rows * rect->cols; i++)
        out[0][i] = 1;
}

static bool typed(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                  void *const out[], void *scratch)
{
    float *at = out[0];

    if (dtype != PE_F32)
        return false;
    memset(scratch, 0, 1000); /* the scratch has the bytes that scratch() asked for */
    for (uint64_t i = 0; i < rect->rows * rect->cols; i++)
        at[i] = 2;
    return true;
}

static size_t asks_for(const void *state, uint64_t elements)
{
    return elements < 10 ? 1000 : 2000;
}

static const struct pe_filler marked = {
    .reference = reference, .typed = typed, .scratch = asks_for, .ns_per_element = 5};

static double first_value(const char *query)
{
    struct pe_plan *plan = core_query_plan(&core_sample, query);
    struct pe_build build = {.plan = plan};
    struct pe_rect rect = {0, 2, 0, 2};
    unsigned char *bytes;
    double value;

    pe_build_fill(&build, 0, &marked, NULL);
    bytes = core_query_part(plan, pe_plan_tensor(plan, 0), &rect);
    pe_dtype_to_f64(pe_plan_tensor(plan, 0)->dtype, &value, bytes, 1);
    free(bytes);
    pe_plan_free(plan);
    return value;
}

START_TEST(a_typed_fill_is_taken_for_the_dtypes_it_takes)
{
    ck_assert(first_value("pos=0:4&dim=2") == 2);
    ck_assert(first_value("pos=0:4&dim=2&dtype=f64") == 1);
    ck_assert(first_value("pos=0:4&dim=2&dtype=f16") == 1);
}
END_TEST

START_TEST(scratch_is_enough_for_every_group)
{
    struct pe_plan *plan = core_query_plan(&core_sample, "pos=0:4&dim=2&out=rows,negated,mask");
    struct pe_build build = {.plan = plan};
    size_t before = pe_plan_scratch(plan, 9), small;

    pe_build_fill(&build, 0, &marked, NULL);
    small = pe_plan_scratch(plan, 9);
    ck_assert_uint_ge(small, before + 1000);
    ck_assert_uint_ge(pe_plan_scratch(plan, 10), small + 1000 - 64);
    ck_assert(pe_plan_cost_ns(plan, 10) == 50); /* the slowest group's */
    pe_plan_free(plan);
}
END_TEST

SUITE(fill, TEST_EACH(any_rectangle_holds_its_part_of_the_whole, queries),
      TEST_EACH(what_the_scratch_remembers_changes_no_byte, neighbours),
      TEST(the_values_are_those_of_the_reference),
      TEST(both_outputs_of_a_group_fill_in_one_call), TEST(an_empty_rectangle_writes_nothing),
      TEST(a_typed_fill_is_taken_for_the_dtypes_it_takes),
      TEST(scratch_is_enough_for_every_group));
