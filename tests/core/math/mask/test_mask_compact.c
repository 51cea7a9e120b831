/* SPDX-License-Identifier: Apache-2.0
 * test_mask_compact.c - bits, runs, blocks and empty rows say the same as the mask that they
 * are made of, from any corner on. */

#include "core/math/mask/mask.h"
#include "tests/support/suite.h"

enum { BATCHES = 2, QUERIES = 7, KEYS = 37, BLOCK = 4, MOST = 20 };
enum { BLOCKS_Q = (QUERIES + BLOCK - 1) / BLOCK, BLOCKS_K = (KEYS + BLOCK - 1) / BLOCK };
enum { BYTES = (KEYS + 7) / 8, ROWS = BATCHES * QUERIES };

/* Holes and runs, whole blocks and none; batch 1 sees nothing from query 5. */
static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    if (batch == 1 && query == 5)
        return false;
    return key < 4 || (key > 8 && (key + query) % 5 < 2) || key >= 32 + 2 * query;
}

static const struct mask_rule rule = {.sees = sees};
static const struct mask mask = {.rule = &rule, .queries = QUERIES, .keys = KEYS};

static bool at(uint64_t row, uint64_t col)
{
    return sees(NULL, row / QUERIES, (int64_t)(row % QUERIES), (int64_t)col);
}

/* Fills an output in rectangles of these sides. */
static void fill(const struct pe_filler *filler, const void *state, uint64_t rows,
                 uint64_t cols, double *out, uint64_t height, uint64_t width)
{
    double part[ROWS * MOST * 2];

    for (uint64_t row = 0; row < rows; row += height) {
        for (uint64_t col = 0; col < cols; col += width) {
            const struct pe_rect rect = {row, rows - row < height ? rows - row : height, col,
                                         cols - col < width ? cols - col : width};

            pe_fill_doubles(filler, state, &rect, (double *[]){part}, NULL, NULL);
            for (uint64_t i = 0; i < rect.rows * rect.cols; i++)
                out[(row + i / rect.cols) * cols + col + i % rect.cols] = part[i];
        }
    }
}

START_TEST(bits_are_the_keys_eight_a_byte)
{
    const struct mask_compact compact = {.mask = &mask, .flip = _i & 1};
    double out[ROWS * BYTES];

    fill(&mask_bits_filler, &compact, ROWS, BYTES, out, 1 + (uint64_t)_i, 1 + (uint64_t)_i / 2);
    for (uint64_t row = 0; row < ROWS; row++) {
        for (uint64_t col = 0; col < 8 * BYTES; col++) {
            const bool bit = (unsigned)out[row * BYTES + col / 8] >> col % 8 & 1;

            ck_assert(bit == (col < KEYS && at(row, col) != compact.flip));
        }
    }
}
END_TEST

START_TEST(runs_are_where_keys_begin_and_end)
{
    const struct mask_compact compact = {.mask = &mask, .most = MOST};
    double out[ROWS * MOST * 2];

    fill(&mask_runs_filler, &compact, ROWS * MOST, 2, out, _i == 0 ? ROWS * MOST : 3,
         _i == 2 ? 1 : 2);
    for (uint64_t row = 0; row < ROWS; row++) {
        const double *run = out + row * MOST * 2;
        uint64_t seen = 0;

        for (uint64_t i = 0; i < MOST && run[2 * i] >= 0; i++) {
            const uint64_t from = (uint64_t)run[2 * i], end = (uint64_t)run[2 * i + 1];

            ck_assert(from < end && end <= KEYS);
            ck_assert(i == 0 || run[2 * i - 1] < run[2 * i]); /* a gap between */
            for (uint64_t col = from; col < end; col++, seen++)
                ck_assert(at(row, col));
        }
        for (uint64_t col = 0; col < KEYS; col++)
            seen -= at(row, col);
        ck_assert_uint_eq(seen, 0);
        ck_assert(run[2 * MOST - 2] == -1 && run[2 * MOST - 1] == -1);
    }
}
END_TEST

/* 0, 1 or 2, of the elements that the block has. */
static double kind(uint64_t batch, uint64_t y, uint64_t x)
{
    uint64_t all = 0, seen = 0;

    for (uint64_t query = y * BLOCK; query < (y + 1) * BLOCK && query < QUERIES; query++)
        for (uint64_t key = x * BLOCK; key < (x + 1) * BLOCK && key < KEYS; key++, all++)
            seen += at(batch * QUERIES + query, key);
    return seen == 0 ? 0 : seen == all ? 2 : 1;
}

START_TEST(blocks_are_empty_part_or_whole)
{
    const struct mask_compact compact = {.mask = &mask, .block = BLOCK};
    double kinds[BATCHES * BLOCKS_Q * BLOCKS_K], indices[BATCHES * BLOCKS_Q * BLOCKS_K];
    size_t counts[3] = {0};

    fill(&mask_blocks_filler, &compact, BATCHES * BLOCKS_Q, BLOCKS_K, kinds, 1 + (uint64_t)_i,
         3);
    fill(&mask_indices_filler, &compact, BATCHES * BLOCKS_Q, BLOCKS_K, indices,
         1 + (uint64_t)_i, 4);
    for (uint64_t row = 0; row < BATCHES * BLOCKS_Q; row++) {
        const double *index = indices + row * BLOCKS_K;

        for (uint64_t x = 0; x < BLOCKS_K; x++) {
            const double right = kind(row / BLOCKS_Q, row % BLOCKS_Q, x);

            ck_assert(kinds[row * BLOCKS_K + x] == right);
            counts[(size_t)right]++;
            if (right > 0)
                ck_assert(*index++ == (double)x);
        }
        while (index < indices + (row + 1) * BLOCKS_K)
            ck_assert(*index++ == -1);
    }
    ck_assert(counts[0] > 0 && counts[1] > 0 && counts[2] > 0);
}
END_TEST

START_TEST(rows_without_a_key_are_told)
{
    double out[ROWS];

    fill(&mask_empty_filler, &mask, BATCHES, QUERIES, out, 1, 2);
    for (uint64_t row = 0; row < ROWS; row++)
        ck_assert(out[row] == (row == QUERIES + 5));
}
END_TEST

SUITE(mask_compact, TEST_RANGE(bits_are_the_keys_eight_a_byte, 0, 4),
      TEST_RANGE(runs_are_where_keys_begin_and_end, 0, 3),
      TEST_RANGE(blocks_are_empty_part_or_whole, 0, 2), TEST(rows_without_a_key_are_told));
