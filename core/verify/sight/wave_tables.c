/* SPDX-License-Identifier: Apache-2.0
 * wave_tables.c - see wave_tables.h. */
#include "core/verify/sight/wave_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/verify/estimate.h"
#include "core/verify/view_fit.h"

enum { DIGITS = 9, DIGITS_WRITTEN = 3 };

/* Sees a table whose first axis, after axes of 1, holds the columns. */
static bool turn(struct view *view)
{
    uint64_t cols = 1;

    for (size_t i = view->rank; i-- > 0;)
        cols = view->dims[i] != 1 ? view->dims[i] : cols;
    return cols > 1 &&
           view_fit_columns_first(view, view_rows(view) * view_cols(view) / cols, cols);
}

static bool find_views(struct wave_tables *tables, const struct sight *sight,
                       const struct pe_verify_role *roles, bool columns_first)
{
    bool cosine = false, sine = false;

    for (size_t i = 0; i < sight->count; i++) {
        if (!roles[i].output)
            continue;
        if (roles[i].form != PE_FORM_WHOLE) {
            tables->cosine = view_part(&sight->views[i], roles[i].form, 0);
            tables->sine = view_part(&sight->views[i], roles[i].form, 1);
            cosine = sine = true;
        } else if (strcmp(roles[i].output->name, "cos") == 0) {
            tables->cosine = sight->views[i];
            cosine = true;
        } else if (strcmp(roles[i].output->name, "sin") == 0) {
            tables->sine = sight->views[i];
            sine = true;
        }
    }
    if (!cosine || !sine || (columns_first && (!turn(&tables->cosine) || !turn(&tables->sine))))
        return false;
    tables->rows = view_rows(&tables->cosine);
    tables->cols = view_cols(&tables->cosine);
    return tables->rows > 1 && tables->cols > 0 && view_rows(&tables->sine) == tables->rows &&
           view_cols(&tables->sine) == tables->cols && !tables->cosine.nan && !tables->sine.nan;
}

/* Returns whether two columns hold the same in the last row and in the middle one. */
static bool same_columns(const struct wave_tables *tables, uint64_t one, uint64_t other)
{
    const uint64_t rows[] = {tables->rows - 1, tables->rows / 2};

    for (size_t i = 0; i < PE_LEN(rows); i++)
        if (view_element(&tables->cosine, rows[i], one) !=
                view_element(&tables->cosine, rows[i], other) ||
            view_element(&tables->sine, rows[i], one) !=
                view_element(&tables->sine, rows[i], other))
            return false;
    return true;
}

static void find_width(struct wave_tables *tables)
{
    const uint64_t half = tables->cols / 2;
    bool halves = tables->cols % 2 == 0, adjacent = halves;

    for (uint64_t i = 0; i < half && (halves || adjacent); i++) {
        halves = halves && same_columns(tables, i, i + half);
        adjacent = adjacent && same_columns(tables, 2 * i, 2 * i + 1);
    }
    tables->full = halves || adjacent;
    tables->adjacent = adjacent && !halves;
    tables->pairs = (size_t)(tables->full ? half : tables->cols);
}

bool wave_tables_find(struct wave_tables *tables, const struct sight *sight,
                      const struct pe_verify_role *roles, bool columns_first)
{
    if (!find_views(tables, sight, roles, columns_first) || tables->cols > 2 * WAVE_PAIRS_MOST)
        return false;
    find_width(tables);
    return tables->pairs >= 2 && tables->pairs <= WAVE_PAIRS_MOST;
}

static uint64_t column_of(const struct wave_tables *tables, size_t pair)
{
    return tables->adjacent ? 2 * pair : pair;
}

double wave_tables_cosine(const struct wave_tables *tables, uint64_t row, size_t pair)
{
    return view_element(&tables->cosine, row, column_of(tables, pair));
}

double wave_tables_sine(const struct wave_tables *tables, uint64_t row, size_t pair)
{
    return view_element(&tables->sine, row, column_of(tables, pair));
}

double wave_tables_tolerance(const struct wave_tables *tables)
{
    const double unit = tables->cosine.precision == PE_BF16  ? 0x1p-8
                        : tables->cosine.precision == PE_F16 ? 0x1p-11
                                                             : 0x1p-18;

    return 8 * unit;
}

void wave_tables_columns(const struct wave_tables *tables, char text[WAVE_COLUMNS_TEXT])
{
    snprintf(text, WAVE_COLUMNS_TEXT, "%s%s", tables->full ? "&width=full" : "",
             tables->full && tables->adjacent ? "&pairing=adjacent" : "");
}

bool wave_tables_round(char *text, size_t size, double value, double tolerance, size_t i)
{
    size_t count = 0;
    double before = NAN;

    for (int digits = 1; digits <= DIGITS; digits++) {
        const double rounded = estimate_round(value, digits);

        if (fabs(rounded - value) > tolerance * fabs(value) || rounded == before)
            continue;
        before = rounded;
        if (count++ == i) {
            snprintf(text, size, "%.17g", rounded);
            return true;
        }
    }
    return false;
}

bool wave_tables_is_written(double base)
{
    return estimate_round(base, DIGITS_WRITTEN) == base;
}
