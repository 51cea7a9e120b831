/* SPDX-License-Identifier: Apache-2.0
 * test_rotation_table.c - tables, and which requests are filled from them by the fast path. */
#include <math.h>

#include "core/args/positions.h"
#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"
#include "tests/support/suite.h"

enum { PAIRS = 21 };

static struct rotation_table *table_of(size_t pairs, bool with_fine)
{
    const struct frequency_ladder ladder = {10000, (double)pairs, pairs, 1, 1, 0};
    struct rotation_table *table = rotation_table_new(&ladder, with_fine);

    ck_assert_ptr_nonnull(table);
    return table;
}

START_TEST(fine_rows_are_the_direct_roads)
{
    struct rotation_table *table = table_of(PAIRS, true);

    ck_assert_uint_eq(table->pairs, PAIRS);
    const struct rotation_fine *fine = rotation_table_fine(table);
    ck_assert_uint_eq(fine->rows, 256);
    for (size_t row = 0; row < fine->rows; row++)
        for (size_t pair = 0; pair < PAIRS; pair++) {
            double sine, cosine;

            phase_sincos_at(&table->freq[pair], (double)row, &sine, &cosine);
            ck_assert_double_eq(fine->sin[row * PAIRS + pair], sine);
            ck_assert_double_eq(fine->cos[row * PAIRS + pair], cosine);
        }
    rotation_table_free(table);
}
END_TEST

START_TEST(wide_tables_have_fewer_fine_rows)
{
    static const size_t rows[][2] = {{1, 256}, {512, 256}, {513, 128}, {2048, 64}, {32768, 4}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rotation_table *table = table_of(rows[i][0], PE_GROWTH_WORTH);

        ck_assert_uint_eq(rotation_table_fine(table)->rows, rows[i][1]);
        ck_assert_uint_le(table->bytes, (4 << 20) + rows[i][0] * sizeof *table->freq);
        rotation_table_free(table);
    }
}
END_TEST

START_TEST(a_table_without_fine_rows_is_frequencies)
{
    struct rotation_table *table = table_of(PAIRS, false);

    ck_assert_ptr_null(rotation_table_fine(table));
    ck_assert_double_eq(table->freq[0].hi, 1);
    rotation_table_free(table);
    rotation_table_free(NULL);
}
END_TEST

START_TEST(a_table_grows_once_fine_rows_are_worth_it)
{
    struct rotation_table *table = table_of(PAIRS, false), *own = table_of(PAIRS, false);
    const size_t bytes = rotation_fine_bytes(256, PAIRS);

    for (int i = 0; i < 3; i++) /* one row, and positions that fine rows cannot serve */
        ck_assert_uint_eq(rotation_table_grow(table, (uint64_t)i % 2, PE_GROWTH_WORTH), 0);
    ck_assert_uint_eq(rotation_table_grow(table, 63, PE_GROWTH_WORTH),
                      0); /* the first asking */
    ck_assert_uint_eq(rotation_table_grow(table, 2, PE_GROWTH_TOLD), bytes); /* and only told */
    ck_assert_ptr_null(rotation_table_fine(table));
    ck_assert_uint_eq(rotation_table_grow(table, 2, PE_GROWTH_WORTH), bytes);
    ck_assert_ptr_nonnull(rotation_table_fine(table));
    ck_assert_uint_eq(rotation_table_grow(table, 512, PE_GROWTH_WORTH), 0); /* it has them */

    for (int i = 0; i < 3; i++) /* nobody else would use them */
        ck_assert_uint_eq(rotation_table_grow(own, 511, PE_GROWTH_NEEDED), 0);
    ck_assert_uint_eq(rotation_table_grow(own, 512, PE_GROWTH_NEEDED),
                      bytes); /* they decide the values */
    rotation_table_free(own);
    own = table_of(PAIRS, false);
    ck_assert_uint_eq(rotation_table_grow(own, 64, PE_GROWTH_WORTH),
                      bytes); /* a quarter of the rows */
    rotation_table_free(own);
    rotation_table_free(table);
}
END_TEST

static struct rotation of_positions(const struct pe_positions *pos,
                                    const struct rotation_table *table)
{
    return (struct rotation){.table = table,
                             .pos = pos,
                             .amplitude = 1,
                             .zero_position = NAN,
                             .cols = PAIRS,
                             .band_count = 1,
                             .bands = {{0, ROTATION_SIN, 0, PAIRS, 0, 1}}};
}

START_TEST(only_what_the_fast_road_may_serve_is_typed)
{
    static char out[PAIRS * 8], scratch[256 + 8 * PAIRS * sizeof(double)];
    static const float w[PAIRS];
    const struct position_slice slice = {0, 1, 700};
    struct pe_positions *whole = positions_new(&slice, NULL, 1);
    struct pe_positions *real = positions_new(NULL, (double[]){0.5}, 1);
    struct rotation_table *fine = table_of(PAIRS, true), *plain = table_of(PAIRS, false);
    const struct pe_rect one = {0, 1, 0, PAIRS};
    struct rotation rotation = of_positions(whole, fine);

    ck_assert(rotation_filler.typed(&rotation, &one, PE_F32, (void *[]){out, NULL}, scratch));
    ck_assert(!rotation_filler.typed(&rotation, &one, PE_F64, (void *[]){out, NULL}, scratch));
    rotation.pos = real;
    ck_assert(!rotation_filler.typed(&rotation, &one, PE_F32, (void *[]){out, NULL}, scratch));
    rotation.pos = whole;
    rotation.angle = ROTATION_F32_TIMES;
    rotation.f32 = w;
    ck_assert(!rotation_filler.typed(&rotation, &one, PE_F32, (void *[]){out, NULL}, scratch));
    rotation.angle = ROTATION_EXACT;
    rotation.table = plain;
    ck_assert(!rotation_filler.typed(&rotation, &one, PE_F32, (void *[]){out, NULL}, scratch));
    rotation_table_free(fine);
    rotation_table_free(plain);
    positions_free(whole);
    positions_free(real);
}
END_TEST

SUITE(rotation_table, TEST(fine_rows_are_the_direct_roads),
      TEST(a_table_grows_once_fine_rows_are_worth_it), TEST(wide_tables_have_fewer_fine_rows),
      TEST(a_table_without_fine_rows_is_frequencies),
      TEST(only_what_the_fast_road_may_serve_is_typed));
