/* SPDX-License-Identifier: Apache-2.0
 * waves.c - see waves.h. With w_i = s base^(-i/m) for m pairs, ln w_i falls along a line: its
 * slope gives the base, its height s. Scalings by parts leave the fast pairs on it and move
 * the slow ones to w_i / factor. */
#include "core/verify/sight/waves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/estimate.h"
#include "core/verify/observe.h"

enum { ROWS = 64, PAIRS_MOST = 4096, QUERY = 400, DIGITS = 9, DIGITS_WRITTEN = 3 };

/* Cosines and sines as they were sent. */
struct waves {
    struct view cosine, sine;
    uint64_t rows, cols;
    size_t pairs;
    bool full, adjacent; /* each pair stands twice; in columns that adjoin */
    double amplitude;
    double *w;    /* frequencies; one block with */
    double *turn; /* the angles of the first row */
    double first; /* position */
};

/* ---- reading ----------------------------------------------------------------------------- */

/* Sees a table whose first axis, after axes of 1, holds the columns. */
static bool turn(struct view *view)
{
    uint64_t cols = 1;

    for (size_t i = view->rank; i-- > 0;)
        cols = view->dims[i] != 1 ? view->dims[i] : cols;
    return cols > 1 &&
           view_fit_columns_first(view, view_rows(view) * view_cols(view) / cols, cols);
}

static bool find_tables(struct waves *waves, const struct sight *sight,
                        const struct pe_verify_role *roles, bool columns_first)
{
    bool cosine = false, sine = false;

    for (size_t i = 0; i < sight->count; i++) {
        if (!roles[i].output)
            continue;
        if (roles[i].form != PE_FORM_WHOLE) {
            waves->cosine = view_part(&sight->views[i], roles[i].form, 0);
            waves->sine = view_part(&sight->views[i], roles[i].form, 1);
            cosine = sine = true;
        } else if (strcmp(roles[i].output->name, "cos") == 0) {
            waves->cosine = sight->views[i];
            cosine = true;
        } else if (strcmp(roles[i].output->name, "sin") == 0) {
            waves->sine = sight->views[i];
            sine = true;
        }
    }
    if (!cosine || !sine || (columns_first && (!turn(&waves->cosine) || !turn(&waves->sine))))
        return false;
    waves->rows = view_rows(&waves->cosine);
    waves->cols = view_cols(&waves->cosine);
    return waves->rows > 1 && waves->cols > 0 && view_rows(&waves->sine) == waves->rows &&
           view_cols(&waves->sine) == waves->cols && !waves->cosine.nan && !waves->sine.nan;
}

/* Returns whether two columns hold the same in the last row and in the middle one. */
static bool same_columns(const struct waves *waves, uint64_t one, uint64_t other)
{
    const uint64_t rows[] = {waves->rows - 1, waves->rows / 2};

    for (size_t i = 0; i < PE_LEN(rows); i++)
        if (view_element(&waves->cosine, rows[i], one) !=
                view_element(&waves->cosine, rows[i], other) ||
            view_element(&waves->sine, rows[i], one) !=
                view_element(&waves->sine, rows[i], other))
            return false;
    return true;
}

static void find_width(struct waves *waves)
{
    const uint64_t half = waves->cols / 2;
    bool halves = waves->cols % 2 == 0, adjacent = halves;

    for (uint64_t i = 0; i < half && (halves || adjacent); i++) {
        halves = halves && same_columns(waves, i, i + half);
        adjacent = adjacent && same_columns(waves, 2 * i, 2 * i + 1);
    }
    waves->full = halves || adjacent;
    waves->adjacent = adjacent && !halves;
    waves->pairs = (size_t)(waves->full ? half : waves->cols);
}

static uint64_t column_of(const struct waves *waves, size_t pair)
{
    return waves->adjacent ? 2 * pair : pair;
}

/* Measures the frequencies from the first rows; false: there is no memory, or a pair says
 * nothing. */
