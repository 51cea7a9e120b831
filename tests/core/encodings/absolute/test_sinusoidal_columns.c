/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal_columns.c - where sines and cosines stand: every layout with every odd
 * policy, against the plain formula. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { WIDEST = 9 };

static const char *const layouts[] = {"interleaved", "interleaved-cs", "concat", "concat-cs"};
static const char *const policies[] = {"error", "extra-sin", "zero-pad", "zero-last",
                                       "ceil-truncate"};

/* The interleaved row by the words of the policies, sine (or cosine) of p w_i in long double:
 * extra-sin and zero-last take exponents 2i/d, zero-pad the row of d-1, ceil-truncate that of
 * d+1. Then a concat row is its even columns followed by its odd ones. */
static void plain_row(double position, int dim, const char *policy, const char *layout,
                      long double row[WIDEST + 1])
{
    bool cosine_first = strstr(layout, "-cs") != NULL;
    bool adjoining = strncmp(layout, "concat", 6) == 0;
    bool odd = dim % 2 == 1;
    bool pad = odd && strcmp(policy, "zero-pad") == 0;
    bool last = odd && strcmp(policy, "zero-last") == 0;
    bool truncate = odd && strcmp(policy, "ceil-truncate") == 0;
    bool extra = odd && strcmp(policy, "extra-sin") == 0;

    long double width = pad ? dim - 1 : truncate ? dim + 1 : dim;
    long double interleaved[WIDEST + 1];
    int at = 0;

    for (int col = 0; col < dim; col++) {
        long double angle = position * powl(10000, -2 * (col / 2) / width);
        bool sine = (col % 2 == 0) != cosine_first;

        if (extra && col == dim - 1)
            sine = true; /* the unpaired column is a sine in every layout */
        interleaved[col] = (pad || last) && col == dim - 1 ? 0
                           : sine                          ? sinl(angle)
                                                           : cosl(angle);
    }
    if (!adjoining || pad)
        for (int col = 0; col < dim; col++)
            row[col] = interleaved[col];
    if (!adjoining)
        return;
    /* the last sine of extra-sin follows the sines, also where cosines come first */
    for (int col = 0; col < (pad ? dim - 1 : dim); col += 2)
        if (!(extra && cosine_first && col == dim - 1))
            row[at++] = interleaved[col];
    for (int col = 1; col < (pad ? dim - 1 : dim); col += 2)
        row[at++] = interleaved[col];
    if (extra && cosine_first)
        row[at] = interleaved[dim - 1];
}

START_TEST(every_layout_and_odd_policy_is_its_formula)
{
    static const double positions[] = {0, 1, -2.5, 77};
    const char *layout = layouts[_i / 5], *policy = policies[_i % 5];

    for (int dim = strcmp(policy, "error") == 0 ? 2 : 1; dim <= WIDEST; dim++) {
        char query[200];
        double *values;

        if (strcmp(policy, "error") == 0 && dim % 2 == 1)
            continue;
        snprintf(query, sizeof query, "pos=0,1,-2.5,77&dim=%d&layout=%s&odd=%s&dtype=f64", dim,
                 layout, policy);
        values = core_query_values("sinusoidal", query, "rows", NULL);
        for (size_t p = 0; p < PE_LEN(positions); p++) {
            long double row[WIDEST + 1] = {0};

            plain_row(positions[p], dim, policy, layout, row);
            for (int col = 0; col < dim; col++)
                ck_assert_msg(fabsl(values[p * (size_t)dim + (size_t)col] - row[col]) < 1e-15L,
                              "%s at %g, column %d: %.17g, not %.17Lg", query, positions[p],
                              col, values[p * (size_t)dim + (size_t)col], row[col]);
        }
        free(values);
    }
}
END_TEST

