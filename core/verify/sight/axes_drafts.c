/* SPDX-License-Identifier: Apache-2.0
 * axes_drafts.c - see axes_drafts.h. The pairs of an axis have w_i = base^(-i/n): a ladder
 * of its own from 1 down, or their part of one ladder that all pairs share. */
#include "core/verify/sight/axes_drafts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/sight/line_drafts.h"
#include "core/verify/sight/wave_ladder.h"

enum { PAIRS_TEXT = 64, IDS_MOST = 1 << 14 };

/* The pairs that turn by one axis, or by none. */
struct run {
    int axis;
    size_t count;
};

struct ladders {
    struct sight *sight;
    struct pe_verify_role *roles;
    const struct wave_tables *tables;
    struct wave_axes axes;
    struct run run[WAVE_AXES + 1]; /* in the order of the first pairs */
    size_t run_count;
    bool mixed; /* the axes take turns */
    double tolerance;
    bool grid;     /* the rows count the coordinates of a grid, the last axis fastest, */
    size_t prefix; /* behind so many rows that do not turn */
    uint64_t sides[WAVE_AXES];
};

/* ---- what was read ----------------------------------------------------------------------- */

/* Lists the axes of the pairs, and how many each has. */
static void find_runs(struct ladders *ladders)
{
    const struct wave_axes *axes = &ladders->axes;

    for (size_t pair = 0; pair < axes->pairs; pair++) {
        size_t at = 0;

        while (at < ladders->run_count && ladders->run[at].axis != axes->axis[pair])
            at++;
        if (at == ladders->run_count)
            ladders->run[ladders->run_count++] = (struct run){axes->axis[pair], 0};
        ladders->run[at].count++;
        ladders->mixed = ladders->mixed || at + 1 < ladders->run_count;
    }
}

/* Returns whether rows count the coordinates of the axes in this order, behind a prefix. */
static bool counts_grid(const struct ladders *ladders)
{
    const struct wave_axes *axes = &ladders->axes;

    for (size_t row = 0; row < axes->rows; row++) {
        uint64_t rest = row < ladders->prefix ? 0 : row - ladders->prefix;

        for (size_t i = axes->count; i-- > 0; rest /= ladders->sides[i])
            if (axes->at[i][row] != (double)(rest % ladders->sides[i]))
                return false;
    }
    return true;
}

static void find_grid(struct ladders *ladders)
{
    const struct wave_axes *axes = &ladders->axes;
    uint64_t elements = 1;

    for (size_t i = 0; i < axes->count; i++) {
        double most = 0;

        for (size_t row = 0; row < axes->rows; row++)
            most = fmax(most, axes->at[i][row]);
        ladders->sides[i] = (uint64_t)most + 1;
        elements *= ladders->sides[i];
    }
    if (elements > axes->rows)
        return;
    ladders->prefix = axes->rows - (size_t)elements;
    ladders->grid = counts_grid(ladders);
}

/* Puts the axis of the slower coordinate first: the axis whose second value comes later. */
static void order_axes(struct ladders *ladders)
{
    struct wave_axes *axes = &ladders->axes;
    size_t change[WAVE_AXES];

    for (size_t i = 0; i < axes->count; i++)
        for (change[i] = 1; change[i] < axes->rows && axes->at[i][change[i]] == axes->at[i][0];
             change[i]++)
            ;
    for (size_t i = 1; i < axes->count; i++)
        for (size_t j = i; j > 0 && change[j] > change[j - 1]; j--) {
            double *at = axes->at[j];
            const size_t when = change[j];

            axes->at[j] = axes->at[j - 1];
            axes->at[j - 1] = at;
            change[j] = change[j - 1];
            change[j - 1] = when;
            for (size_t pair = 0; pair < axes->pairs; pair++)
                if (axes->axis[pair] == (int)j || axes->axis[pair] == (int)j - 1)
                    axes->axis[pair] = (int)(2 * j - 1) - axes->axis[pair];
        }
}

/* ---- drafts ------------------------------------------------------------------------------ */

