/* SPDX-License-Identifier: Apache-2.0
 * test_rotation_exact.c - whether fine rows are at hand changes no byte: lists of fewer than
 * 512 positions have the bytes of direct evaluation, longer ones those of fine rows of
 * positions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { ROWS = 700, PAIRS_MOST = 70, COLS = 2 * PAIRS_MOST, SLOTS = 2, TRIALS = 150 };

static const enum pe_dtype dtypes[] = {PE_F32, PE_F16, PE_BF16};
static const double amplitudes[] = {1, 1, -0.37, 1.9, 0x1p-2, 37};
static const double bases[] = {10000, 500000, 1e7, 1.3};

static struct rotation_table *table_of(double base, size_t pairs, bool with_fine)
{
    const struct frequency_ladder ladder = {base, (double)pairs, pairs, 1, 1, 0};
    struct rotation_table *table = rotation_table_new(&ladder, with_fine);

    ck_assert_ptr_nonnull(table);
    return table;
}

static uint64_t below(struct core_random *random, uint64_t count)
{
    return (uint64_t)core_random_whole(random, 0, (int64_t)count - 1);
}

/* A start of any size and sign. */
static double start_of(struct core_random *random)
{
    const int64_t most = (int64_t)1 << below(random, 53);

    return (double)core_random_whole(random, -most, most);
}

static void lay_out(struct rotation *r, size_t pairs, uint64_t layout)
{
    const size_t step = layout == 1 ? 2 : 1;

    r->bands[0] = (struct rotation_band){0, ROTATION_SIN, 0, pairs, 0, step};
    r->bands[1] = (struct rotation_band){layout == 2, ROTATION_COS, 0, pairs, 0, step};
    r->band_count = layout == 3 ? 1 : 2;
    r->cols = layout >= 2 ? pairs : 2 * pairs;
    if (layout == 0)
        r->bands[1].col = pairs; /* s0 s1 ... c0 c1 ... */
    if (layout == 1)
        r->bands[1].col = 1; /* s0 c0 s1 c1 ... */
    if (layout == 4) {       /* s0 s0 s1 s1 ...: columns that the kernels leave */
        r->bands[1] = r->bands[0];
        r->bands[0].step = r->bands[1].step = 2;
        r->bands[1].col = 1;
        r->cols = 2 * pairs;
    }
}

enum { LAYOUTS = 5 };

struct picture {
    char bytes[SLOTS][ROWS * COLS * sizeof(float)];
};

static bool draw_typed(const struct rotation *rotation, enum pe_dtype dtype,
                       struct picture *picture)
{
    const struct pe_rect all = {0, pe_positions_count(rotation->pos), 0, rotation->cols};
    void *const out[SLOTS] = {picture->bytes[0],
                              rotation->bands[1].slot == 1 ? picture->bytes[1] : NULL};
    void *scratch = calloc(1, rotation_filler.scratch(rotation, all.rows * all.cols));

    memset(picture, 0, sizeof *picture);
    const bool typed = rotation_filler.typed(rotation, &all, dtype, out, scratch);
    free(scratch);
    return typed;
}

static void draw_direct(const struct rotation *rotation, enum pe_dtype dtype,
                        struct picture *picture)
{
    static double doubles[SLOTS][ROWS * COLS];
    const struct pe_rect all = {0, pe_positions_count(rotation->pos), 0, rotation->cols};
    double *const out[SLOTS] = {doubles[0], rotation->bands[1].slot == 1 ? doubles[1] : NULL};

    memset(picture, 0, sizeof *picture);
    rotation_filler.reference(rotation, &all, out, NULL, NULL);
    for (size_t i = 0; i < SLOTS; i++)
        if (out[i])
            pe_dtype_from_f64(dtype, picture->bytes[i], out[i], all.rows * all.cols);
}

