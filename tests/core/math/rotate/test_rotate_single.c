/* SPDX-License-Identifier: Apache-2.0
 * test_rotate_single.c - float32 vectors in lanes have the bytes of rotate_kernel, in every
 * layout, in place, with NaN and infinities, on every CPU path. */
#include <math.h>
#include <string.h>

#include "core/math/rotate/rotate_single.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { MOST = 150, COUNT = 5, DRAWS = 200 };

static float draw(struct core_random *random)
{
    static const float special[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 0x1.fffffep127f};

    if (core_random_whole(random, 0, 30) == 0)
        return special[core_random_whole(random, 0, 5)];
    return (float)core_random_real(random, -3, 3);
}

static struct rotate_span draw_span(struct core_random *random)
{
    struct rotate_span span = {.from = PE_F32, .to = PE_F32};

    span.pairs = (size_t)core_random_whole(random, 1, 60);
    span.offset = (size_t)core_random_whole(random, 0, 10);
    span.dim = span.offset + 2 * span.pairs + (size_t)core_random_whole(random, 0, 10);
    span.adjacent = core_random_whole(random, 0, 1);
    span.adjacent_out = core_random_whole(random, 0, 1);
    span.apart = core_random_whole(random, 0, 1);
    return span;
}

static void check_draw(struct core_random *random)
{
    const struct rotate_span span = draw_span(random);
    const size_t bytes = COUNT * span.dim * sizeof(float);
    double cosine[2 * MOST], sine[2 * MOST];
    float in[COUNT * MOST], expected[COUNT * MOST], got[COUNT * MOST], kept[MOST];
    struct rotate_job job = {.span = &span,
                             .cosine = cosine,
                             .sine = sine,
                             .in = in,
                             .out = expected,
                             .kept = kept,
                             .count = COUNT};

    for (size_t i = 0; i < COUNT * span.dim; i++)
        in[i] = draw(random);
    for (size_t i = 0; i < 2 * span.pairs; i++) {
        cosine[i] = core_random_real(random, -1, 1);
        sine[i] = core_random_real(random, -1, 1);
    }
    rotate_kernel(&job);
    job.out = got;
    rotate_single(&job);
    ck_assert_mem_eq(got, expected, bytes);
    job.out = in;
    rotate_single(&job);
    ck_assert_mem_eq(in, expected, bytes);
}

START_TEST(lanes_have_the_bytes_of_the_kernel)
{
    const size_t before = pe_cpu_path();
    struct core_random random = {(uint64_t)_i + 1};

    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path))
            continue;
        for (int i = 0; i < DRAWS; i++)
            check_draw(&random);
    }
    pe_cpu_path_set(before);
}
END_TEST

START_TEST(other_vectors_are_left_to_other_kernels)
{
    static const struct rotate_span others[] = {
        {.from = PE_F32, .to = PE_F64, .dim = 4, .pairs = 2},
        {.from = PE_F64, .to = PE_F64, .dim = 4, .pairs = 2},
        {.from = PE_F32, .to = PE_F32, .dim = 4, .pairs = 2, .in_dtype = true},
        {.from = PE_F32, .to = PE_F32, .dim = 4, .pairs = 2, .section_count = 1},
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert(!rotate_single_serves(&others[i]));
}
END_TEST

SUITE(rotate_single, TEST_RANGE(lanes_have_the_bytes_of_the_kernel, 0, 4),
      TEST(other_vectors_are_left_to_other_kernels));
