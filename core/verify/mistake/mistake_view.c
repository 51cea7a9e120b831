/* SPDX-License-Identifier: Apache-2.0
 * mistake_view.c - mistakes of layout: the tensor has the right numbers in other places, or
 * with another sign. Its view undoes the mistake, and the candidate's numbers stay. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/mistake/mistakes.h"

static const char *output_name(const struct candidate *candidate, size_t subject)
{
    return candidate->tensor[subject]->output->name;
}

static size_t find_subject(const struct candidate *candidate, const char *name)
{
    for (size_t i = 0; i < candidate->claim->subject_count; i++)
        if (strcmp(output_name(candidate, i), name) == 0)
            return i;
    return SIZE_MAX;
}

/* Exchange the sines and cosines of one table: a tensor that is alone has the other's order. */
static bool exchange_orders(struct candidate *candidate)
{
    const double quarter = 1.57079632679489661923;
    bool changed = false;

    for (size_t i = 0; i < candidate->claim->subject_count; i++) {
        struct wave *wave = &candidate->wave[i];

        if (wave->kind == WAVE_TURN && !changed) { /* cos(pi/2 - a) is sin a */
            candidate->angles->angle_scale *= -1;
            candidate->angles->angle_offset = quarter - candidate->angles->angle_offset;
            changed = true;
        }
        if (wave->kind != WAVE_COLUMNS)
            continue;
        wave->order ^= 1; /* the orders stand in twos: cosines and sines exchanged */
        changed = true;
    }
    candidate->warped |= changed;
    return changed;
}

struct candidate *mistake_view_swapped(const struct candidate *base, size_t variant)
{
    const size_t cos = find_subject(base, "cos"), sin = find_subject(base, "sin");
    struct candidate *made = candidate_copy(base);

    if (!made)
        return NULL;
    if (cos != SIZE_MAX && sin != SIZE_MAX) {
        struct view kept = made->view[cos];

        made->view[cos] = made->view[sin];
        made->view[sin] = kept;
        return made;
    }
    if (exchange_orders(made))
        return made;
    candidate_free(made);
    return NULL;
}

/* Distances are counted without their sign: rows of negative positions have the sines of
 * positive ones. */
static struct candidate *drop_signs(const struct candidate *base)
{
    const struct angles *angles = base->angles;
    const bool has_pos = angles && angles->pos && !angles->listed;
    double *listed = has_pos ? claim_memory(base->claim, angles->rows, sizeof *listed) : NULL;
    struct candidate *made = listed ? candidate_copy(base) : NULL;
    bool negative = false;

    for (uint64_t i = 0; made && i < angles->rows; i++) {
        listed[i] = fabs(angles_position(angles, i));
        negative = negative || angles_position(angles, i) < 0;
    }
    if (made) {
        made->angles->listed = listed;
        made->warped = true;
        mistakes_tell(made, "positions", "");
    } else {
        free(listed);
    }
    if (negative)
        return made;
    candidate_free(made);
    return NULL;
}

/* The first variant reverses the sign of every tensor, the next ones of one each; truth values
 * and whole numbers have no sign to forget. */
struct candidate *mistake_view_sign(const struct candidate *base, size_t variant)
{
    const size_t count = base->claim->subject_count;
    struct candidate *made;

    if (variant > count || (variant > 0 && count == 1))
        return NULL;
    made = candidate_copy(base);
    for (size_t i = 0; made && i < count; i++)
        if (variant == 0 || i == variant - 1)
            made->view[i].factor = -made->view[i].factor;
    if (variant > 0 || count == 1)
        mistakes_tell(made, output_name(base, variant > 0 ? variant - 1 : 0), "");
    return made;
}

struct candidate *mistake_view_sign_lost(const struct candidate *base, size_t variant)
{
    return variant == 0 ? drop_signs(base) : mistake_rows_mirrored(base);
}

/* See every tensor with its own axes in another order, in the shapes of the candidate. Where
 * the candidate is not fitted, tensors that have their shape stay as they are. */
static struct candidate *exchange(const struct candidate *base, const size_t *order,
                                  size_t rank)
{
    const bool fitted = candidate_all_fitted(base);
    struct candidate *made = candidate_copy(base);
    bool fits = made != NULL;

    for (size_t i = 0; fits && i < base->claim->subject_count; i++) {
        const struct pe_tensor_info *tensor = base->tensor[i];
        const struct view *whole = &base->claim->subject[i].whole;
        struct view *view = &made->view[i];

        if (!fitted && view_fit(view, tensor->dims, tensor->rank, made->fits[i]))
            continue;
        fits = whole->rank == rank;
        *view = *whole;
        for (size_t axis = 0; fits && axis < rank; axis++) {
            view->dims[axis] = whole->dims[order[axis]];
            view->stride[axis] = whole->stride[order[axis]];
            view->slices[axis] = whole->slices[order[axis]];
        }
        fits = fits && view_fit(view, tensor->dims, tensor->rank, made->fits[i]);
    }
    if (fits)
        return made;
    candidate_free(made);
    return NULL;
}

