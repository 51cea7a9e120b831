/* SPDX-License-Identifier: Apache-2.0
 * test_rope_apply.c - vectors rotated: published numbers, rope's own tables, every shape and
 * division; test_rope_apply_laws.c has the laws, test_rope_apply_rules.c the sentences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

extern const struct pe_encoding pe_encoding_rope_apply;
static const struct pe_encoding *const apply = &pe_encoding_rope_apply;

static struct pe_plan *plan_of(const char *format, const char *a, const char *b)
{
    char query[400];

    snprintf(query, sizeof query, format, a, b);
    return core_query_plan(apply, query);
}

/* Returns the x of the query as float64, computed from these numbers. */
static double *rotated(const char *query, const double *numbers)
{
    struct pe_plan *plan = core_query_plan(apply, query);
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)numbers};
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

/* ---- published numbers ------------------------------------------------------------------- */

static const struct {
    const char *query;
    double x[4], rotated[4];
} known[] = {
    {"pos=1&pairing=adjacent", {1, 2, 3, 4}, {-1.1426397, 1.9220756, 2.9598507, 4.0297995}},
    {"pos=1", {1, 2, 3, 4}, {-1.9841106, 1.9599007, 2.4623779, 4.0197997}},
    {"pos=3&pairing=interleaved", {1, 2, 3, 4}, {-1.2722325, -1.8388650, 2.8786681, 4.0881866}},
    {"pos=3&pairing=half", {1, 2, 3, 4}, {-1.4133525, 1.8791181, -2.8288575, 4.0581911}},
    {"pos=1&pairing=adjacent&inverse=1",
     {1, 2, 3, 4},
     {2.2232443, .23913363, 3.0398493, 3.9698005}},
    {"pos=1&pairing=adjacent&pairing_out=half",
     {1, 2, 3, 4},
     {-1.1426397, 2.9598507, 1.9220756, 4.0297995}},
    {"pos=1&pairing=half&pairing_out=adjacent",
     {1, 2, 3, 4},
     {-1.9841106, 2.4623779, 1.9599007, 4.0197997}},
    {"pos=1&rotary_dim=2", {1, 2, 3, 4}, {-1.1426397, 1.9220756, 3, 4}},
    {"pos=1&rotary_dim=2&offset_dims=2", {3, 4, 1, 2}, {3, 4, -1.1426397, 1.9220756}},
    {"pos=4&from=3&pairing=adjacent",
     {1, 2, 3, 4},
     {-1.1426397, 1.9220756, 2.9598507, 4.0297995}},
    {"pos=-1&pairing=adjacent", {1, 2, 3, 4}, {2.2232443, .23913363, 3.0398493, 3.9698005}},
};

START_TEST(published_rotations_are_served)
{
    char query[200];
    double *got;

    snprintf(query, sizeof query, "%s&x=f64:4", known[_i].query);
    got = rotated(query, known[_i].x);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(got[i], known[_i].rotated[i], 0.51e-7);
    free(got);
}
END_TEST

/* ---- against rope's own tables ---------------------------------------------------------- */

/* Vectors of width 12, of 2 heads at 5 positions, are rotated by the cosines and sines of
 * rope. */
static const char *const tables[] = {
    "dim=12",
    "dim=12&base=77",
    "dim=12&rotary_dim=8",
    "dim=12&partial_rotary_factor=0.5",
    "dim=12&scaling=linear&factor=3.5",
    "dim=12&scaling=llama3",
    "dim=12&scaling=yarn&factor=4&original_max_position_embeddings=64",
    "dim=12&profile=f32-pow",
    "dim=12&profile=f64",
    "dim=12&scaling=dynamic&factor=2&max_position_embeddings=64&seq_len=128",
};
#define PLACES "0,1,7,-3,1000003"
enum { DIM = 12, HEADS = 2, POSITIONS = 5 };

static void by_table(const char *table, bool adjacent)
{
    char query[400];
    size_t count, pairs;
    double *cosine, *sine, *got, *x;
    struct pe_plan *plan;
    void *inputs[CORE_TENSOR_MAX];

    snprintf(query, sizeof query, "%s&pos=" PLACES "&dtype=f64", table);
    cosine = core_query_values("rope", query, "cos", &count);
    sine = core_query_values("rope", query, "sin", NULL);
    pairs = count / POSITIONS;
    plan = plan_of("%s&pos=" PLACES "&x=f64:5x2x12&seq_axis=0&pairing=%s", table,
                   adjacent ? "adjacent" : "half");
    core_tensor_draw_inputs(plan, inputs);
    x = inputs[0];
    got = core_tensor_doubles(plan, 0, inputs);
    for (size_t v = 0; v < (size_t)POSITIONS * HEADS; v++)
        for (size_t i = 0; i < DIM / 2; i++) {
            const size_t first = DIM * v + (adjacent ? 2 * i : i);
            const size_t second = first + (adjacent ? 1 : pairs);
            double c, s;

            if (i >= pairs)
                continue;
            c = cosine[v / HEADS * pairs + i];
            s = sine[v / HEADS * pairs + i];
            ck_assert(got[first] == x[first] * c - x[second] * s);
            ck_assert(got[second] == x[second] * c + x[first] * s);
        }
    for (size_t i = 0; i < (size_t)POSITIONS * HEADS * DIM; i++)
        ck_assert(i % DIM < 2 * pairs || got[i] == x[i]);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
    free(cosine);
    free(sine);
    free(got);
}

