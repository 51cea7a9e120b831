/* SPDX-License-Identifier: Apache-2.0
 * wave_ladder.c - see wave_ladder.h. */
#include "core/verify/sight/wave_ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASES = 4 };

/* Sums over the points of a line. */
struct sums {
    double count, x, y, xx, xy;
};

static struct wave_ladder line_of(const struct sums *sums)
{
    const double slope = (sums->count * sums->xy - sums->x * sums->y) /
                         (sums->count * sums->xx - sums->x * sums->x);

    return (struct wave_ladder){slope, (sums->y - slope * sums->x) / sums->count};
}

bool wave_ladder_fit(struct wave_ladder *ladder, const struct wave_axes *axes, int axis,
                     double tolerance)
{
    struct sums sums = {0};

    for (int pass = 0; pass < 2; pass++) {
        size_t own = 0;

        for (size_t pair = 0; pair < axes->pairs; pair++) {
            const double x = axis < 0 ? (double)pair : (double)own;

            if (axis >= 0 && axes->axis[pair] != axis)
                continue;
            own++;
            if (!(axes->w[pair] > 0))
                continue;
            const double y = log(axes->w[pair]);
            if (pass == 1 && fabs(ladder->height + ladder->slope * x - y) > tolerance)
                return false;
            sums.count++;
            sums.x += x;
            sums.y += y;
            sums.xx += x * x;
            sums.xy += x * y;
        }
        if (sums.count < 2)
            return false;
        if (pass == 0)
            *ladder = line_of(&sums);
    }
    return ladder->slope < 0;
}

double wave_ladder_base(const struct wave_ladder *ladder, double n)
{
    return exp(-ladder->slope * n);
}

struct pe_args *wave_ladder_try(struct sight *sight, const struct pe_encoding *enc,
                                const struct wave_tables *tables, double base, bool written,
                                const char *rest, struct pe_verify_role *roles)
{
    const double near = wave_tables_tolerance(tables) * (double)tables->pairs;
    char number[32], columns[WAVE_COLUMNS_TEXT], *query;
    struct pe_args *args = NULL;

    wave_tables_columns(tables, columns);
    for (size_t i = 0;
         i < BASES && !args && wave_tables_round(number, sizeof number, base, near, i); i++) {
        if (written && !wave_tables_is_written(strtod(number, NULL)))
            continue;
        if (asprintf(&query, "dim=%zu&base=%s%s%s", 2 * tables->pairs, number, columns, rest) <
            0) {
            sight->failed = true;
            return NULL;
        }
        args = sight_try(sight, enc, query, SIGHT_GIVEN, roles);
        free(query);
    }
    return args;
}