static bool measure(struct waves *waves, struct sight *sight)
{
    const size_t pairs = waves->pairs;
    const size_t rows = waves->rows < ROWS ? (size_t)waves->rows : ROWS;
    double *cosine = calloc(2 * rows * pairs + 1, sizeof *cosine);
    bool all = cosine != NULL;

    sight->failed = sight->failed || !cosine;
    for (size_t row = 0; cosine && row < rows; row++)
        for (size_t pair = 0; pair < pairs; pair++) {
            const uint64_t col = column_of(waves, pair);

            cosine[row * pairs + pair] = view_element(&waves->cosine, row, col);
            cosine[(rows + row) * pairs + pair] = view_element(&waves->sine, row, col);
        }
    for (size_t pair = 0; all && pair < pairs; pair++) {
        waves->w[pair] = observe_frequency(cosine, cosine + rows * pairs, pairs, pair, rows, 1);
        waves->turn[pair] = atan2(cosine[rows * pairs + pair], cosine[pair]);
        all = isfinite(waves->w[pair]) && waves->w[pair] > 0;
    }
    if (all)
        waves->amplitude = hypot(cosine[0], cosine[rows * pairs]);
    free(cosine);
    return all;
}

/* Finds the position of the first row: the slowest pair tells it roughly, each faster one by
 * less than its own turn. */
static void find_first(struct waves *waves)
{
    const double turn = 2 * 3.14159265358979323846;
    double at = waves->turn[waves->pairs - 1] / waves->w[waves->pairs - 1];

    for (size_t i = waves->pairs; i-- > 0;) {
        const double off = waves->turn[i] - waves->w[i] * at;

        at += (off - turn * nearbyint(off / turn)) / waves->w[i];
    }
    waves->first = nearbyint(at);
}

static bool waves_read(struct waves *waves, struct sight *sight,
                       const struct pe_verify_role *roles, bool columns_first)
{
    if (!find_tables(waves, sight, roles, columns_first) || waves->cols > 2 * PAIRS_MOST)
        return false;
    find_width(waves);
    if (waves->pairs < 2 || waves->pairs > PAIRS_MOST)
        return false;
    waves->w = calloc(2 * waves->pairs, sizeof *waves->w);
    if (!waves->w) {
        sight->failed = true;
        return false;
    }
    waves->turn = waves->w + waves->pairs;
    if (!measure(waves, sight))
        return false;
    find_first(waves);
    return fabs(waves->first) < 0x1p53 && waves->amplitude > 0;
}

/* ---- forms of frequencies ---------------------------------------------------------------- */

/* A line through ln w of the first pairs. */
struct line {
    double slope, height, off; /* the largest distance from it */
};

static struct line line_of(const struct waves *waves, size_t pairs)
{
    const double n = (double)pairs;
    double x = 0, y = 0, xx = 0, xy = 0;
    struct line line = {.off = 0};

    for (size_t i = 0; i < pairs; i++) {
        const double v = log(waves->w[i]);

        x += (double)i;
        y += v;
        xx += (double)i * (double)i;
        xy += (double)i * v;
    }
    line.slope = (n * xy - x * y) / (n * xx - x * x);
    line.height = (y - line.slope * x) / n;
    for (size_t i = 0; i < pairs; i++)
        line.off =
            fmax(line.off, fabs(line.height + line.slope * (double)i - log(waves->w[i])));
    return line;
}

/* Returns how far ln w may be from what it should be, by the digits of the tables. */
static double tolerance_of(const struct waves *waves)
{
    const double unit = waves->cosine.precision == PE_BF16  ? 0x1p-8
                        : waves->cosine.precision == PE_F16 ? 0x1p-11
                                                            : 0x1p-18;

    return 8 * unit;
}

/* Writes the number i of the roundest that are near a value; false: there are no more. */
static bool round_number(char *text, size_t size, double value, double tolerance, size_t i)
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

struct reading {
    struct sight *sight;
    const struct waves_bases *bases;
    struct pe_verify_role *roles;
    const struct waves *waves;
    const struct pe_encoding *enc;
    double tolerance;
};

/* Returns whether a base is one that people write: a round number, or one of a known claim. */
static bool is_written(const struct reading *reading, const char *number)
{
    const double base = strtod(number, NULL);
    const struct waves_bases *bases = reading->bases;

    if (!bases->written || estimate_round(base, DIGITS_WRITTEN) == base)
        return true;
    for (size_t i = 0; i < bases->count; i++) {
        const char *at = strstr(bases->known[i].query, "base=");

        if (bases->known[i].enc == reading->enc && at &&
            (at == bases->known[i].query || at[-1] == '&') &&
            strtod(at + strlen("base="), NULL) == base)
            return true;
    }
    return false;
}

/* Tries a base, which few digits tell, beside other parameters. */
static struct pe_args *try_base(const struct reading *reading, double base, const char *more)
{
    const struct waves *waves = reading->waves;
    struct pe_args *args = NULL;
    char query[QUERY], number[32];

