/* SPDX-License-Identifier: Apache-2.0
 * line_drafts.c - see line_drafts.h. */
#include "core/verify/sight/line_drafts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/verify/prepare/prepare.h"
#include "core/verify/role/role_name.h"

enum { POSITIONS_MOST = 1 << 14, NUMBER = 24, WORDS = 128 };
enum { PADDING_MOST = 8 }; /* rows of which one may be that of padding */

/* Returns whether positions rise or fall by one step. */
static bool is_run(const double *at, size_t rows)
{
    for (size_t row = 2; row < rows; row++)
        if (at[row] - at[row - 1] != at[1] - at[0])
            return false;
    return rows > 1 && at[1] != at[0];
}

/* Writes the parameter pos: a run or a list. NULL: it is too long, or there is no memory. */
static char *positions_of(struct sight *sight, const double *at, size_t rows)
{
    char *text = malloc(POSITIONS_MOST);
    size_t len = 0;

    if (!text) {
        sight->failed = true;
        return NULL;
    }
    if (is_run(at, rows)) {
        const double step = at[1] - at[0];

        snprintf(text, POSITIONS_MOST, "&pos=%.0f:%.0f:%.0f", at[0],
                 at[0] + step * (double)rows, step);
        return text;
    }
    for (size_t row = 0; row < rows; row++) {
        if (POSITIONS_MOST - len < NUMBER) {
            free(text);
            return NULL;
        }
        len += (size_t)snprintf(text + len, POSITIONS_MOST - len, "%s%.0f",
                                row > 0 ? "," : "&pos=", at[row]);
    }
    return text;
}

/* Returns whether positions are those of a turn to the other side: nobody counts below 0. */
static bool is_mirrored(const double *at, size_t rows)
{
    double most = 0, least = 0;

    for (size_t row = 0; row < rows; row++) {
        most = fmax(most, at[row]);
        least = fmin(least, at[row]);
    }
    return most <= 0 && least < 0 && !(is_run(at, rows) && at[1] > at[0]);
}

/* Returns checked arguments with other positions, "&pos=" and their text; NULL: there is no
 * memory. */
static struct pe_args *with_positions(struct sight *sight, const struct pe_args *from,
                                      const char *text, const struct pe_verify_role *roles)
{
    const size_t pos = args_find(from->enc, "pos", strlen("pos"));
    const char *value = text + strlen("&pos=");
    struct pe_args *args = pe_args_new(from->enc);
    struct pe_errors errors;
    bool taken = args != NULL;

    pe_errors_clear(&errors);
    for (size_t i = 0; taken && i < from->enc->param_count; i++)
        taken = i == pos || !args_bit(from->filled, i) || args_take(args, from, i);
    if (taken)
        pe_args_set_text(args, "pos", strlen("pos"), value, strlen(value), &errors);
    if (taken && errors.count == 0 &&
        !prepare_args(args, sight->tensors, sight->count, roles, sight->hidden, &errors) &&
        !pe_args_check(args, &errors))
        return args;
    sight->failed = true;
    pe_args_free(args);
    return NULL;
}

/* Takes arguments whose positions fall below 0 for a claim that has a mistake: the positions
 * without their sign, whose sines have the other one. */
static struct pe_args *unmirrored(struct sight *sight, struct pe_args *args, double *at,
                                  size_t rows, const struct pe_verify_role *roles)
{
    if (!args || !is_mirrored(at, rows))
        return args;
    for (size_t row = 0; row < rows; row++)
        at[row] = -at[row];
    char *positions = positions_of(sight, at, rows);
    if (positions) {
        pe_args_free(sight->mistaken);
        sight->mistaken = with_positions(sight, args, positions, roles);
    }
    free(positions);
    pe_args_free(args);
    return NULL;
}

struct pe_args *line_drafts_rotary(struct sight *sight, const struct wave_tables *tables,
                                   const struct wave_axes *axes, struct pe_verify_role *roles)
{
    static const char *const names[] = {"dim", "base", "pos", "width", "pairing", NULL};
    struct pe_args *args = NULL;
    struct wave_ladder ladder;
    const struct pe_encoding *enc;
    size_t i = 0;

    if (!wave_ladder_fit(&ladder, axes, 0, wave_tables_tolerance(tables)))
        return NULL;
    char *positions = positions_of(sight, axes->at[0], axes->rows);
    if (positions && (enc = sight_encoding(sight, PE_ROTARY, names, &i)))
        args =
            wave_ladder_try(sight, enc, tables, wave_ladder_base(&ladder, (double)axes->pairs),
                            false, positions, roles);
    free(positions);
    return unmirrored(sight, args, axes->at[0], axes->rows, roles);
}

/* ---- rows of sines and cosines ----------------------------------------------------------- */

/* A way in which a row may hold sines and cosines. */
struct order {
    enum pe_verify_form form;
    bool sines_first;
};

static const struct order orders[] = {
    {PE_FORM_SIDE, true}, {PE_FORM_WOVEN, true}, {PE_FORM_WOVEN, false}, {PE_FORM_SIDE, false}};

/* Returns whether squares add up to one number in all rows, which *amplitude becomes the root
 * of. */
static bool turns(const struct wave_tables *tables, double *amplitude)
{
    const double off = wave_tables_tolerance(tables);

    *amplitude = hypot(wave_tables_cosine(tables, 0, 0), wave_tables_sine(tables, 0, 0));
    for (uint64_t row = 0; row < tables->rows; row++)
        for (size_t pair = 0; pair < tables->pairs; pair++)
            if (fabs(hypot(wave_tables_cosine(tables, row, pair),
                           wave_tables_sine(tables, row, pair)) -
                     *amplitude) > off * *amplitude)
                return false;
    return *amplitude > 0;
}