START_TEST(layouts_are_permutations_of_each_other)
{
    char query[200];
    double *rows[4];
    size_t count;

    for (size_t i = 0; i < 4; i++) {
        snprintf(query, sizeof query, "pos=-3:700&dim=12&dtype=f16&layout=%s", layouts[i]);
        rows[i] = core_query_values("sinusoidal", query, "rows", &count);
    }
    for (size_t row = 0; row < count / 12; row++) {
        for (size_t i = 0; i < 6; i++) {
            const double *at[4] = {rows[0] + row * 12, rows[1] + row * 12, rows[2] + row * 12,
                                   rows[3] + row * 12};

            ck_assert(at[0][2 * i] == at[1][2 * i + 1] && at[0][2 * i + 1] == at[1][2 * i]);
            ck_assert(at[0][2 * i] == at[2][i] && at[0][2 * i + 1] == at[2][i + 6]);
            ck_assert(at[0][2 * i] == at[3][i + 6] && at[0][2 * i + 1] == at[3][i]);
        }
    }
    for (size_t i = 0; i < 4; i++)
        free(rows[i]);
}
END_TEST

/* inv_freq of every ladder, against powl. */
static const struct {
    const char *query;
    size_t count;
    long double base, denominator, first;
} ladders[] = {
    {"dim=12", 6, 10000, 6, 1},
    {"dim=12&base=2.5", 6, 2.5, 6, 1},
    {"dim=12&scale=0.5", 6, 10000, 6, 0.5},
    {"dim=12&ladder=geometric-closed", 6, 10000, 5, 1},
    {"dim=12&min_timescale=4&base=64", 6, 16, 5, 4},
    {"dim=12&min_timescale=4&base=64&scale=3", 6, 16, 5, 12},
    {"dim=2&ladder=geometric-closed", 1, 10000, 1, 1},
    {"dim=13&odd=extra-sin", 7, 10000, 6.5, 1},
    {"dim=13&odd=zero-pad", 6, 10000, 6, 1},
    {"dim=13&odd=zero-last", 6, 10000, 6.5, 1},
    {"dim=13&odd=ceil-truncate", 7, 10000, 7, 1},
    {"dim=13&odd=ceil-truncate&ladder=closed", 7, 10000, 6, 1},
    {"dim=13&odd=zero-pad&ladder=closed", 6, 10000, 5, 1},
    {"dim=1&odd=zero-pad", 0, 10000, 1, 1},
    {"dim=1&odd=zero-last", 0, 10000, 1, 1},
    {"dim=1&odd=ceil-truncate", 1, 10000, 1, 1},
    {"dim=65536", 32768, 10000, 32768, 1},
};

START_TEST(every_ladder_is_its_formula)
{
    char query[200];
    double *freq, *wavelength;
    size_t count;

    snprintf(query, sizeof query, "%s&dtype=f64&out=inv_freq,wavelengths", ladders[_i].query);
    freq = core_query_values("sinusoidal", query, "inv_freq", &count);
    wavelength = core_query_values("sinusoidal", query, "wavelengths", NULL);
    ck_assert_uint_eq(count, ladders[_i].count);
    for (size_t i = 0; i < count; i++) {
        long double w = ladders[_i].first *
                        powl(ladders[_i].base, -(long double)i / ladders[_i].denominator);

        ck_assert_msg(fabsl(freq[i] - w) <= 0.51L * core_query_ulp(PE_F64, freq[i]),
                      "%s at %zu: %.17g, not %.19Lg", query, i, freq[i], w);
        w = 6.28318530717958647693L / w;
        ck_assert_msg(fabsl(wavelength[i] - w) <= 0.52L * core_query_ulp(PE_F64, wavelength[i]),
                      "%s at %zu: %.17g, not %.19Lg", query, i, wavelength[i], w);
    }
    free(freq);
    free(wavelength);
}
END_TEST

START_TEST(a_single_zero_column_is_served)
{
    static const char *const queries[] = {"pos=0:3&dim=1&odd=zero-pad",
                                          "pos=0:600&dim=1&odd=zero-last",
                                          "pos=0:600&dim=1&odd=zero-pad&layout=concat-cs"};

    for (size_t i = 0; i < PE_LEN(queries); i++) {
        size_t count;
        double *values = core_query_values("sinusoidal", queries[i], "rows", &count);

        for (size_t j = 0; j < count; j++)
            ck_assert(values[j] == 0);
        free(values);
    }
}
END_TEST

SUITE(sinusoidal_columns, TEST_RANGE(every_layout_and_odd_policy_is_its_formula, 0, 20),
      TEST(layouts_are_permutations_of_each_other),
      TEST_EACH(every_ladder_is_its_formula, ladders), TEST(a_single_zero_column_is_served));
