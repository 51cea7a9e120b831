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
#include "core/verify/judge/printed.h"
#include "core/verify/observe.h"
#include "core/verify/sight/wave_tables.h"

enum { ROWS = 64, QUERY = 400 };

/* The frequencies, the amplitude and the first position that tables of cosines and sines
 * show. */
struct waves {
    struct wave_tables tables;
    size_t pairs;
    double amplitude;
    double place; /* the last decimal place that was printed; 0: the numbers are no text's */
    double *w;    /* frequencies; one block with */
    double *turn; /* the angles of the first row, */
    double *off;  /* and how far ln w may be from what it should be */
    double first; /* position */
};

/* ---- reading ----------------------------------------------------------------------------- */

/* Measures the frequencies from the first rows; false: there is no memory, or a pair says
 * nothing. */
static bool measure(struct waves *waves, struct sight *sight)
{
    const size_t pairs = waves->pairs;
    const size_t rows = waves->tables.rows < ROWS ? (size_t)waves->tables.rows : ROWS;
    double *cosine = calloc(2 * rows * pairs + 1, sizeof *cosine);
    bool all = cosine != NULL;

    sight->failed = sight->failed || !cosine;
    for (size_t row = 0; cosine && row < rows; row++)
        for (size_t pair = 0; pair < pairs; pair++) {
            cosine[row * pairs + pair] = wave_tables_cosine(&waves->tables, row, pair);
            cosine[(rows + row) * pairs + pair] = wave_tables_sine(&waves->tables, row, pair);
        }
    for (size_t pair = 0; all && pair < pairs; pair++) {
        waves->w[pair] = observe_frequency(cosine, cosine + rows * pairs, pairs, pair, rows, 1);
        waves->turn[pair] = atan2(cosine[rows * pairs + pair], cosine[pair]);
        if (waves->place > 0) /* a slow pair has few places */
            waves->w[pair] = fmax(waves->w[pair], waves->place / (double)rows);
        waves->off[pair] = wave_tables_tolerance(&waves->tables) +
                           waves->place / (waves->w[pair] * (double)(rows - 1));
        all = isfinite(waves->w[pair]) && waves->w[pair] > 0;
    }
    if (all)
        waves->amplitude = hypot(cosine[0], cosine[rows * pairs]);
    free(cosine);
    return all;
}

/* Returns whether any pair turns by more than the digits of the tables: rows that are all the
 * same have frequencies of rounding alone, which large factors would explain. */
static bool is_turning(const struct waves *waves)
{
    double fastest = 0;

    for (size_t pair = 0; pair < waves->pairs; pair++)
        fastest = fmax(fastest, waves->w[pair]);
    return 8 * fastest * (double)(waves->tables.rows - 1) >
           wave_tables_tolerance(&waves->tables);
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
    if (!wave_tables_find(&waves->tables, sight, roles, columns_first))
        return false;
    waves->pairs = waves->tables.pairs;
    waves->place = printed_place(&waves->tables.sine, &sight->failed);
    waves->w = calloc(3 * waves->pairs, sizeof *waves->w);
    if (!waves->w) {
        sight->failed = true;
        return false;
    }
    waves->turn = waves->w + waves->pairs;
    waves->off = waves->turn + waves->pairs;
    if (!measure(waves, sight) || !is_turning(waves))
        return false;
    find_first(waves);
    return fabs(waves->first) < 0x1p53 && waves->amplitude > 0;
}

/* ---- forms of frequencies ---------------------------------------------------------------- */

/* A line through ln w of the first pairs. */
struct line {
    double slope, height;
    double off; /* the largest distance from it, in units of what a pair may be off */
};

static struct line line_of(const struct waves *waves, size_t pairs)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    struct line line = {.off = 0};

    for (size_t i = 0; i < pairs; i++) {
        const double v = log(waves->w[i]), weight = 1 / (waves->off[i] * waves->off[i]);

        n += weight;
        x += weight * (double)i;
        y += weight * v;
        xx += weight * (double)i * (double)i;
        xy += weight * (double)i * v;
    }
    line.slope = (n * xy - x * y) / (n * xx - x * x);
    line.height = (y - line.slope * x) / n;
    for (size_t i = 0; i < pairs; i++)
        line.off =
            fmax(line.off,
                 fabs(line.height + line.slope * (double)i - log(waves->w[i])) / waves->off[i]);
    return line;
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

    if (!bases->written || wave_tables_is_written(base))
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
    char query[QUERY], number[32], columns[WAVE_COLUMNS_TEXT];

    wave_tables_columns(&waves->tables, columns);
    for (size_t i = 0; !args && wave_tables_round(number, sizeof number, base,
                                                  reading->tolerance * (double)waves->pairs, i);
         i++) {
        if (!is_written(reading, number))
            continue;
        snprintf(query, sizeof query, "dim=%zu&base=%s&pos=%.0f:%.0f%s%s", 2 * waves->pairs,
                 number, waves->first, waves->first + (double)waves->tables.rows, columns,
                 more);
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

    for (size_t i = 0; !args && wave_tables_round(number, sizeof number, factor, tolerance, i);
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

    if (whole.off <= 1) {
        const double base = exp(-whole.slope * (double)pairs);

        if (fabs(whole.height) <= 16 * reading->tolerance)
            return try_base(reading, base, "");
        return try_form(reading, LINEAR, base, exp(-whole.height));
    }
    size_t straight = 2;
    while (straight < pairs && line_of(waves, straight + 1).off <= 1)
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
            const struct reading reading = {
                sight, bases, roles, &waves, enc, wave_tables_tolerance(&waves.tables)};

            args = try_frequencies(&reading);
        }
        free(waves.w);
    }
    return args;
}
