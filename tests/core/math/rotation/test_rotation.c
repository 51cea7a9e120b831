/* SPDX-License-Identifier: Apache-2.0
 * test_rotation.c - rectangles of rotation tables: the same bytes for every division, CPU path
 * and mirror image, and the direct path's value within the bound.
 * lint: long, because every law here needs the same lists of positions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"
#include "tests/support/suite.h"

enum { PAIRS = 21, MOST_ROWS = 1200, MOST_COLS = 2 * PAIRS + 1, SLOTS = 2 };
#define HARD 6134899525417045

static const enum pe_dtype dtypes[] = {PE_F32, PE_F16, PE_BF16, PE_F64};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* ---- what is asked ----------------------------------------------------------------------- */

enum layout { HALVES, INTERLEAVED, DOUBLED, TILED, PADDED, LAYOUTS };

static void lay_out(struct rotation *r, enum layout layout)
{
    const struct rotation_band sines = {0, ROTATION_SIN, 0, PAIRS, 0, 1};
    const struct rotation_band cosines = {1, ROTATION_COS, 0, PAIRS, 0, 1};

    r->bands[0] = sines;
    r->bands[1] = cosines;
    r->band_count = 2;
    r->cols = layout == HALVES ? PAIRS : 2 * PAIRS;
    if (layout == INTERLEAVED || layout == PADDED) { /* s0 c0 s1 c1 ... (0) */
        r->bands[0].step = r->bands[1].step = 2;
        r->bands[1].slot = 0;
        r->bands[1].col = 1;
    }
    if (layout == PADDED) {
        r->bands[r->band_count++] =
            (struct rotation_band){0, ROTATION_ZERO, 0, 1, 2 * PAIRS, 1};
        r->cols++;
    }
    if (layout == DOUBLED || layout == TILED) { /* s0 s0 s1 s1 ..., s0 s1 ... s0 s1 ... */
        const size_t step = layout == DOUBLED ? 2 : 1, second = layout == DOUBLED ? 1 : PAIRS;
        for (size_t i = 0; i < 2; i++) {
            r->bands[i].step = step;
            r->bands[2 + i] = r->bands[i];
            r->bands[2 + i].col = second;
        }
        r->band_count = 4;
    }
}

static struct rotation_table *fine_table;

static void make_table(void)
{
    const struct frequency_ladder ladder = {10000, PAIRS, PAIRS, 1, 1, 0};

    fine_table = rotation_table_new(&ladder, true);
    ck_assert_ptr_nonnull(fine_table);
}

static void free_table(void)
{
    rotation_table_free(fine_table);
}

static const struct position_slice from_zero = {0, 1, 700};
static const struct position_slice across_zero = {-300, 1, 700};
static const struct position_slice backwards = {500, -3, 400};
static const struct position_slice strides = {-9007199254740992, 9000000000007, 1200};
static const struct position_slice to_the_end = {HARD - 350, 1, 700};
static const struct position_slice *const lists[] = {&from_zero, &across_zero, &backwards,
                                                     &strides, &to_the_end};
enum { LISTS = sizeof lists / sizeof *lists };

static struct pe_positions *positions_of(const struct position_slice *slice)
{
    struct pe_positions *pos = positions_new(slice, NULL, 1);

    ck_assert_ptr_nonnull(pos);
    return pos;
}

static struct rotation rotation_of(const struct pe_positions *pos, enum layout layout)
{
    struct rotation rotation = {.table = fine_table,
                                .pos = pos,
                                .amplitude = 1,
                                .zero_position = NAN};

    lay_out(&rotation, layout);
    return rotation;
}

/* ---- filling ----------------------------------------------------------------------------- */

struct picture {
    char bytes[SLOTS][MOST_ROWS * MOST_COLS * sizeof(double)];
};

/* A rectangle as core/plan/fill.c makes it: typed where offered, else doubles and one rounding.
 * */
