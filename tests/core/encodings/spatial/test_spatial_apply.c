/* SPDX-License-Identifier: Apache-2.0
 * test_spatial_apply.c - vectors rotated by tables of several axes: each against its own
 * table, forwards and inverse, in sections, tiled, and by heads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { QUERY_MAX = 500, TEXT_MAX = 40 };

/* ---- against the tables ------------------------------------------------------------------ */

/* Coordinates of `section` (0: dim) elements are paired as halves, or as neighbours. */
static const struct {
    const char *encoding, *query;
    size_t rows, dim;
    bool adjacent;
    size_t section;
} tables[] = {
    {"rope2d-axial", "grid=3x4&prefix_tokens=1", 13, 8, true, 0},
    {"rope2d-axial", "grid=3x4&pairing=half&base=10000", 12, 16, false, 0},
    {"rope2d-moonvit", "grid=3x4", 12, 8, true, 0},
    {"rope2d-chatglm", "pos=0,5,5,5&pos.block=0,0,1,2", 4, 16, false, 8},
    {"rope2d-chatglm", "pos=0,5,5,5&pairing=adjacent", 4, 8, true, 0},
    {"rope2d-dinov3", "grid=3x4&normalize_coords=max", 12, 8, false, 0},
    {"rope2d-loftr", "grid=3x4&train_size=832x832&test_size=640x480", 12, 8, true, 0},
    {"rope2d-pixtral", "grid=3x4", 12, 8, false, 0},
    {"rope2d-qwen-vit", "grid_thw=2,2,4;1,4,4", 32, 8, false, 0},
    {"rope2d-timm-cat", "grid=3x4", 12, 8, true, 0},
    {"rope2d-timm-cat", "grid=3x4&in_pixels=0&ref_grid=16x16&pairing=half", 12, 8, false, 0},
    {"rope2d-mixed", "grid=3x4&freqs=1,.3;-.5,2", 12, 4, true, 0},
    {"rope3d-vjepa2", "grid=3x4&frames=2", 24, 20, true, 0},
    {"rope-vision-llama4", "image_size=42&patch_size=14", 10, 8, true, 0},
    {"rope-nd", "ids=1,2;3,-4&freqs=1,.3,.5;-.5,2,7&pairing=half", 2, 6, false, 0},
    {"rope-golden-gate", "ids=1,2,3;4,5,6&pos_dim=3", 2, 8, false, 0},
    {"rope-golden-gate", "ids=1,2;4,5&pos_dim=2&directions=angle&pairing=adjacent", 2, 8, true,
     0},
    {"rope-axes", "ids=1,2,3;4,5,6&preset=wan", 2, 12, true, 0},
    {"rope-axes", "ids=1,2,3;4,5,6&preset=allegro", 2, 24, false, 8},
    {"rope-axes", "ids=1,2,3;4,5,6&preset=cosmos", 2, 12, false, 0},
};

/* Computes x cos + g sin, where g is the other coordinate of the pair, negative for the first
 * one. */
static double turned(const double *x, const double *cosine, const double *sine, size_t c,
                     bool adjacent, size_t section)
{
    const size_t start = adjacent ? c / 2 * 2 : c / section * section;
    const size_t half = adjacent ? 1 : section / 2;
    const bool first = c - start < half;

    return x[c] * cosine[c] + (first ? -x[c + half] : x[c - half]) * sine[c];
}

static double *vectors_of(const char *encoding, const char *query, const char *more,
                          const double *x)
{
    char text[QUERY_MAX], name[TEXT_MAX];
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    struct pe_plan *plan;
    double *values;

    snprintf(name, sizeof name, "%s/apply", encoding);
    snprintf(text, sizeof text, "%s&%s", query, more);
    plan = core_query_plan(core_query_find(name), text);
    values = core_tensor_doubles(plan, 0, inputs);
    pe_plan_free(plan);
    return values;
}

static double *numbers_of(size_t count)
{
    double *x = malloc(count * sizeof *x);

    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < count; i++)
        x[i] = (double)(i * 7 % 23) / 4 - 2.5;
    return x;
}

START_TEST(vectors_are_rotated_by_the_tables_of_their_encoding)
{
    const size_t rows = tables[_i].rows, dim = tables[_i].dim;
    const size_t section = tables[_i].section ? tables[_i].section : dim;
    const bool own_width = strstr(tables[_i].query, "freqs=") != NULL;
    char query[QUERY_MAX], more[TEXT_MAX];
    double *x = numbers_of(rows * dim), *got, *cosine, *sine;
    size_t count;

    snprintf(query, sizeof query,
             own_width ? "%s&width=full&dtype=f64" : "%s&width=full&dtype=f64&dim=%zu",
             tables[_i].query, dim);
    snprintf(more, sizeof more, "x=f64:%zux%zu", rows, dim);
    cosine = core_query_values(tables[_i].encoding, query, "cos", &count);
    sine = core_query_values(tables[_i].encoding, query, "sin", NULL);
    ck_assert_uint_eq(count, rows * dim);
    got = vectors_of(tables[_i].encoding, tables[_i].query, more, x);
    for (size_t i = 0; i < count; i++) {
        const size_t row = i / dim * dim;
        const double want =
            turned(x + row, cosine + row, sine + row, i % dim, tables[_i].adjacent, section);

        ck_assert_msg(fabs(got[i] - want) <= 1e-15 * 8, "%s?%s: [%zu] %.17g, not %.17g",
                      tables[_i].encoding, tables[_i].query, i, got[i], want);
    }
    free(x), free(got), free(cosine), free(sine);
}
END_TEST