START_TEST(vectors_are_rotated_by_the_tables_of_rope)
{
    by_table(tables[_i], false);
    by_table(tables[_i], true);
}
END_TEST

/* ---- shapes, divisions, in place -------------------------------------------------------- */

static const struct {
    const char *query;
    size_t places, inner; /* vector v is at place v / inner % places */
} shapes[] = {
    {"x=f32:6x4x10&seq_axis=0&pos=3:9", 6, 4},
    {"x=bf16:6x4x10&seq_axis=1&pos=3:7&pairing=adjacent", 4, 1},
    {"x=f16:2x5x3x10&seq_axis=1&pos=3:8&pairing_out=adjacent", 5, 3},
    {"x=f64:2x5x3x10&seq_axis=2&pos=9,1,4", 3, 1},
    {"x=f32:1030x10&pos=0:1030&rotary_dim=6&offset_dims=2", 1030, 1},
    {"x=bf16:2x1030x3x10&seq_axis=1&pos=1029:-1:-1&rotary_dim=4&pairing=adjacent", 1030, 3},
    {"x=f32:2x600x10&seq_axis=1&pos=5:1205:2&from=300:900", 600, 1},
    {"x=bf16:7x3x10&seq_axis=0&pos=3:10&rotate_math=in_dtype", 7, 3},
    {"x=f32:7x3x10&seq_axis=0&pos=3:10&inverse=1&dtype=f16&scaling=longrope&factor=4"
     "&original_max_position_embeddings=64&short_factor=1,1,1,1,1&long_factor=2,2,2,3,4",
     7, 3},
};

/* Each vector is rotated as if it were alone with its position. */
START_TEST(each_vector_has_the_position_of_its_sequence_index)
{
    struct pe_plan *plan = core_query_plan(apply, shapes[_i].query);
    const struct pe_tensor_info *t = pe_plan_tensor(plan, 0);
    const char *arguments = pe_args_struct(pe_plan_args(plan));
    const struct pe_positions *pos = /* the first parameter */
        *(const struct pe_positions *const *)(const void *)(arguments +
                                                            apply->params[0].offset);
    void *inputs[CORE_TENSOR_MAX];
    double *got, x[10];
    char query[200];
    enum pe_dtype from;

    core_tensor_draw_inputs(plan, inputs);
    got = core_tensor_doubles(plan, 0, inputs);
    from = t->dtype;
    for (uint64_t v = 0; v < t->rows; v++) {
        struct pe_plan *one;
        void *alone[CORE_TENSOR_MAX] = {(char *)inputs[0] + v * 10 * pe_dtype_size(from)};
        double *want;
        const char *pairing = strstr(shapes[_i].query, "&pairing");

        snprintf(query, sizeof query, "x=%s:10&pos=%.17g%s", pe_dtype_name(from),
                 pe_positions_at(pos, v / shapes[_i].inner % shapes[_i].places),
                 pairing ? pairing : "");
        one = core_query_plan(apply, query);
        want = core_tensor_doubles(one, 0, alone);
        memcpy(x, got + v * 10, sizeof x);
        ck_assert_mem_eq(x, want, sizeof x);
        free(want);
        pe_plan_free(one);
    }
    free(got);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
}
END_TEST

static void fill_rect(const struct pe_plan *plan, const struct pe_rect *rect, void *out,
                      const void *input)
{
    const void *inputs[CORE_TENSOR_MAX] = {input};
    void *outs[PE_MAX_OUTPUTS] = {out};
    void *scratch =
        aligned_alloc(64, (pe_plan_scratch(plan, rect->rows * rect->cols) + 64) / 64 * 64);

    ck_assert_ptr_nonnull(scratch);
    pe_fill(plan, 0, rect, outs, inputs, scratch);
    free(scratch);
}

