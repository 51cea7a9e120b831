/* SPDX-License-Identifier: Apache-2.0
 * test_resample_strip.c - places that are computed together have the bytes of places that are
 * computed alone, also where their sums lie between two elements, cancel, or are no numbers. */
#include <math.h>
#include <stdlib.h>

#include "core/math/resample/resample_plane.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { TRIALS = 84, OLD = 24, NEW = 9, STRIDE = 11, CHANNELS = 140, EXTRA = 3 };
enum { ROWS = OLD * OLD + EXTRA };

enum { REALS, MIDDLES, WHOLE, ZEROS, ODD, HUGE_TERMS, TINY_TERMS, KINDS };

static const enum pe_dtype tables[] = {PE_F32, PE_BF16, PE_F64};
static const enum pe_dtype dtypes[] = {PE_F32, PE_F16, PE_BF16};

struct axis_memory {
    uint32_t first[NEW], taps[NEW];
    struct dd weights[NEW * STRIDE];
};

/* Weights that add up to 1 but for roundings, or eighths. */
static struct resample_axis draw_axis(struct core_random *random, int64_t before, int64_t after,
                                      bool eighths, struct axis_memory *memory)
{
    const int64_t taps = core_random_whole(random, 3, before < STRIDE ? before : STRIDE);

    for (int64_t d = 0; d < after; d++) {
        memory->taps[d] = (uint32_t)core_random_whole(random, 1, taps);
        memory->first[d] = (uint32_t)((before - memory->taps[d]) * d / after);
    }
    memory->taps[after / 2] = (uint32_t)taps; /* strips are used */
    memory->first[after / 2] = (uint32_t)((before - taps) / 2);
    for (size_t d = 0; d < (size_t)after; d++) {
        struct dd *weights = memory->weights + d * STRIDE;
        double sum = 0;

        for (size_t i = 0; i < memory->taps[d]; i++) {
            const double whole = (double)core_random_whole(random, -3, 8);

            weights[i] = (struct dd){eighths ? whole / 8 : core_random_real(random, 0, 1), 0};
            sum += weights[i].hi;
        }
        for (size_t i = 0; i < memory->taps[d] && !eighths; i++)
            weights[i].hi /= sum;
    }
    return (struct resample_axis){STRIDE, memory->first, memory->taps, memory->weights};
}

static double draw_value(struct core_random *random, int kind, size_t channel)
{
    static const double scales[] = {0x1p7, 0x1p10, 0x1p23}; /* of bf16, f16, f32 */
    static const double odd[] = {INFINITY, -INFINITY, NAN, 0, -0.0, 1e38, -3e38, 1e-40};

    if (kind == MIDDLES) /* the middle of two elements, of which roundings choose one */
        return scales[channel % 3] + 0.5 + (double)(channel / 3 % 64);
    if (kind == WHOLE)
        return (double)core_random_whole(random, -9, 9);
    if (kind == ZEROS)
        return 0;
    if (kind == ODD && core_random_whole(random, 0, 40) == 0)
        return odd[core_random_whole(random, 0, 7)];
    if (kind == HUGE_TERMS)
        return core_random_whole(random, 0, 1) ? 1e308 : -1e308;
    if (kind == TINY_TERMS)
        return 1e-310 * (double)core_random_whole(random, -9, 9);
    return core_random_real(random, -4, 4);
}

static void expect_alike(const struct resample_plane *plane, const struct pe_rect *rect,
                         const void *data)
{
    const size_t count = (size_t)(rect->rows * rect->cols);
    double *values = malloc(count * sizeof *values);
    char *out = malloc(count * sizeof *values), *wanted = malloc(count * sizeof *values);
    void *scratch = aligned_alloc(64, resample_plane_filler.scratch(plane, count));

    ck_assert(values && out && wanted && scratch);
    resample_plane_filler.reference(plane, rect, &values, &data, NULL);
    for (size_t d = 0; d < PE_LEN(dtypes); d++) {
        void *to = out;

        ck_assert(resample_plane_filler.vectors(plane, rect, dtypes[d], &to, &data, scratch));
        pe_dtype_from_f64(dtypes[d], wanted, values, count);
        ck_assert_mem_eq(out, wanted, count * pe_dtype_size(dtypes[d]));
    }
    free(values);
    free(out);
    free(wanted);
    free(scratch);
}

/* Draws a table, two axes and a rectangle. _i: the CPU path. */
START_TEST(places_have_the_same_bytes_together_and_alone)
{
    static double numbers[ROWS * CHANNELS];
    static char data[sizeof numbers + 1];
    struct core_random random = {11};
    const size_t used = pe_cpu_path();

    if (!pe_cpu_path_set((size_t)_i))
        return; /* not in this CPU */
    for (int trial = 0; trial < TRIALS; trial++) {
        const bool eighths = trial % 2 == 1;
        const enum pe_dtype dtype = tables[trial % 3];
        const uint64_t channels = (uint64_t)core_random_whole(&random, 1, CHANNELS);
        struct axis_memory memory[2];
        struct resample_plane plane = {
            .from = {core_random_whole(&random, 3, OLD), core_random_whole(&random, 3, OLD)},
            .to = {core_random_whole(&random, 1, NEW), core_random_whole(&random, 1, NEW)},
            .prefix = (uint64_t)core_random_whole(&random, 0, EXTRA),
            .cancelled = 0x1p-10};
        const uint64_t rows = (uint64_t)(plane.to.height * plane.to.width) + EXTRA;
        const struct pe_tensor table = {
            .dtype = dtype,
            .rank = 2,
            .dims = {(uint64_t)(plane.from.height * plane.from.width) + EXTRA, channels}};
        struct pe_rect rect = {
            .row = (uint64_t)core_random_whole(&random, 0, 4),
            .col = (uint64_t)core_random_whole(&random, 0, (int64_t)channels - 1)};

        rect.row = rect.row < rows ? rect.row : 0;
        rect.rows = rows - rect.row;
        rect.cols = channels - rect.col;
        plane.table = &table;
        plane.rows = draw_axis(&random, plane.from.height, plane.to.height, eighths, memory);
        plane.cols = draw_axis(&random, plane.from.width, plane.to.width, eighths, memory + 1);
        const int kind = dtype == PE_F64 ? trial / 3 % KINDS : trial / 3 % HUGE_TERMS;
        for (size_t i = 0; i < table.dims[0] * channels; i++)
            numbers[i] = draw_value(&random, kind, i % channels);
        pe_dtype_from_f64(dtype, data + trial % 2, numbers, table.dims[0] * channels);
        expect_alike(&plane, &rect, data + trial % 2); /* of any alignment */
    }
    ck_assert(pe_cpu_path_set(used));
}
END_TEST

SUITE(resample_strip, TEST_RANGE(places_have_the_same_bytes_together_and_alone, 0, 3));
