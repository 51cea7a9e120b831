/* SPDX-License-Identifier: Apache-2.0
 * test_toeplitz.c - rectangles of a matrix of differences: the same elements by diagonals, by
 * rows, and however the matrix is divided. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "core/math/relative/toeplitz.h"
#include "tests/support/suite.h"

enum { HEADS = 3 };

/* Not symmetric, different in every head, and it rounds in every narrow dtype. */
static double value_at(const void *context, size_t head, double distance)
{
    return distance < 0 ? -0.1 * (double)(head + 1) : 1 / (1 + distance + (double)head);
}

static size_t diagonals, rows, values;

static void diagonal(const void *context, size_t head, double first, double step, size_t count,
                     double *out)
{
    diagonals++;
    values += count;
    for (size_t t = 0; t < count; t++)
        out[t] = value_at(NULL, head, first + step * (double)t);
}

static void row(const void *context, size_t head, double query, const double *keys,
                size_t count, double *out)
{
    rows++;
    values += count;
    for (size_t t = 0; t < count; t++)
        out[t] = value_at(NULL, head, query - keys[t]);
}

static struct pe_positions *list(const char *text)
{
    struct pe_positions *pos;
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(positions_parse(&pos, "pos", text, strlen(text), true, &errors), PE_OK);
    return pos;
}

static struct toeplitz matrix_of(const char *q, const char *k)
{
    diagonals = rows = values = 0;
    return (struct toeplitz){.value = value_at,
                             .diagonal = diagonal,
                             .row = row,
                             .heads = HEADS,
                             .q = list(q),
                             .k = list(k)};
}

static void free_matrix(struct toeplitz *matrix)
{
    positions_free((struct pe_positions *)matrix->q);
    positions_free((struct pe_positions *)matrix->k);
}

static void fill(const struct toeplitz *matrix, const struct pe_rect *rect, enum pe_dtype dtype,
                 void *out)
{
    const size_t size = toeplitz_filler.scratch(matrix, rect->rows * rect->cols);
    void *scratch = malloc(size + 1);

    ck_assert(toeplitz_filler.typed(matrix, rect, dtype, (void *[]){out}, scratch));
    free(scratch);
}

/* Every element of a rectangle against its definition. */
static void check_rect(const struct toeplitz *matrix, enum pe_dtype dtype,
                       const struct pe_rect *rect)
{
    const uint64_t queries = pe_positions_count(matrix->q);
    const size_t size = pe_dtype_size(dtype);
    char *out = malloc(rect->rows * rect->cols * size + 1);

    fill(matrix, rect, dtype, out);
    for (uint64_t i = 0; i < rect->rows; i++)
        for (uint64_t j = 0; j < rect->cols; j++) {
            const uint64_t at = rect->row + i;
            const double distance = pe_positions_at(matrix->q, at % queries) -
                                    pe_positions_at(matrix->k, rect->col + j);
            const double value = value_at(NULL, (size_t)(at / queries), distance);
            char expected[8];

            pe_dtype_from_f64(dtype, expected, &value, 1);
            ck_assert_mem_eq(out + (i * rect->cols + j) * size, expected, size);
        }
    free(out);
}

static void check_dtype(const struct toeplitz *matrix, enum pe_dtype dtype)
{
    const uint64_t height = HEADS * pe_positions_count(matrix->q);
    const uint64_t width = pe_positions_count(matrix->k);
    uint64_t random = 3;

    check_rect(matrix, dtype, &(struct pe_rect){0, height, 0, width});
    for (int i = 0; i < 40; i++) {
        struct pe_rect rect;

        random = random * 6364136223846793005u + 1442695040888963407u;
        rect.row = (random >> 20) % height;
        rect.rows = 1 + (random >> 33) % (height - rect.row);
        rect.col = (random >> 44) % width;
        rect.cols = 1 + (random >> 55) % (width - rect.col);
        check_rect(matrix, dtype, &rect);
    }
}

static void check_whole(struct toeplitz matrix)
{
    static const enum pe_dtype dtypes[] = {PE_F32, PE_F16, PE_BF16, PE_F64};

    for (size_t d = 0; d < 4; d++)
        check_dtype(&matrix, dtypes[d]);
}

START_TEST(steps_of_one_stride_are_filled_by_diagonals)
{
    struct toeplitz matrix = matrix_of("0:37", "0:37");

    check_whole(matrix);
    ck_assert_uint_gt(diagonals, 0);
    ck_assert_uint_eq(rows, 0);
    free_matrix(&matrix);
    matrix = matrix_of("100:200:7", "3:150:7");
    check_whole(matrix);
    ck_assert_uint_eq(rows, 0);
    free_matrix(&matrix);
    matrix = matrix_of("30:-30:-2", "50:0:-2");
    check_whole(matrix);
    ck_assert_uint_eq(rows, 0);
    free_matrix(&matrix);
}
END_TEST