static void fill(const struct rotation *rotation, enum pe_dtype dtype,
                 const struct pe_rect *rect, void *const out[SLOTS])
{
    const size_t count = rect->rows * rect->cols;
    void *scratch = calloc(1, rotation_filler.scratch(rotation, count));

    if (!rotation_filler.typed(rotation, rect, dtype, out, scratch)) {
        double *doubles[SLOTS] = {NULL, NULL};

        for (size_t i = 0; i < SLOTS; i++)
            doubles[i] = out[i] ? malloc(count * sizeof(double)) : NULL;
        rotation_filler.reference(rotation, rect, doubles, NULL, scratch);
        for (size_t i = 0; i < SLOTS; i++) {
            if (out[i])
                pe_dtype_from_f64(dtype, out[i], doubles[i], count);
            free(doubles[i]);
        }
    }
    free(scratch);
}

/* Fills all elements at once. */
static struct picture *draw(const struct rotation *rotation, enum pe_dtype dtype)
{
    struct picture *picture = calloc(1, sizeof *picture);
    const struct pe_rect all = {0, pe_positions_count(rotation->pos), 0, rotation->cols};
    void *const out[SLOTS] = {picture->bytes[0],
                              rotation->bands[1].slot == 1 ? picture->bytes[1] : NULL};

    fill(rotation, dtype, &all, out);
    return picture;
}

static double element(const struct picture *picture, const struct rotation *rotation,
                      enum pe_dtype dtype, size_t slot, size_t row, size_t col)
{
    double value;

    pe_dtype_to_f64(dtype, &value,
                    picture->bytes[slot] + (row * rotation->cols + col) * pe_dtype_size(dtype),
                    1);
    return value;
}

static void expect_part(const struct picture *whole, const struct rotation *rotation,
                        enum pe_dtype dtype, const struct pe_rect *rect)
{
    const size_t size = pe_dtype_size(dtype);

    for (size_t slot = 0; slot < SLOTS; slot++) {
        static char part[MOST_ROWS * MOST_COLS * sizeof(double)];
        void *const out[SLOTS] = {slot == 0 ? part : NULL, slot == 1 ? part : NULL};

        if (slot == 1 && rotation->bands[1].slot == 0)
            continue;
        fill(rotation, dtype, rect, out); /* one output alone, too */
        for (size_t row = 0; row < rect->rows; row++)
            ck_assert_mem_eq(part + row * rect->cols * size,
                             whole->bytes[slot] +
                                 ((rect->row + row) * rotation->cols + rect->col) * size,
                             rect->cols * size);
    }
}

/* ---- laws -------------------------------------------------------------------------------- */

START_TEST(every_rectangle_has_the_bytes_of_the_whole)
{
    struct pe_positions *pos = positions_of(lists[_i]);
    uint64_t random = 7;

    for (int layout = 0; layout < LAYOUTS; layout++)
        for (size_t d = 0; d < DTYPES; d++) {
            struct rotation rotation = rotation_of(pos, (enum layout)layout);

            rotation.amplitude = layout == TILED ? -0.37 : _i % 2 == 1 ? 1.9 : 1;
            struct picture *whole = draw(&rotation, dtypes[d]);
            for (int i = 0; i < 30; i++) {
                struct pe_rect rect;

                random = random * 6364136223846793005u + 1442695040888963407u;
                rect.row = (random >> 20) % pe_positions_count(pos);
                rect.rows = 1 + (random >> 33) % (i < 20 ? 40 : 400);
                rect.col = (random >> 44) % rotation.cols;
                rect.cols = 1 + (random >> 55) % (rotation.cols - rect.col);
                if (rect.row + rect.rows > pe_positions_count(pos))
                    rect.rows = pe_positions_count(pos) - rect.row;
                expect_part(whole, &rotation, dtypes[d], &rect);
            }
            free(whole);
        }
    positions_free(pos);
}
END_TEST

START_TEST(every_cpu_path_gives_the_same_bytes)
{
    struct pe_positions *pos = positions_of(lists[_i]);
    const size_t before = pe_cpu_path();

    for (int layout = 0; layout < LAYOUTS; layout++)
        for (size_t d = 0; d < DTYPES; d++) {
            const struct rotation rotation = rotation_of(pos, (enum layout)layout);

            ck_assert(pe_cpu_path_set(0));
            struct picture *generic = draw(&rotation, dtypes[d]);
            for (size_t path = 1; path < pe_cpu_path_count(); path++) {
                if (!pe_cpu_path_set(path))
                    continue;
                struct picture *other = draw(&rotation, dtypes[d]);
                ck_assert_mem_eq(generic, other, sizeof *generic);
                free(other);
            }
            free(generic);
        }
    ck_assert(pe_cpu_path_set(before));
    positions_free(pos);
}
END_TEST