/* Rotates the middle of heads that are wider by a lead and a tail. */
START_TEST(a_part_of_a_head_rotates_as_a_head_of_its_width_would)
{
    enum { LEAD = 3, TAIL = 2 };
    const size_t rows = tables[_i].rows, dim = tables[_i].dim, wide = LEAD + dim + TAIL;
    char more[2 * TEXT_MAX];
    double *x = numbers_of(rows * wide), *inner, *got, *want;

    if (strstr(tables[_i].encoding, "vjepa2")) { /* has a rule of its own for what rotates */
        free(x);
        return;
    }
    inner = numbers_of(rows * dim);
    for (size_t i = 0; i < rows * dim; i++)
        inner[i] = x[i / dim * wide + LEAD + i % dim];
    snprintf(more, sizeof more, "x=f64:%zux%zu", rows, dim);
    want = vectors_of(tables[_i].encoding, tables[_i].query, more, inner);
    snprintf(more, sizeof more, "x=f64:%zux%zu&rotary_dim=%zu&offset_dims=%d", rows, wide, dim,
             LEAD);
    got = vectors_of(tables[_i].encoding, tables[_i].query, more, x);
    for (size_t i = 0; i < rows * wide; i++) {
        const size_t c = i % wide;
        const bool turns = c >= LEAD && c < LEAD + dim;

        ck_assert_double_eq(got[i], turns ? want[i / wide * dim + c - LEAD] : x[i]);
    }
    free(x), free(inner), free(got), free(want);
}
END_TEST

START_TEST(the_inverse_undoes_a_rotation)
{
    const size_t count = tables[_i].rows * tables[_i].dim;
    char more[TEXT_MAX];
    double *x = numbers_of(count), *there, *back;

    if (strstr(tables[_i].encoding, "vjepa2")) { /* has no inverse */
        free(x);
        return;
    }
    snprintf(more, sizeof more, "x=f64:%zux%zu", tables[_i].rows, tables[_i].dim);
    there = vectors_of(tables[_i].encoding, tables[_i].query, more, x);
    snprintf(more, sizeof more, "x=f64:%zux%zu&inverse=1", tables[_i].rows, tables[_i].dim);
    back = vectors_of(tables[_i].encoding, tables[_i].query, more, there);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq_tol(back[i], x[i], 4e-15);
    free(x), free(there), free(back);
}
END_TEST

/* ---- worked examples --------------------------------------------------------------------- */

START_TEST(the_tiled_row_of_v_jepa_2_turns_as_published)
{
    static const double x[] = {1, 2, 3, 4}, want[] = {-1.14264, 2.00990, -1.74498, 4.02980};
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    struct pe_plan *plan = core_query_plan(core_query_find("vjepa2-rope"), "pos=1&x=f64:4");
    double *got = core_tensor_doubles(plan, 0, inputs), norm = 0;

    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(got[i], want[i], 0.51e-5);
        norm += got[i] * got[i];
    }
    ck_assert_double_eq_tol(sqrt(norm), 4.96282, 0.51e-5);
    free(got);
    pe_plan_free(plan);
}
END_TEST

/* ---- heads ------------------------------------------------------------------------------- */

/* Each of two heads with frequencies of their own is rotated as if it were alone. */
START_TEST(each_head_is_rotated_by_its_own_frequencies)
{
    static const char *const alone[] = {"freqs=1,.3;-.5,2", "freqs=.7,4;3,-1"};
    static const char *const both[] = {"x=f64:6x2x4", "x=f64:2x6x4&seq_axis=1",
                                       "x=f64:1x6x2x4&seq_axis=1&head_axis=2"};
    double *x = numbers_of(48), *all, *one, part[24];
    char query[QUERY_MAX];

    for (size_t order = 0; order < PE_LEN(both); order++) {
        snprintf(query, sizeof query, "grid=2x3&freqs=1,.3,.7,4;-.5,2,3,-1%s",
                 order == 0 ? "&seq_axis=0" : "");
        all = vectors_of("rope2d-mixed", query, both[order], x);
        for (size_t head = 0; head < 2; head++) {
            for (size_t i = 0; i < 24; i++)
                part[i] = order == 1 ? x[24 * head + i] : x[8 * (i / 4) + 4 * head + i % 4];
            snprintf(query, sizeof query, "grid=2x3&%s", alone[head]);
            one = vectors_of("rope2d-mixed", query, "x=f64:6x4", part);
            for (size_t i = 0; i < 24; i++)
                ck_assert_double_eq(one[i], order == 1 ? all[24 * head + i]
                                                       : all[8 * (i / 4) + 4 * head + i % 4]);
            free(one);
        }
        free(all);
    }
    free(x);
}
END_TEST

START_TEST(half_a_head_may_stay_as_it_is)
{
    static const double x[] = {9, 8, 7, 6, 1, 2, 3, 4};
    double *whole =
        vectors_of("rope-golden-gate", "ids=2,3&pos_dim=2&pairing=adjacent", "x=f64:4", x + 4);
    double *half = vectors_of("rope-golden-gate", "ids=2,3&pos_dim=2&pairing=adjacent",
                              "x=f64:8&offset_dims=4", x);

    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq(half[i], x[i]);
        ck_assert_double_eq(half[4 + i], whole[i]);
    }
    free(whole), free(half);
}
END_TEST

SUITE(spatial_apply, TEST_EACH(vectors_are_rotated_by_the_tables_of_their_encoding, tables),
      TEST_EACH(a_part_of_a_head_rotates_as_a_head_of_its_width_would, tables),
      TEST_EACH(the_inverse_undoes_a_rotation, tables),
      TEST(the_tiled_row_of_v_jepa_2_turns_as_published),
      TEST(each_head_is_rotated_by_its_own_frequencies), TEST(half_a_head_may_stay_as_it_is));