START_TEST(one_diagonal_serves_all_rows_of_a_head)
{
    static float out[HEADS * 64 * 64];
    struct toeplitz matrix = matrix_of("0:64", "0:64");

    fill(&matrix, &(struct pe_rect){0, HEADS * 64, 0, 64}, PE_F32, out);
    ck_assert_uint_eq(diagonals, HEADS);
    free_matrix(&matrix);
}
END_TEST

/* The cost of a block as the service fills it is counted in values, not in time. */
START_TEST(the_cost_of_a_block_is_what_its_values_cost)
{
    static const struct {
        const char *q, *k;
        uint64_t rows, cols;
    } blocks[] = {{"0:128", "0:128", 128, 128},
                  {"0:4000", "0:2000", 8, 2000},
                  {"0:3", "0:16384", 1, 16384},
                  {"0:16384", "0:4", 4096, 4},
                  {"0:100", "0:200:2", 81, 100}};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const struct pe_rect rect = {0, blocks[i].rows, 0, blocks[i].cols};
        const uint64_t elements = rect.rows * rect.cols;
        struct toeplitz matrix = matrix_of(blocks[i].q, blocks[i].k);
        float *out = malloc(elements * sizeof *out);
        double declared, counted;

        matrix.ns = 1000;
        fill(&matrix, &rect, PE_F32, out);
        declared = toeplitz_filler.cost(&matrix, PE_F32) * (double)elements;
        counted = matrix.ns * (double)values + (double)elements;
        ck_assert(declared > counted / 2.5 && declared < counted * 2.5);
        free(out);
        free_matrix(&matrix);
    }
}
END_TEST

START_TEST(the_cost_by_difference_has_what_the_heads_share_in_it)
{
    double out[HEADS * 199], declared, counted;
    const struct pe_rect rect = {0, HEADS, 0, 199};
    struct toeplitz matrix = matrix_of("0:100", "0:100");

    matrix.ns = 20;
    matrix.shared_ns = 3000;
    toeplitz_compact_filler.reference(&matrix, &rect, (double *[]){out}, NULL, NULL);
    declared = toeplitz_compact_filler.cost(&matrix, PE_F32) * HEADS * 199;
    counted = (matrix.ns + matrix.shared_ns) * (double)values;
    ck_assert(declared >= counted && declared < counted * 1.1);
    free_matrix(&matrix);
}
END_TEST

START_TEST(other_positions_are_filled_by_rows_or_piecewise)
{
    static const char *const pairs[][2] = {
        {"0:20", "0:40:2"},          {"5,9,12,100,3", "0:30"}, {"0:30", "5,9,12,100,3"},
        {"0:10,50:60", "0:10,7:20"}, {"0.5,1.25,7", "0:9"},    {"0:9", "0.5,1.25,7"},
        {"127:128", "0:128:3"},      {"0:128:3", "5:6"},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct toeplitz matrix = matrix_of(pairs[i][0], pairs[i][1]);

        check_whole(matrix);
        free_matrix(&matrix);
    }
}
END_TEST

START_TEST(without_a_diagonal_every_row_is_computed)
{
    struct toeplitz matrix = matrix_of("0:20", "0:30");

    matrix.value = NULL;
    check_whole(matrix);
    ck_assert_uint_eq(diagonals, 0);
    free_matrix(&matrix);
}
END_TEST

START_TEST(tiles_join_without_a_seam)
{
    struct toeplitz matrix = matrix_of("0:2100", "0:5000");

    check_rect(&matrix, PE_F32, &(struct pe_rect){0, 2, 0, 5000});
    check_rect(&matrix, PE_F32, &(struct pe_rect){1, 2100, 4990, 10});
    check_rect(&matrix, PE_BF16, &(struct pe_rect){2040, 100, 1900, 2500});
    free_matrix(&matrix);
}
END_TEST

static void check_kept(const char *q, const char *k)
{
    static const enum pe_dtype dtypes[] = {PE_F32, PE_F16, PE_BF16, PE_F64};
    struct toeplitz matrix = matrix_of(q, k);
    const uint64_t differences = toeplitz_differences(&matrix);

    ck_assert_uint_eq(differences,
                      pe_positions_count(matrix.q) + pe_positions_count(matrix.k) - 1);
    for (size_t d = 0; d < 4; d++) {
        void *kept = malloc(HEADS * differences * pe_dtype_size(dtypes[d]));

        toeplitz_make_diagonals(&matrix, dtypes[d], kept);
        matrix.diagonals = kept;
        check_dtype(&matrix, dtypes[d]);
        matrix.diagonals = NULL;
        free(kept);
    }
    ck_assert_uint_eq(rows, 0);
    free_matrix(&matrix);
}