/* Values are within 0.501 ULP of the directly evaluated double. */
START_TEST(every_value_is_within_the_bound_of_direct_evaluation)
{
    static const int fraction_bits[] = {23, 10, 7};
    struct pe_positions *pos = positions_of(lists[_i % LISTS]);
    const struct rotation rotation = rotation_of(pos, _i < LISTS ? HALVES : INTERLEAVED);

    for (size_t d = 0; d < 3; d++) {
        struct picture *picture = draw(&rotation, dtypes[d]);

        for (size_t row = 0; row < pe_positions_count(pos); row++)
            for (size_t pair = 0; pair < PAIRS; pair++) {
                double waves[SLOTS];

                phase_sincos_at(&fine_table->freq[pair], pe_positions_at(pos, row), &waves[0],
                                &waves[1]);
                for (size_t slot = 0; slot < SLOTS; slot++) {
                    int exponent;

                    frexp(waves[slot], &exponent);
                    if (dtypes[d] == PE_F16 && exponent < -13)
                        exponent = -13;
                    const double ulp = ldexp(1, exponent - 1 - fraction_bits[d]);
                    const struct rotation_band *band = &rotation.bands[slot];
                    const double value = element(picture, &rotation, dtypes[d], band->slot, row,
                                                 band->col + band->step * pair);
                    ck_assert_double_le(fabs(value - waves[slot]), 0.501 * ulp);
                }
            }
        free(picture);
    }
    positions_free(pos);
}
END_TEST

START_TEST(the_hardest_position_is_right_on_the_fast_road)
{
    struct pe_positions *pos = positions_of(&to_the_end);
    const struct rotation rotation = rotation_of(pos, HALVES);
    struct picture *picture = draw(&rotation, PE_F32);
    double sine, cosine;

    phase_sincos_at(&fine_table->freq[0], (double)HARD, &sine, &cosine);
    ck_assert_double_lt(fabs(sine), 1e-15);
    ck_assert_double_eq(element(picture, &rotation, PE_F32, 1, 350, 0), (double)(float)cosine);
    ck_assert_double_eq(element(picture, &rotation, PE_F32, 0, 350, 0), (double)(float)sine);
    free(picture);
    positions_free(pos);
}
END_TEST

START_TEST(negative_positions_mirror_positive_ones_to_the_bit)
{
    static const int64_t starts[] = {1, 1000003, 9007199254740992 - 700};
    struct pe_positions *pos =
        positions_of(&(struct position_slice){(double)starts[_i], 1, 700});
    struct pe_positions *neg =
        positions_of(&(struct position_slice){(double)-starts[_i], -1, 700});

    for (size_t d = 0; d < DTYPES; d++) {
        const struct rotation right = rotation_of(pos, HALVES), left = rotation_of(neg, HALVES);
        struct picture *a = draw(&right, dtypes[d]), *b = draw(&left, dtypes[d]);

        ck_assert_mem_eq(a->bytes[1], b->bytes[1], sizeof a->bytes[1]);
        for (size_t row = 0; row < 700; row++)
            for (size_t pair = 0; pair < PAIRS; pair++)
                ck_assert(element(a, &right, dtypes[d], 0, row, pair) ==
                          -element(b, &left, dtypes[d], 0, row, pair));
        free(a);
        free(b);
    }
    positions_free(pos);
    positions_free(neg);
}
END_TEST

START_TEST(no_zero_is_negative)
{
    struct pe_positions *pos = positions_of(&across_zero);

    for (size_t d = 0; d < DTYPES; d++) {
        struct rotation rotation = rotation_of(pos, PADDED);

        rotation.amplitude = -1e-6; /* so that float16 rounds much to zero */
        struct picture *picture = draw(&rotation, dtypes[d]);
        size_t zeros = 0;
        for (size_t row = 0; row < 700; row++)
            for (size_t col = 0; col < rotation.cols; col++) {
                const double value = element(picture, &rotation, dtypes[d], 0, row, col);

                zeros += value == 0;
                ck_assert(value != 0 || !signbit(value));
            }
        ck_assert_uint_ge(zeros, 700 + PAIRS);
        free(picture);
    }
    positions_free(pos);
}
END_TEST