/* Tries the encodings of patches by their grid. */
static struct pe_args *try_patches(const struct ladders *ladders, double base)
{
    static const char *const one[] = {"grid", "base", "dim", NULL};
    static const char *const several[] = {"grid_thw", "base", "dim", NULL};
    const uint64_t *sides = ladders->sides;
    const size_t count = ladders->axes.count, last = count - 1;
    struct pe_args *args = NULL;
    const struct pe_encoding *enc;
    char rest[PAIRS_TEXT * 2];

    for (size_t i = 0; !args && (enc = sight_encoding(ladders->sight, PE_ROTARY, one, &i));) {
        snprintf(rest, sizeof rest, "&grid=%llux%llu", (unsigned long long)sides[last - 1],
                 (unsigned long long)sides[last]);
        if (count == 3)
            snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "&frames=%llu",
                     (unsigned long long)sides[0]);
        if (ladders->prefix > 0 && ladders->grid)
            snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "&prefix_tokens=%zu",
                     ladders->prefix);
        if (count == 2 || pe_param_find(enc, "frames", strlen("frames")))
            args = wave_ladder_try(ladders->sight, enc, ladders->tables, base, false, rest,
                                   ladders->roles);
    }
    for (size_t i = 0;
         !args && (enc = sight_encoding(ladders->sight, PE_ROTARY, several, &i));) {
        snprintf(rest, sizeof rest, "&grid_thw=%llu,%llu,%llu",
                 (unsigned long long)(count == 3 ? sides[0] : 1),
                 (unsigned long long)sides[last - 1], (unsigned long long)sides[last]);
        args = wave_ladder_try(ladders->sight, enc, ladders->tables, base, false, rest,
                               ladders->roles);
    }
    return args;
}

/* Writes the coordinates, a row a token: of each run of pairs, 0 where they do not turn.
 * NULL: they are too long, or there is no memory. */
static char *ids_of(const struct ladders *ladders, const struct run *run, size_t count)
{
    const size_t size = IDS_MOST;
    char *text = malloc(size);
    size_t len = 0;

    if (!text)
        ladders->sight->failed = true;
    for (size_t row = 0; text && row < ladders->axes.rows; row++)
        for (size_t i = 0; i < count; i++) {
            if (size - len < 40) {
                free(text);
                return NULL;
            }
            len += (size_t)snprintf(text + len, size - len, "%s%.0f",
                                    i > 0     ? ","
                                    : row > 0 ? ";"
                                              : "&ids=",
                                    run[i].axis < 0 ? 0 : ladders->axes.at[run[i].axis][row]);
        }
    return text;
}

/* Writes the runs' numbers, multiplied. */
static size_t list_runs(const struct ladders *ladders, char *text, size_t size,
                        const char *name, size_t factor)
{
    size_t len = (size_t)snprintf(text, size, "&%s=", name);

    for (size_t i = 0; i < ladders->run_count; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%zu", i > 0 ? "," : "",
                                factor * ladders->run[i].count);
    return len;
}

/* Tries what has these parameters, with the runs as a list, by the sides of the grid or by
 * all coordinates, beside other parameters. */
static struct pe_args *try_runs(const struct ladders *ladders, const char *const *names,
                                size_t factor, bool by_sides, const char *more, double base)
{
    struct pe_args *args = NULL;
    const struct pe_encoding *enc;
    char rest[PAIRS_TEXT * 4], *query = NULL;
    size_t len = list_runs(ladders, rest, sizeof rest, names[0], factor);

    if (by_sides) {
        for (size_t i = 0; i < ladders->run_count; i++) {
            const int axis = ladders->run[i].axis;

            len += (size_t)snprintf(rest + len, sizeof rest - len, "%s%llu",
                                    i > 0 ? "," : "&grid_sizes=",
                                    (unsigned long long)(axis < 0 ? 1 : ladders->sides[axis]));
        }
    } else {
        char *ids = ids_of(ladders, ladders->run, ladders->run_count);

        if (!ids || asprintf(&query, "%s%s%s", rest, more, ids) < 0)
            query = NULL;
        free(ids);
        if (!query)
            return NULL;
    }
    for (size_t i = 0; !args && (enc = sight_encoding(ladders->sight, PE_ROTARY, names, &i));)
        args = wave_ladder_try(ladders->sight, enc, ladders->tables, base, false,
                               query ? query : rest, ladders->roles);
    free(query);
    return args;
}