/* The last two axes; the second variant looks at the view, whose axes of 1 are dropped; the
 * third has the tokens of a grid numbered column by column. */
struct candidate *mistake_view_transposed(const struct candidate *base, size_t variant)
{
    size_t order[PE_MAX_RANK] = {0, 1, 2, 3, 4, 5};
    const size_t rank = base->claim->subject[0].whole.rank;
    struct candidate *made;

    if (base->wave[0].kind == WAVE_TURN)
        return NULL;
    if (variant == 2)
        return mistake_axes_by_columns(base);
    if (variant == 0 && rank >= 2) {
        order[rank - 2] = rank - 1;
        order[rank - 1] = rank - 2;
        return exchange(base, order, rank);
    }
    made = variant == 1 ? candidate_copy(base) : NULL;
    for (size_t i = 0; made && i < base->claim->subject_count; i++) {
        struct view *view = &made->view[i];

        if (view->rank < 2 || view->dims[view->rank - 1] != view->dims[view->rank - 2]) {
            candidate_free(made);
            return NULL;
        }
        view_exchange(view, view->rank - 1, view->rank - 2);
    }
    return made;
}

/* Writes permutation number `number` of `rank` axes, in lexicographic order. */
static bool permute(size_t number, size_t rank, size_t *order)
{
    size_t left[PE_MAX_RANK], count = 1;

    for (size_t i = 0; i < rank; i++) {
        left[i] = i;
        count *= i + 1;
    }
    if (number >= count)
        return false;
    for (size_t i = 0; i < rank; i++) {
        count /= rank - i;
        size_t pick = number / count;

        number %= count;
        order[i] = left[pick];
        memmove(left + pick, left + pick + 1, (rank - i - pick - 1) * sizeof *left);
    }
    return true;
}

/* Positions run along the axis of heads of vectors that were reshaped where they should have
 * been transposed: a position has as many rows that adjoin as heads, or one. */
static struct candidate *reshape(const struct candidate *base)
{
    struct candidate *made =
        base->wave[0].kind == WAVE_TURN && base->angles->pos ? candidate_copy(base) : NULL;
    bool reshaped = false;

    for (size_t i = 0; made && i < base->claim->subject_count; i++) {
        struct wave *wave = &made->wave[i];
        const size_t axis = wave->seq_axis, last = wave->vectors.rank - 1;
        const bool heads_last = axis + 2 == last && wave->vectors.dims[axis + 1] > 1;

        if (made->spared >> i & 1 || (!heads_last && (axis + 1 != last || axis == 0)))
            continue;
        wave->inner = heads_last ? 1 : wave->vectors.dims[axis - 1];
        reshaped = reshaped || wave->inner > 1 || heads_last;
    }
    if (reshaped) {
        made->warped = true;
        snprintf(made->says, sizeof made->says,
                 "the axes of heads and positions were reshaped where they should have been "
                 "transposed: vectors of other heads and positions are turned");
        return made;
    }
    candidate_free(made);
    return NULL;
}

struct candidate *mistake_view_axes(const struct candidate *base, size_t variant)
{
    const size_t rank = base->claim->subject[0].whole.rank;
    size_t order[PE_MAX_RANK];

    if (variant == 23)
        return candidate_all_fitted(base) ? reshape(base) : NULL;
    if (rank < 3 || rank > 4 || !permute(variant + 1, rank, order))
        return NULL;
    return exchange(base, order, rank);
}

/* See every tensor backwards along the axis of that name. */
static struct candidate *reverse(const struct candidate *base, const char *name)
{
    struct candidate *made = candidate_copy(base);
    bool found = false;

    for (size_t i = 0; made && i < base->claim->subject_count; i++) {
        const char *const *axes = base->tensor[i]->output->axes;

        for (size_t axis = 0; axis < made->view[i].rank && axes[axis]; axis++) {
            if (strcmp(axes[axis], name) != 0)
                continue;
            view_reverse(&made->view[i], axis);
            found = true;
            break;
        }
    }
    if (found)
        return made;
    candidate_free(made);
    return NULL;
}

struct candidate *mistake_view_slopes_reversed(const struct candidate *base, size_t variant)
{
    return reverse(base, "heads");
}

struct candidate *mistake_view_positions_reversed(const struct candidate *base, size_t variant)
{
    struct candidate *made;

    if (!base->angles || !base->angles->pos)
        return reverse(base, variant == 0 ? "pos" : variant == 1 ? "q" : "...");
    if (variant > 0)
        return NULL;
    made = candidate_copy(base);
    if (made) {
        made->angles->reversed = !made->angles->reversed;
        made->warped = true;
    }
    return made;
}
