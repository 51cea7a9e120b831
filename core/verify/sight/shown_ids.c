/* SPDX-License-Identifier: Apache-2.0
 * shown_ids.c - see shown_ids.h. The last axis is that of tokens; its first row is read. */
#include "core/verify/sight/shown_ids.h"

#include <math.h>
#include <stdlib.h>

enum { TOKENS_MOST = 1024 };

/* Returns whether a token's position follows that of the token before it. */
static bool follows(const struct view *view, uint64_t token)
{
    return token > 0 && view_element(view, 0, token) == view_element(view, 0, token - 1) + 1;
}

/* Adds the lengths of runs that count on. */
static void add_runs(struct shown *shown, const struct view *view, uint64_t tokens)
{
    int64_t *lengths = calloc(tokens + 1, sizeof *lengths);
    size_t count = 0;

    shown->failed = shown->failed || !lengths;
    for (uint64_t token = 0; lengths && token < tokens; token++) {
        count += !follows(view, token);
        lengths[count - 1]++;
    }
    if (lengths && count > 1 && count < tokens)
        shown_add_list(shown, lengths, count);
    free(lengths);
}

/* Adds which tokens are of the longest run that counts on, as 1, and which are padding. */
static void add_kept(struct shown *shown, const struct view *view, uint64_t tokens)
{
    int64_t *kept = calloc(tokens + 1, sizeof *kept);
    uint64_t begin = 0, longest = 0, from = 0;

    shown->failed = shown->failed || !kept;
    for (uint64_t token = 0; token < tokens; token++) {
        if (!follows(view, token))
            begin = token;
        if (token + 1 - begin > longest) {
            longest = token + 1 - begin;
            from = begin;
        }
    }
    for (uint64_t token = from; kept && token < from + longest; token++)
        kept[token] = 1;
    if (kept && longest < tokens)
        shown_add_list(shown, kept, tokens);
    free(kept);
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