/* Tries sections of one ladder, dealt in each way that takes turns, or one behind the other. */
static struct pe_args *try_sections(const struct ladders *ladders)
{
    static const char *const names[] = {"mrope_section", "section_layout", "ids", NULL};
    size_t i = 0;
    const struct pe_encoding *enc = sight_encoding(ladders->sight, PE_ROTARY, names, &i);
    struct pe_args *args = NULL;
    struct wave_ladder ladder;

    if (!enc || !wave_ladder_fit(&ladder, &ladders->axes, -1, ladders->tolerance) ||
        fabs(ladder.height) > 16 * ladders->tolerance)
        return NULL;
    const double base = wave_ladder_base(&ladder, (double)ladders->axes.pairs);
    if (!ladders->mixed)
        return try_runs(ladders, names, 1, false, "", base);
    const struct pe_choice *layout = pe_param_find(enc, names[1], strlen(names[1]))->choices;
    for (; layout->name && !args; layout++) {
        char more[PAIRS_TEXT];

        snprintf(more, sizeof more, "&%s=%s", names[1], layout->name);
        args = try_runs(ladders, names, 1, false, more, base);
    }
    return args;
}

/* Tries a ladder for each axis. */
static struct pe_args *try_apart(const struct ladders *ladders)
{
    static const char *const names[] = {"axes_dim", "grid_sizes", "ids", NULL};
    struct pe_args *args = NULL;
    struct wave_ladder ladder;

    for (size_t i = 0; i < ladders->run_count && !ladders->mixed; i++) {
        const struct run run = ladders->run[i];

        if (run.axis < 0 ||
            !wave_ladder_fit(&ladder, &ladders->axes, run.axis, ladders->tolerance))
            continue;
        const double base = wave_ladder_base(&ladder, (double)run.count);
        if (ladders->grid && ladders->prefix == 0)
            args = try_runs(ladders, names, 2, true, "", base);
        return args ? args : try_runs(ladders, names, 2, false, "", base);
    }
    return NULL;
}

static struct pe_args *try_all(struct ladders *ladders)
{
    struct wave_axes *axes = &ladders->axes;
    struct pe_args *args = NULL;
    struct wave_ladder ladder;
    double own = 0;

    for (size_t i = 0; i < axes->count; i++) {
        size_t count = 0;

        for (size_t pair = 0; pair < axes->pairs; pair++)
            count += axes->axis[pair] == (int)i;
        if (!wave_ladder_fit(&ladder, axes, (int)i, ladders->tolerance))
            continue;
        own = wave_ladder_base(&ladder, (double)count);
        wave_axes_stretch(axes, (int)i, ladder.height);
    }
    if (axes->count == 1 && own > 1)
        args = line_drafts_rotary(ladders->sight, ladders->tables, axes, ladders->roles);
    if (args)
        return args;
    order_axes(ladders);
    find_runs(ladders);
    find_grid(ladders);
    if (own > 1 && (axes->count == 2 || axes->count == 3))
        args = try_patches(ladders, own);
    if (!args && ladders->run_count > 1)
        args = try_sections(ladders);
    return args || ladders->run_count < 2 ? args : try_apart(ladders);
}

const struct pe_encoding *axes_drafts_encoding(const struct sight *sight)
{
    static const char *const names[] = {"dim", "base", "width", NULL};
    size_t i = 0;

    return sight_encoding(sight, PE_ROTARY, names, &i);
}

struct pe_args *axes_drafts_try(struct sight *sight, struct pe_verify_role *roles)
{
    const struct pe_encoding *enc = axes_drafts_encoding(sight);
    struct wave_tables tables;
    struct pe_errors errors;
    struct ladders ladders = {.sight = sight, .roles = roles, .tables = &tables};
    struct pe_args *args = NULL;

    pe_errors_clear(&errors);
    if (!enc || pe_verify_assign(enc, sight->tensors, sight->count, roles, &errors) != PE_OK ||
        !wave_tables_find(&tables, sight, roles, false))
        return NULL;
    ladders.tolerance = wave_tables_tolerance(&tables);
    if (wave_axes_read(&ladders.axes, &tables, &sight->operations, &sight->failed))
        args = try_all(&ladders);
    wave_axes_fini(&ladders.axes);
    return args;
}
