/* SPDX-License-Identifier: Apache-2.0
 * mistake_terms.c - masks of other terms than the claim's: one is missing, added, shifted, or
 * has another size. They are read out of the mask (solve/solve_mask.h). */
#include <stdio.h>
#include <stdlib.h>

#include "core/verify/mistake/mistakes.h"
#include "core/verify/solve/mask_say.h"
#include "core/verify/solve/solve_mask.h"

/* Terms that differ at most: a mask that differs in more is another mask. */
enum { TERMS_MOST = 2 };

/* Makes the candidate of the mask that was read, which it then owns. */
static struct candidate *make_mask(const struct candidate *base, struct solved_mask *solved)
{
    struct candidate *made = mistakes_map(base, MAP_SEEN);

    if (!made)
        return NULL;
    made->seen = solved->seen.at;
    solved->seen.at = NULL;
    made->queries = solved->seen.queries;
    made->shown = solved->shown;
    made->hidden = solved->hidden;
    return made;
}

/* Returns whether the mask bounds nothing where the claim has a window. */
static bool lacks_window(const struct solved_mask *solved)
{
    return solved->claimed.window > 0 && solved->found.window == 0;
}

/* The terms that differ from the claim's own; the first row of the table is about a window that
 * is missing, which is no window of another size. */
static struct candidate *make_terms(const struct candidate *base, bool missing)
{
    char says[PE_VERIFY_SENTENCE];
    struct candidate *made = NULL;
    struct solved_mask solved;

    if (base->changes.count > 0 || (missing && !claim_text(base->claim, "window")) ||
        !solve_mask(&solved, base))
        return NULL;
    const size_t count =
        solved.comparable ? mask_say(&solved.found, &solved.claimed, says, sizeof says) : 0;
    if (count > 0 && count <= TERMS_MOST && missing == (count == 1 && lacks_window(&solved)))
        made = make_mask(base, &solved);
    if (made)
        snprintf(made->says, sizeof made->says, "%s", says);
    solve_mask_fini(&solved);
    return made;
}

struct candidate *mistake_terms_no_window(const struct candidate *base, size_t variant)
{
    return make_terms(base, true);
}

struct candidate *mistake_terms_differ(const struct candidate *base, size_t variant)
{
    return make_terms(base, false);
}
