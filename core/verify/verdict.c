/* SPDX-License-Identifier: Apache-2.0
 * verdict.c - how far each tensor is from its claim, and where. */
#include "core/verify/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The differences of one subject, while its rows are compared. */
struct gathered {
    double *pairs; /* the largest distance in each pair, or column */
    size_t pair_count;
    bool by_pair;
    bool told; /* it is the first subject of its tensor, which rows and pairs are told of */
};

struct look {
    const struct candidate *base;
    struct pe_verdict *verdict;
    struct gathered gathered[CLAIM_SUBJECTS];
};

static bool gathered_init(struct gathered *gathered, const struct candidate *base,
                          size_t subject)
{
    const struct wave *wave = &base->wave[subject];

    gathered->by_pair = wave->kind == WAVE_COLUMNS || wave->kind == WAVE_TURN;
    gathered->pair_count = gathered->by_pair ? wave->pairs : candidate_cols(base, subject);
    gathered->pairs = claim_room(base->claim, gathered->pair_count + 1, sizeof(double));
    gathered->told = true;
    for (size_t i = 0; i < subject; i++)
        if (base->claim->subject[i].tensor == base->claim->subject[subject].tensor)
            gathered->told = false;
    return gathered->pairs != NULL;
}

static size_t pair_of(const struct wave *wave, size_t col)
{
    bool sine;

    if (wave->kind == WAVE_COLUMNS)
        return wave_pair(wave, col, &sine);
    if (wave->kind != WAVE_TURN)
        return col;
    if (col >= 2 * wave->pairs)
        return 0; /* columns that do not turn */
    return wave->adjacent ? col / 2 : col % wave->pairs;
}

static void show(struct pe_verify_shown *shown, size_t *count, uint64_t index, double max_abs)
{
    if (*count < PE_VERIFY_SHOWN)
        shown[(*count)++] = (struct pe_verify_shown){index, max_abs};
}

/* The first rows and pairs are shown, then those at powers of two, and the last. */
static bool is_shown(uint64_t index, uint64_t count)
{
    return index <= 1 || index + 1 == count || (index & (index - 1)) == 0;
}

/* Rows differ where an element is farther than this, relative to the larger of it and 1. */
static const double visible = 0x1p-20;

/* Raise a maximum; NaN is beyond every number. */
static bool raise(double *most, double value)
{
    if (value <= *most)
        return false;
    *most = isnan(value) ? INFINITY : value;
    return true;
}

static void look_at_row(void *context, size_t subject, uint64_t row, const double *expected,
                        const double *data, size_t cols)
{
    struct look *look = context;
    const struct candidate *base = look->base;
    struct gathered *gathered = &look->gathered[subject];
    struct pe_tensor_verdict *tensor =
        &look->verdict->tensor[base->claim->subject[subject].tensor];
    const uint64_t rows = candidate_rows(base, subject);
    double row_max = 0;
    bool differs = false;

    for (size_t col = 0; col < cols; col++) {
        if (expected[col] == data[col])
            continue;
        const double distance = fabs(expected[col] - data[col]);

        if (isnan(data[col]) || (isinf(data[col]) && !isinf(expected[col])))
            tensor->finite = false;
        differs = differs || !(distance <= visible * fmax(1, fabs(expected[col])));
        raise(&row_max, distance);
        const size_t pair = pair_of(&base->wave[subject], col);
        assert(pair < gathered->pair_count);
        raise(&gathered->pairs[pair], distance);
        raise(&tensor->max_rel, distance / fabs(expected[col]));
        if (raise(&tensor->max_abs, distance))
            view_index(&base->view[subject], row, col, tensor->max_abs_at);
    }
    if (!gathered->told)
        return;
    tensor->rows_differ += differs;
    if (is_shown(row, rows) && (tensor->row_count + 1 < PE_VERIFY_SHOWN || row + 1 == rows))
        show(tensor->rows, &tensor->row_count, row, row_max);
}

static void show_pairs(struct pe_tensor_verdict *tensor, const struct gathered *gathered)
{
    tensor->has_pairs = gathered->by_pair;
    for (size_t i = 0; i < gathered->pair_count; i++)
        if (is_shown(i, gathered->pair_count) &&
            (tensor->pair_count + 1 < PE_VERIFY_SHOWN || i + 1 == gathered->pair_count))
            show(tensor->pairs, &tensor->pair_count, i, gathered->pairs[i]);
}

/* Adds what is known of a subject to its tensor, of which it may be one of two parts. */
static void add_subject(struct look *look, size_t subject, const struct rounding *rounding)
{
    const struct candidate *base = look->base;
    const struct view *view = &base->view[subject];
    struct pe_tensor_verdict *tensor =
        &look->verdict->tensor[base->claim->subject[subject].tensor];

    tensor->rank = view->rank;
    if (tensor->differs == 0 && rounding->differs > 0)
        view_index(view, rounding->first_row, rounding->first_col, tensor->first);
    tensor->differs += rounding->differs;
    tensor->of += rounding->of;
    raise(&tensor->max_ulp, rounding->max_ulp);
    memcpy(tensor->fits, base->fits[subject], sizeof tensor->fits);
    if (look->gathered[subject].told)
        show_pairs(tensor, &look->gathered[subject]);
}

bool verdict_compare(struct pe_verdict *verdict, const struct candidate *base,
                     struct rounding *rounding)
{
    const size_t count = base->claim->subject_count;
    struct look look = {.base = base, .verdict = verdict};
    bool ok = true;

    for (size_t i = 0; i < PE_VERIFY_TENSORS; i++)
        verdict->tensor[i].finite = true;
    for (size_t i = 0; i < count; i++)
        ok = gathered_init(&look.gathered[i], base, i) && ok;
    ok = ok && rounding_compare(rounding, base, NULL, false, look_at_row, &look);
    for (size_t i = 0; i < count; i++) {
        if (ok)
            add_subject(&look, i, &rounding[i]);
        free(look.gathered[i].pairs);
    }
    return ok;
}

void verdict_kinds(struct pe_verdict *verdict, const struct candidate *base, size_t count,
                   const struct pe_verify_role *roles)
{
    bool compared = base && verdict->kind == PE_EXACT; /* with the claim's elements */

    for (size_t i = 0; base && i < count; i++)
        compared = compared || verdict->tensor[i].differs > 0;
    verdict->tensor_count = count;
    for (size_t i = 0; i < count; i++) {
        struct pe_tensor_verdict *tensor = &verdict->tensor[i];

        tensor->role = roles[i].output ? roles[i].name : NULL;
        tensor->kind =
            tensor->role && (!compared || tensor->differs > 0) ? verdict->kind : PE_EXACT;
        if (!compared) { /* the shape is another one, or the stop came before */
            tensor->max_abs = tensor->max_rel = tensor->max_ulp = INFINITY;
            tensor->finite = true;
        }
    }
}
