/* SPDX-License-Identifier: Apache-2.0
 * solve_mask.c - see solve_mask.h. */
#include "core/verify/solve/solve_mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/expected.h"
#include "core/verify/row_buffer.h"
#include "core/verify/solve/mask_edit.h"

enum { SIDE_MOST = 4096 };

void solve_mask_fini(struct solved_mask *solved)
{
    mask_terms_fini(&solved->found);
    mask_terms_fini(&solved->claimed);
    free(solved->seen.at);
    solved->seen.at = NULL;
}

static bool is_output(const struct candidate *base, const char *name)
{
    return strcmp(base->tensor[0]->output->name, name) == 0;
}

static bool is_mask(const struct candidate *base)
{
    const struct view *view = &base->view[0];

    return base->enc->family == PE_MASK && base->claim->subject_count == 1 &&
           base->map == MAP_NONE && !base->rows && !base->columns && view->rank >= 2 &&
           !view->nan && view->dims[view->rank - 1] > 0 && view_rows(view) > 0 &&
           view->dims[view->rank - 1] <= SIDE_MOST && view->dims[view->rank - 2] <= SIDE_MOST &&
           (is_output(base, "mask") || is_output(base, "additive"));
}

/* Returns whether positions rise by one. */
static bool is_run(const struct pe_positions *pos)
{
    return pe_positions_count(pos) > 0 && pe_positions_run(pos, 0).step == 1 &&
           pe_positions_run(pos, 0).left == pe_positions_count(pos);
}

/* Finds the key at which the first query stands; false where positions are no runs. */
static bool find_offset(struct mask_seen *seen, const struct candidate *base)
{
    const struct pe_positions *q = candidate_positions(base, "q");
    const struct pe_positions *k = candidate_positions(base, "k");

    if ((q && !is_run(q)) || (k && !is_run(k)) || (!q && seen->keys < seen->queries))
        return false;
    const double first = (q ? pe_positions_at(q, 0) : (double)(seen->keys - seen->queries)) -
                         (k ? pe_positions_at(k, 0) : 0);
    if (!(first >= 0 && first + (double)seen->queries <= (double)seen->keys))
        return false;
    seen->offset = (uint64_t)first;
    return true;
}

/* Reads the truth values of a row: of masks the claim's shown number, of others 0. */
static bool read_row(const struct solved_mask *solved, const struct candidate *base,
                     const double *row, bool *seen)
{
    for (uint64_t i = 0; i < solved->seen.keys; i++) {
        seen[i] = row[i] == solved->shown;
        if (!seen[i] &&
            !(is_output(base, "mask") ? row[i] == solved->hidden : row[i] <= MASK_HIDES))
            return false;
    }
    return true;
}

/* Reads the tensor, or the claim's numbers, into `at`; false where heads differ. */
static bool read_all(struct solved_mask *solved, const struct candidate *base, bool claimed,
                     struct row_buffer row, bool *at)
{
    const uint64_t keys = solved->seen.keys, queries = solved->seen.queries;
    bool *other = claim_memory(base->claim, keys, sizeof *other);
    bool ok = other != NULL;

    for (uint64_t i = 0; ok && i < candidate_rows(base, 0); i++) {
        if (claimed)
            expected_row(base, 0, i, row, (struct row_buffer){.at = NULL});
        else
            view_row(&base->view[0], i, row);
        ok = read_row(solved, base, row.at, i < queries ? at + i * keys : other) &&
             (i < queries || memcmp(other, at + i % queries * keys, keys * sizeof *at) == 0);
        for (uint64_t j = 0; claimed && j < keys; j++)
            if (row.at[j] != solved->shown)
                solved->hidden = row.at[j];
    }
    free(other);
    return ok;
}

static bool read_both(struct solved_mask *solved, const struct candidate *base,
                      struct row_buffer row)
{
    struct mask_seen claimed = solved->seen;
    bool *failed = &base->claim->failed;

    claimed.at = claim_memory(base->claim, claimed.queries * claimed.keys, sizeof(bool));
    solved->seen.at = claim_memory(base->claim, claimed.queries * claimed.keys, sizeof(bool));
    bool ok =
        claimed.at && solved->seen.at && read_all(solved, base, false, row, solved->seen.at);
    solved->comparable = ok && read_all(solved, base, true, row, claimed.at) &&
                         mask_terms_read(&solved->claimed, &claimed, failed);
    ok = ok && ((solved->comparable &&
                 mask_edit_read(&solved->found, &solved->claimed, &solved->seen, failed)) ||
                mask_terms_read(&solved->found, &solved->seen, failed));
    free(claimed.at);
    return ok;
}

bool solve_mask(struct solved_mask *solved, const struct candidate *base)
{
    *solved = (struct solved_mask){.shown = 0};
    if (!is_mask(base))
        return false;
    const struct view *view = &base->view[0];
    solved->seen.keys = view->dims[view->rank - 1];
    solved->seen.queries = view->dims[view->rank - 2];
    if (!find_offset(&solved->seen, base))
        return false;
    if (is_output(base, "mask")) {
        const char *means = claim_text(base->claim, "true_means");

        solved->shown = !means || strcmp(means, "attend") == 0;
        solved->hidden = 1 - solved->shown;
    } else {
        solved->hidden = view->least;
    }
    base->claim->operations +=
        MASK_OF_ELEMENT * (double)candidate_rows(base, 0) * (double)solved->seen.keys;
    struct row_buffer row = row_buffer_new(base->widest, &base->claim->failed);
    const bool read = row.at && read_both(solved, base, row);
    free(row.at);
    if (!read)
        solve_mask_fini(solved);
    return read;
}