    for (size_t i = 0; !args && round_number(number, sizeof number, base,
                                             reading->tolerance * (double)waves->pairs, i);
         i++) {
        if (!is_written(reading, number))
            continue;
        snprintf(query, sizeof query, "dim=%zu&base=%s&pos=%.0f:%.0f%s%s%s", 2 * waves->pairs,
                 number, waves->first, waves->first + (double)waves->rows,
                 waves->full ? "&width=full" : "",
                 waves->full && waves->adjacent ? "&pairing=adjacent" : "", more);
        args = sight_try(reading->sight, reading->enc, query, SIGHT_SIZES, reading->roles);
    }
    return args;
}

/* The scalings that are read, each with a factor. */
static const struct {
    const char *name;
    bool length; /* it has a trained length, */
    bool whole;  /* and moves all pairs alike */
} forms[] = {
    {"linear", .whole = true},
    {"llama3", .length = true},
    {"yarn", .length = true},
    {"ntk-by-parts", .length = true},
};

enum { LINEAR, LENGTH_LEAST = 256, LENGTHS = 13 }; /* lengths are powers of two */

static struct pe_args *try_form(const struct reading *reading, size_t form, double base,
                                double factor)
{
    const double tolerance = 16 * reading->tolerance;
    struct pe_args *args = NULL;
    char more[QUERY / 2], number[32];

    for (size_t i = 0; !args && round_number(number, sizeof number, factor, tolerance, i);
         i++) {
        const int len =
            snprintf(more, sizeof more, "&scaling=%s&factor=%s", forms[form].name, number);

        if (!forms[form].length)
            args = try_base(reading, base, more);
        for (int length = 0; forms[form].length && !args && length < LENGTHS; length++) {
            snprintf(more + len, sizeof more - (size_t)len,
                     "&original_max_position_embeddings=%d", LENGTH_LEAST << length);
            args = try_base(reading, base, more);
        }
    }
    return args;
}

/* Tries what the frequencies are: a line, a line below the claim's, or a line whose end is
 * moved. */
static struct pe_args *try_frequencies(const struct reading *reading)
{
    const struct waves *waves = reading->waves;
    const size_t pairs = waves->pairs;
    const struct line whole = line_of(waves, pairs);
    struct pe_args *args = NULL;

    if (whole.off <= reading->tolerance) {
        const double base = exp(-whole.slope * (double)pairs);

        if (fabs(whole.height) <= 16 * reading->tolerance)
            return try_base(reading, base, "");
        return try_form(reading, LINEAR, base, exp(-whole.height));
    }
    size_t straight = 2;
    while (straight < pairs && line_of(waves, straight + 1).off <= reading->tolerance)
        straight++;
    const struct line fast = line_of(waves, straight);
    const double base = exp(-fast.slope * (double)pairs);
    const double factor =
        exp(fast.height + fast.slope * (double)(pairs - 1)) / waves->w[pairs - 1];
    for (size_t i = 0; i < PE_LEN(forms) && !args && fabs(fast.height) < 0.1; i++)
        if (!forms[i].whole)
            args = try_form(reading, i, base, factor);
    return args;
}

/* Returns the encoding of tables: that of the shortest name of those that have what a draft
 * says. */
static const struct pe_encoding *find_encoding(void)
{
    static const char *const names[] = {"dim", "base", "pos", "width", "pairing", "scaling"};
    const struct pe_encoding *found = NULL;

    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_encoding *enc = pe_at(i);
        bool all = !found || strlen(enc->name) < strlen(found->name);

        for (size_t j = 0; all && j < PE_LEN(names); j++)
            all = pe_param_find(enc, names[j], strlen(names[j])) != NULL;
        found = all ? enc : found;
    }
    return found;
}

struct pe_args *waves_try(struct sight *sight, const struct waves_bases *bases,
                          struct pe_verify_role *roles)
{
    const struct pe_encoding *enc = find_encoding();
    struct pe_errors errors;
    struct pe_args *args = NULL;

    pe_errors_clear(&errors);
    if (!enc || pe_verify_assign(enc, sight->tensors, sight->count, roles, &errors) != PE_OK)
        return NULL;
    for (int columns_first = 0; columns_first < 2 && !args; columns_first++) {
        struct waves waves = {.w = NULL};

        if (waves_read(&waves, sight, roles, columns_first > 0)) {
            const struct reading reading = {sight,  bases, roles,
                                            &waves, enc,   tolerance_of(&waves)};

            args = try_frequencies(&reading);
        }
        free(waves.w);
    }
    return args;
}