START_TEST(the_zero_position_is_a_row_of_zeros)
{
    struct pe_positions *pos = positions_of(&across_zero);

    for (int layout = 0; layout < LAYOUTS; layout++)
        for (size_t d = 0; d < DTYPES; d++) {
            struct rotation rotation = rotation_of(pos, (enum layout)layout);
            struct picture *plain = draw(&rotation, dtypes[d]);

            rotation.zero_position = 17;
            struct picture *padded = draw(&rotation, dtypes[d]);
            for (size_t row = 0; row < 700; row++)
                for (size_t col = 0; col < rotation.cols; col++) {
                    const double value = element(padded, &rotation, dtypes[d], 0, row, col);

                    ck_assert(
                        value ==
                        (row == 317 ? 0 : element(plain, &rotation, dtypes[d], 0, row, col)));
                }
            free(plain);
            free(padded);
        }
    positions_free(pos);
}
END_TEST

START_TEST(scattered_positions_have_the_values_of_runs)
{
    static double values[700];

    for (size_t i = 0; i < 700; i++)
        values[i] = (double)(int64_t)(i * i * i % 1201) * (i % 2 == 0 ? 1 : -1) * 7919;
    struct pe_positions *pos = positions_new(NULL, values, 700);
    const struct rotation rotation = rotation_of(pos, INTERLEAVED);
    struct picture *picture = draw(&rotation, PE_F32);
    for (size_t row = 0; row < 700; row++) {
        struct pe_positions *run =
            positions_of(&(struct position_slice){values[row] - 1, 1, 3});
        const struct rotation alone = rotation_of(run, INTERLEAVED);
        struct picture *three = draw(&alone, PE_F32);

        ck_assert_mem_eq(picture->bytes[0] + row * rotation.cols * 4,
                         three->bytes[0] + rotation.cols * 4, rotation.cols * 4);
        free(three);
        positions_free(run);
    }
    free(picture);
    positions_free(pos);
}
END_TEST

START_TEST(the_float32_profile_takes_float32_steps)
{
    float w[PAIRS];

    frequency_f32_powers(w, PAIRS, 10000, 2 * PAIRS);
    for (size_t i = 0; i < PAIRS; i++)
        w[i] = 1.0f / w[i];
    struct pe_positions *pos = positions_of(&strides);
    struct rotation rotation = rotation_of(pos, HALVES);
    rotation.angle = ROTATION_F32_TIMES;
    rotation.f32 = w;
    rotation.amplitude = 1.3;
    struct picture *picture = draw(&rotation, PE_F32);
    for (size_t row = 0; row < 1200; row++)
        for (size_t pair = 0; pair < PAIRS; pair++) {
            double sine, cosine;
            const float angle = (float)pe_positions_at(pos, row) * w[pair];

            phase_sincos_at(&phase_radian, (double)angle, &sine, &cosine);
            ck_assert_double_eq(element(picture, &rotation, PE_F32, 0, row, pair),
                                (double)((float)sine * 1.3f));
            ck_assert_double_eq(element(picture, &rotation, PE_F32, 1, row, pair),
                                (double)((float)cosine * 1.3f));
        }
    free(picture);
    positions_free(pos);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_RANGE(every_rectangle_has_the_bytes_of_the_whole, 0, LISTS),
    TEST_RANGE(every_cpu_path_gives_the_same_bytes, 0, LISTS),
    TEST_RANGE(every_value_is_within_the_bound_of_direct_evaluation, 0, 2 * LISTS),
    TEST(the_hardest_position_is_right_on_the_fast_road),
    TEST_RANGE(negative_positions_mirror_positive_ones_to_the_bit, 0, 3),
    TEST(no_zero_is_negative),
    TEST(the_zero_position_is_a_row_of_zeros),
    TEST(scattered_positions_have_the_values_of_runs),
    TEST(the_float32_profile_takes_float32_steps),
};

const struct suite rotation_suite = {SUITE_TESTS(tests), .setup = make_table,
                                     .teardown = free_table};