START_TEST(any_division_and_filling_in_place_give_equal_bytes)
{
    struct pe_plan *plan = core_query_plan(apply, shapes[_i].query);
    const struct pe_tensor_info *t = pe_plan_tensor(plan, 0);
    size_t size = pe_dtype_size(t->dtype);
    void *inputs[CORE_TENSOR_MAX];
    char *whole, part[10 * 8] __attribute__((aligned(64)));

    core_tensor_draw_inputs(plan, inputs);
    whole = core_tensor_bytes(plan, 0, inputs);
    for (uint64_t row = 0; row < t->rows; row++)
        for (uint64_t col = 0; col < t->cols; col += 3) {
            struct pe_rect rect = {row, 1, col, col + 3 > t->cols ? t->cols - col : 3};

            fill_rect(plan, &rect, part, inputs[0]);
            ck_assert_mem_eq(part, whole + (row * t->cols + col) * size, rect.cols * size);
        }
    if (!strstr(shapes[_i].query, "dtype=")) {
        for (uint64_t row = 0; row < t->rows; row += 5) {
            struct pe_rect rect = {row, row + 5 > t->rows ? t->rows - row : 5, 0, t->cols};

            fill_rect(plan, &rect, (char *)inputs[0] + row * t->cols * size, inputs[0]);
        }
        ck_assert_mem_eq(inputs[0], whole, t->rows * t->cols * size);
    }
    free(whole);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
}
END_TEST

START_TEST(every_cpu_path_gives_the_same_vectors)
{
    struct pe_plan *plan = core_query_plan(apply, shapes[_i].query);
    const struct pe_tensor_info *t = pe_plan_tensor(plan, 0);
    size_t used = pe_cpu_path();
    void *inputs[CORE_TENSOR_MAX], *bytes, *again;

    core_tensor_draw_inputs(plan, inputs);
    bytes = core_tensor_bytes(plan, 0, inputs);
    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path))
            continue; /* not in this CPU */
        again = core_tensor_bytes(plan, 0, inputs);
        ck_assert_mem_eq(again, bytes, t->rows * t->cols * pe_dtype_size(t->dtype));
        free(again);
    }
    ck_assert(pe_cpu_path_set(used));
    free(bytes);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
}
END_TEST

/* Float32 takes the path of fine rows from 512 positions on; float64 always takes the direct
 * path. */
START_TEST(fine_rows_and_the_direct_path_agree)
{
    struct pe_plan *fast = core_query_plan(apply, "x=f32:2000x64&pos=-700:1300");
    struct pe_plan *direct = core_query_plan(apply, "x=f32:2000x64&pos=-700:1300&dtype=f64");
    void *inputs[CORE_TENSOR_MAX];
    double *a, *b;

    core_tensor_draw_inputs(fast, inputs);
    a = core_tensor_doubles(fast, 0, inputs);
    b = core_tensor_doubles(direct, 0, inputs);
    for (size_t i = 0; i < 2000 * 64; i++)
        ck_assert_double_le(fabs(a[i] - b[i]), 0.501 * core_query_ulp(PE_F32, b[i]) + 0x1p-48);
    free(a);
    free(b);
    core_tensor_free_inputs(inputs);
    pe_plan_free(fast);
    pe_plan_free(direct);
}
END_TEST

START_TEST(queries_and_keys_of_one_request_are_both_rotated)
{
    struct pe_plan *plan =
        core_query_plan(apply, "q=f32:5x4x8&k=bf16:5x1x8&seq_axis=0&pos=0:5");
    struct pe_plan *alone = core_query_plan(apply, "k=bf16:5x1x8&seq_axis=0&pos=0:5");
    void *inputs[CORE_TENSOR_MAX], *one, *other;

    ck_assert_uint_eq(pe_plan_tensor_count(plan), 2);
    ck_assert_str_eq(pe_plan_tensor(plan, 0)->output->name, "q");
    ck_assert_str_eq(pe_plan_tensor(plan, 1)->output->name, "k");
    ck_assert_int_eq(pe_plan_tensor(plan, 0)->dtype, PE_F32);
    ck_assert_int_eq(pe_plan_tensor(plan, 1)->dtype, PE_BF16);
    core_tensor_draw_inputs(plan, inputs);
    one = core_tensor_bytes(plan, 1, inputs);
    other = core_tensor_bytes(alone, 0, inputs);
    ck_assert_mem_eq(one, other, 5 * 8 * 2);
    free(one);
    free(other);
    core_tensor_free_inputs(inputs);
    pe_plan_free(plan);
    pe_plan_free(alone);
}
END_TEST

SUITE(rope_apply, TEST_EACH(published_rotations_are_served, known),
      TEST_EACH(vectors_are_rotated_by_the_tables_of_rope, tables),
      TEST_RANGE(each_vector_has_the_position_of_its_sequence_index, 0, 4),
      TEST_EACH(any_division_and_filling_in_place_give_equal_bytes, shapes),
      TEST_EACH(every_cpu_path_gives_the_same_vectors, shapes),
      TEST(fine_rows_and_the_direct_path_agree),
      TEST(queries_and_keys_of_one_request_are_both_rotated));
