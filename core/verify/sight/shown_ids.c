/* SPDX-License-Identifier: Apache-2.0
 * shown_ids.c - see shown_ids.h. The last axis is that of tokens; its first row is read. */
#include "core/verify/sight/shown_ids.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOKENS_MOST = 1024, ROWS_MOST = 64 };

/* Returns whether a token's position follows that of the token before it. */
static bool follows(const struct view *view, uint64_t row, uint64_t token)
{
    return token > 0 &&
           view_element(view, row, token) == view_element(view, row, token - 1) + 1;
}

/* Adds the lengths of runs that count on, and those of the first and the last. */
static void add_runs(struct shown *shown, const struct view *view, uint64_t tokens)
{
    int64_t *lengths = calloc(tokens + 1, sizeof *lengths);
    size_t count = 0;

    shown->failed = shown->failed || !lengths;
    for (uint64_t token = 0; lengths && token < tokens; token++) {
        count += !follows(view, 0, token);
        lengths[count - 1]++;
    }
    if (lengths && count > 1 && count < tokens) {
        shown_add_list(shown, lengths, count);
        shown_add_whole(shown, lengths[0]);
        shown_add_whole(shown, lengths[count - 1]);
    }
    free(lengths);
}

/* Sets which tokens of a row are of the longest run that counts on; returns how many. */
static uint64_t set_kept(int64_t *kept, const struct view *view, uint64_t row, uint64_t tokens)
{
    uint64_t begin = 0, longest = 0, from = 0;

    for (uint64_t token = 0; token < tokens; token++) {
        if (!follows(view, row, token))
            begin = token;
        if (token + 1 - begin > longest) {
            longest = token + 1 - begin;
            from = begin;
        }
    }
    for (uint64_t token = from; token < from + longest; token++)
        kept[token] = 1;
    return longest;
}

/* Adds which tokens of each sequence count on, as 1, and which are padding. */
static void add_kept(struct shown *shown, const struct view *view, uint64_t tokens)
{
    const uint64_t rows = view_rows(view) < ROWS_MOST ? view_rows(view) : 1;
    int64_t *kept = calloc(rows * tokens, sizeof *kept);
    uint64_t count = 0;

    shown->failed = shown->failed || !kept;
    for (uint64_t row = 0; kept && row < rows; row++)
        count += set_kept(kept + row * tokens, view, row, tokens);
    if (kept && count < rows * tokens)
        shown_add_rows(shown, kept, rows, tokens);
    free(kept);
}

/* ---- parts of text and pictures ---------------------------------------------------------- */

/* Ids of time, row and column. */
struct axes {
    const struct view *view;
    uint64_t tokens;
    bool last; /* the axes of a token adjoin */
};

/* Returns whether a token has these ids; false behind the last. */
static bool is_at(const struct axes *axes, uint64_t token, const double id[3])
{
    for (uint64_t axis = 0; axis < 3 && token < axes->tokens; axis++)
        if (view_element(axes->view, axes->last ? token : axis, axes->last ? axis : token) !=
            id[axis])
            return false;
    return token < axes->tokens;
}

/* Reads a picture that begins at a token with the id `first` on every axis: its frames, rows
 * and columns; false: the token is text. */
static bool read_picture(const struct axes *axes, uint64_t token, double first,
                         uint64_t size[3])
{
    uint64_t step = 1;

    for (int axis = 2; axis >= 0; axis--) {
        double id[3] = {first, first, first};

        size[axis] = 0;
        do {
            size[axis]++;
            id[axis]++;
        } while (is_at(axes, token + size[axis] * step, id));
        step *= size[axis];
    }
    return step > 1;
}

/* Writes the parts, pictures in patches of which `merge` by `merge` are a token; false where
 * the ids have none, or the text is too long. */
static bool write_parts(char text[SHOWN_LIST], const struct axes *axes, uint64_t merge)
{
    size_t len = 0;
    double next = 0;

    for (uint64_t token = 0, words = 0; token < axes->tokens;) {
        const double id[3] = {next, next, next};
        uint64_t size[3] = {1, 1, 1};

        if (!is_at(axes, token, id) || len + 120 > SHOWN_LIST)
            return false;
        const bool picture = read_picture(axes, token, next, size);
        words += !picture;
        token += size[0] * size[1] * size[2];
        next += fmax(fmax((double)size[0], (double)size[1]), (double)size[2]);
        if (words > 0 && (picture || token == axes->tokens)) {
            len += (size_t)snprintf(text + len, SHOWN_LIST - len, "%stext:%" PRIu64,
                                    len > 0 ? "," : "", words);
            words = 0;
        }
        if (picture)
            len += (size_t)snprintf(text + len, SHOWN_LIST - len,
                                    "%s%s:%" PRIu64 "x%" PRIu64 "x%" PRIu64, len > 0 ? "," : "",
                                    size[0] > 1 ? "video" : "image", size[0], merge * size[1],
                                    merge * size[2]);
    }
    return len > 0;
}

static void add_parts(struct shown *shown, const struct view *view)
{
    const uint64_t rows = view_rows(view), cols = view_cols(view);
    const struct axes axes = {view, rows == 3 ? cols : rows, rows != 3};

    if (rows != 3 && cols != 3)
        return;
    for (uint64_t merge = 2; merge > 0 && shown->segment_count < SHOWN_SEGMENTS; merge--)
        shown->segment_count +=
            write_parts(shown->segments[shown->segment_count], &axes, merge);
}

static bool is_whole(const struct view *view, uint64_t row)
{
    for (uint64_t col = 0; col < view_cols(view); col++) {
        const double value = view_element(view, row, col);

        if (!(fabs(value) <= 0x1p53) || value != floor(value))
            return false;
    }
    return true;
}

void shown_read_ids(struct shown *shown, const struct view *view)
{
    const uint64_t tokens = view->rank > 0 ? view->dims[view->rank - 1] : 0;

    if (view->rank > 1 && !view->nan && view->dtype != PE_BOOL8 && view_rows(view) > 0 &&
        view->least == 0)
        add_parts(shown, view);
    if (tokens < 2 || tokens > TOKENS_MOST || view_rows(view) == 0 || view->nan ||
        view->dtype == PE_BOOL8)
        return;
    if (!is_whole(view, 0) || !is_whole(view, view_rows(view) - 1))
        return;
    add_runs(shown, view, tokens);
    add_kept(shown, view, tokens);
    shown_add_whole(shown, (int64_t)fmax(view->most, -0x1p53) + 1);
    shown_add_whole(shown, (int64_t)view_element(view, 0, 0));
}