/* Tries every value of the parameters that order columns and space frequencies. */
static struct pe_args *try_rows(struct sight *sight, const struct pe_encoding *enc,
                                const struct wave_tables *tables,
                                const struct wave_ladder *ladder, const char *rest,
                                struct pe_verify_role *roles)
{
    const struct pe_choice *layout = pe_param_find(enc, "layout", strlen("layout"))->choices;
    const struct pe_choice *spacing = pe_param_find(enc, "ladder", strlen("ladder"))->choices;
    struct pe_args *args = NULL;

    for (size_t way = 0; way < 4; way++) /* bases that people write first */
        for (size_t i = 0; layout[i].name && !args; i++) {
            const size_t closed = way % 2;
            char words[WORDS], *query;

            snprintf(words, sizeof words, "&layout=%s&ladder=%s", layout[i].name,
                     spacing[closed].name);
            if (asprintf(&query, "%s%s", words, rest) < 0) {
                sight->failed = true;
                return args;
            }
            args = wave_ladder_try(sight, enc, tables,
                                   wave_ladder_base(ladder, (double)(tables->pairs - closed)),
                                   way < 2, query, roles);
            free(query);
        }
    return args;
}

/* Returns the rows up to a row of zeros among the first, as a table has for padding; 0: there
 * is none. */
static uint64_t rows_to_padding(const struct view *view)
{
    const uint64_t rows = view_rows(view);

    for (uint64_t row = 0; view->rank == 2 && row < PADDING_MOST && row + 3 < rows; row++) {
        bool zero = true;

        for (uint64_t col = 0; zero && col < view_cols(view); col++)
            zero = view_element(view, row, col) == 0;
        if (zero)
            return row + 1;
    }
    return 0;
}

/* See the rows behind the first ones. */
static struct view rows_behind(const struct view *view, uint64_t rows)
{
    struct view behind = *view;

    if (rows > 0) {
        behind.data += (int64_t)rows * view->stride[0] * (int64_t)pe_dtype_size(view->dtype);
        behind.dims[0] -= rows;
    }
    return behind;
}

/* Writes the positions of rows, of which those behind `before` were read: the last before them
 * is that of padding. NULL: they are no run. */
static char *padded_positions(struct sight *sight, const double *at, size_t rows,
                              uint64_t before)
{
    const double first = at[0] - (double)before;
    char *text = NULL;

    if (!is_run(at, rows) || at[1] != at[0] + 1)
        return NULL;
    if (asprintf(&text, "&pos=%.0f:%.0f&padding_idx=%.0f", first, at[0] + (double)rows,
                 at[0] - 1) >= 0)
        return text;
    sight->failed = true;
    return NULL;
}

static struct pe_args *try_order(struct sight *sight, const struct pe_encoding *enc,
                                 const struct order *order, struct pe_verify_role *roles)
{
    const uint64_t before = rows_to_padding(&sight->views[0]);
    const struct view behind = rows_behind(&sight->views[0], before), *view = &behind;
    struct wave_tables tables = {.rows = view_rows(view), .cols = view_cols(view) / 2};
    struct wave_axes axes = {.count = 0};
    struct wave_ladder ladder;
    struct pe_args *args = NULL;
    double amplitude;

    tables.cosine = view_part(view, order->form, order->sines_first);
    tables.sine = view_part(view, order->form, !order->sines_first);
    tables.pairs = (size_t)tables.cols;
    sight->operations += 10.0 * (double)tables.rows * (double)tables.pairs;
    if (!turns(&tables, &amplitude))
        return NULL;
    if (wave_axes_read(&axes, &tables, &sight->operations, &sight->failed) && axes.count == 1 &&
        wave_ladder_fit(&ladder, &axes, 0, wave_tables_tolerance(&tables))) {
        const bool rotary = order->form == PE_FORM_SIDE && !order->sines_first &&
                            is_run(axes.at[0], axes.rows) && axes.at[0][0] == 0;

        wave_axes_stretch(&axes, 0, ladder.height);
        char *positions = rotary       ? NULL
                          : before > 0 ? padded_positions(sight, axes.at[0], axes.rows, before)
                                       : positions_of(sight, axes.at[0], axes.rows);
        if (positions)
            args = try_rows(sight, enc, &tables, &ladder, positions, roles);
        free(positions);
        args = unmirrored(sight, args, axes.at[0], axes.rows, roles);
    }
    wave_axes_fini(&axes);
    return args;
}

struct pe_args *line_drafts_sines(struct sight *sight, struct pe_verify_role *roles)
{
    static const char *const names[] = {"dim", "base", "pos", "layout", "ladder", NULL};
    static const char *const tables[] = {"dim", "base", "width", NULL};
    const struct view *view = &sight->views[0];
    struct pe_args *args = NULL;
    size_t i = 0, j = 0;
    const struct pe_encoding *enc = sight_encoding(sight, PE_ABSOLUTE, names, &i);
    const struct pe_encoding *rotary = sight_encoding(sight, PE_ROTARY, tables, &j);

    if (!enc || sight->count != 1 || view->dtype > PE_BF16 || !view->finite || view->nan ||
        view->infinite || view->rank < 2 || view_rows(view) < 2 || view_cols(view) % 2 != 0 ||
        view_cols(view) < 4 || view_cols(view) > 2 * WAVE_PAIRS_MOST)
        return NULL;
    const char *name = sight->tensors[0].name;
    if (rotary && role_name_read(rotary, name).kind == ROLE_BOTH &&
        !role_name_read(enc, name).output)
        return NULL;
    for (size_t at = 0; at < PE_LEN(orders) && !args && !sight->mistaken; at++)
        args = try_order(sight, enc, &orders[at], roles);
    return args;
}