/* Draws on every CPU path, and expects the picture. */
static void expect(const struct rotation *rotation, enum pe_dtype dtype,
                   const struct picture *wanted)
{
    static struct picture picture;
    const size_t used = pe_cpu_path();

    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path))
            continue;
        if (!draw_typed(rotation, dtype, &picture)) { /* a row beyond the fine rows */
            ck_assert_uint_eq(pe_positions_count(rotation->pos), 1);
            continue;
        }
        ck_assert_mem_eq(&picture, wanted, sizeof picture);
    }
    ck_assert(pe_cpu_path_set(used));
}

START_TEST(short_lists_have_the_bytes_of_direct_evaluation)
{
    static struct picture direct;
    struct core_random random = {(uint64_t)_i};

    for (int trial = 0; trial < TRIALS; trial++) {
        const size_t pairs = 1 + below(&random, PAIRS_MOST);
        const enum pe_dtype dtype = dtypes[below(&random, 3)];
        struct position_slice slices[3];
        const size_t count = trial % 10 == 4 ? 1 : 1 + below(&random, 3);
        struct rotation_table *table = table_of(bases[_i], pairs, true);
        struct rotation rotation = {.table = table,
                                    .amplitude = amplitudes[below(&random, 6)],
                                    .zero_position = trial % 7 == 0 ? 3 : NAN};

        for (size_t i = 0; i < count; i++)
            slices[i] = (struct position_slice){
                trial % 2 == 0 ? (double)core_random_whole(&random, -300, 300)
                               : start_of(&random) / 2,
                1 + core_random_whole(&random, 0, trial % 3 == 0 ? 1000000 : 0),
                1 + below(&random, trial % 10 == 4 ? 1 : 169)};
        for (size_t i = 0; i < count; i++)
            slices[i].first = trunc(slices[i].first);
        struct pe_positions *pos = positions_new(slices, NULL, count);
        rotation.pos = pos;
        ck_assert_uint_lt(pe_positions_count(pos), ROTATION_FINE_FROM);
        lay_out(&rotation, pairs, below(&random, LAYOUTS));
        draw_direct(&rotation, dtype, &direct);
        expect(&rotation, dtype, &direct);
        positions_free(pos);
        rotation_table_free(table);
    }
}
END_TEST

START_TEST(fine_rows_of_a_stride_have_the_bytes_of_those_of_positions)
{
    static struct picture plain;
    struct core_random random = {(uint64_t)_i};

    for (int trial = 0; trial < TRIALS / 3; trial++) {
        const size_t pairs = 1 + below(&random, PAIRS_MOST);
        const enum pe_dtype dtype = dtypes[below(&random, 3)];
        const size_t rows = (size_t)1 << (2 + below(&random, 7));
        const struct position_slice slice = {
            trunc(start_of(&random) / 2),
            core_random_whole(&random, 8, trial % 2 ? 1000 : 1000000000000) *
                (trial % 3 == 0 ? -1 : 1),
            512 + below(&random, ROWS - 512)};
        struct rotation_table *table = table_of(bases[_i], pairs, true);
        struct pe_positions *pos = positions_new(&slice, NULL, 1);
        struct rotation rotation = {.table = table,
                                    .pos = pos,
                                    .amplitude = amplitudes[below(&random, 6)],
                                    .zero_position = NAN};
        void *memory = aligned_alloc(64, rotation_fine_bytes(rows, pairs));

        lay_out(&rotation, pairs, below(&random, LAYOUTS));
        ck_assert(draw_typed(&rotation, dtype, &plain));
        rotation.stride = rotation_fine_make(memory, table->freq, rows, pairs, slice.step);
        expect(&rotation, dtype, &plain);
        free(memory);
        positions_free(pos);
        rotation_table_free(table);
    }
}
END_TEST

SUITE(rotation_exact, TEST_EACH(short_lists_have_the_bytes_of_direct_evaluation, bases),
      TEST_EACH(fine_rows_of_a_stride_have_the_bytes_of_those_of_positions, bases));