START_TEST(rows_are_windows_of_diagonals_that_are_kept)
{
    check_kept("0:90", "0:110");
    check_kept("-1000:-200:7", "3:750:7");
    check_kept("90:-90:-2", "200:0:-2");
    check_kept("9007199254740700:9007199254740800", "9007199254740700:9007199254740900");
}
END_TEST

START_TEST(long_answers_are_windows_too)
{
    struct toeplitz matrix = matrix_of("0:700", "0:650");
    float *kept = malloc(HEADS * 1349 * sizeof *kept);

    toeplitz_make_diagonals(&matrix, PE_F32, kept);
    matrix.diagonals = kept;
    check_rect(&matrix, PE_F32, &(struct pe_rect){0, HEADS * 700, 0, 650});
    check_rect(&matrix, PE_F32, &(struct pe_rect){1, HEADS * 700 - 2, 3, 640});
    free(kept);
    free_matrix(&matrix);
}
END_TEST

START_TEST(diagonals_are_kept_where_that_pays)
{
    static const char *const not [][2] = {
        {"0:15", "0:100000"},                            /* each is used by few rows */
        {"0:64", "0:64"},                                /* one block, and one diagonal in it */
        {"0:200", "0:400:2"},                            /* a head has more than one diagonal */
        {"0:200", "0:100,200:300"},                      /* nor here */
        {"0:9000000", "0:9000000"},                      /* too many */
        {"9007199254740700:9007199254740900", "-200:0"}, /* differences that are rounded */
    };

    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        struct toeplitz matrix = matrix_of(not [i][0], not [i][1]);

        ck_assert_msg(toeplitz_differences(&matrix) == 0, "q=%s k=%s", not [i][0], not [i][1]);
        ck_assert(toeplitz_plan_ns(&matrix) == 0);
        free_matrix(&matrix);
    }
}
END_TEST

START_TEST(expensive_values_are_kept_within_a_tenth_of_a_second)
{
    struct toeplitz matrix = matrix_of("0:1000", "0:1000");

    matrix.ns = 10000;
    ck_assert_uint_eq(toeplitz_differences(&matrix), 1999);
    ck_assert(toeplitz_plan_ns(&matrix) > 1e4 * HEADS * 1999);
    matrix.ns = 100000;
    ck_assert_uint_eq(toeplitz_differences(&matrix), 0);
    matrix.ns = 0;
    matrix.shared_ns = 40000; /* once for all heads */
    ck_assert_uint_eq(toeplitz_differences(&matrix), 1999);
    free_matrix(&matrix);
}
END_TEST

/* Differences between 2^53 and 2^54 are not all doubles: how they round must not depend on
 * the rectangle. */
START_TEST(differences_beyond_2_53_do_not_depend_on_the_division)
{
    struct toeplitz matrix =
        matrix_of("9007199254740900:9007199254740993", "-9007199254740992:-9007199254740900");

    check_whole(matrix);
    free_matrix(&matrix);
}
END_TEST

START_TEST(empty_rectangles_are_legal)
{
    struct toeplitz matrix = matrix_of("0:0", "0:5");

    fill(&matrix, &(struct pe_rect){0, 0, 0, 5}, PE_F32, NULL);
    free_matrix(&matrix);
    matrix = matrix_of("0:5", "0:0");
    fill(&matrix, &(struct pe_rect){0, 5, 0, 0}, PE_F32, NULL);
    free_matrix(&matrix);
}
END_TEST

START_TEST(doubles_are_the_same_values)
{
    static double doubles[HEADS * 30 * 30], typed[HEADS * 30 * 30];
    static double scratch[3 * (HEADS * 30 * 30 + 1)];
    struct toeplitz matrix = matrix_of("0:30", "0:30");
    const struct pe_rect all = {0, HEADS * 30, 0, 30};

    toeplitz_filler.reference(&matrix, &all, (double *[]){doubles}, NULL, scratch);
    fill(&matrix, &all, PE_F64, typed);
    ck_assert_mem_eq(doubles, typed, sizeof typed);
    free_matrix(&matrix);
}
END_TEST

SUITE(toeplitz, TEST(steps_of_one_stride_are_filled_by_diagonals),
      TEST(one_diagonal_serves_all_rows_of_a_head),
      TEST(the_cost_of_a_block_is_what_its_values_cost),
      TEST(the_cost_by_difference_has_what_the_heads_share_in_it),
      TEST(other_positions_are_filled_by_rows_or_piecewise),
      TEST(without_a_diagonal_every_row_is_computed), TEST(tiles_join_without_a_seam),
      TEST(rows_are_windows_of_diagonals_that_are_kept), TEST(long_answers_are_windows_too),
      TEST(diagonals_are_kept_where_that_pays),
      TEST(expensive_values_are_kept_within_a_tenth_of_a_second),
      TEST(differences_beyond_2_53_do_not_depend_on_the_division),
      TEST(empty_rectangles_are_legal), TEST(doubles_are_the_same_values));
