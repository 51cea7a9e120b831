/* SPDX-License-Identifier: Apache-2.0
 * verdict.c - how far each tensor is from its claim, and where. */
#include "core/verify/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/where.h"

/* The differences of one subject, while its rows are compared. */
struct gathered {
    double *pairs; /* the largest distance in each pair, or column */
    bool *wrong;   /* whether a pair has more than rounding explains */
    size_t pair_count;
    bool by_pair;
    struct pe_verify_where rows;
    bool told; /* it is the first subject of its tensor, which rows and pairs are told of */
};

struct look {
    const struct candidate *base;
    struct pe_verdict *verdict;
    struct gathered gathered[CLAIM_SUBJECTS];
    bool has_first[PE_VERIFY_TENSORS]; /* `first` is set */
};

static bool gathered_init(struct gathered *gathered, const struct candidate *base,
                          size_t subject)
{
    const struct wave *wave = &base->wave[subject];

    gathered->by_pair = wave->kind == WAVE_COLUMNS || wave->kind == WAVE_TURN;
    gathered->pair_count = gathered->by_pair ? wave->pairs : candidate_cols(base, subject);
    gathered->pairs = claim_memory(base->claim, gathered->pair_count + 1, sizeof(double));
    gathered->wrong = claim_memory(base->claim, gathered->pair_count + 1, sizeof(bool));
    where_start(&gathered->rows, candidate_rows(base, subject));
    gathered->told = true;
    for (size_t i = 0; i < subject; i++)
        if (base->claim->subject[i].tensor == base->claim->subject[subject].tensor)
            gathered->told = false;
    return gathered->pairs && gathered->wrong;
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

/* Returns whether two numbers differ by more than the rounding of a dtype, or of float32's
 * arithmetic, relative to the larger of the first and 1. NaN does. */
static bool is_beyond(enum pe_dtype dtype, double expected, double distance)
{
    const double visible = 0x1p-20, steps = dtype == PE_BF16  ? 0x1p-7
                                            : dtype == PE_F16 ? 0x1p-10
                                                              : 0;

    return !(distance <= visible * fmax(1, fabs(expected)) + steps * fabs(expected));
}

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
    bool *has_first = &look->has_first[base->claim->subject[subject].tensor];
    double row_max = 0;
    bool differs = false;

    for (size_t col = 0; col < cols; col++) {
        if (expected[col] == data[col])
            continue;
        const double distance = fabs(expected[col] - data[col]);

        const bool wrong = is_beyond(base->view[subject].precision, expected[col], distance);

        if (isnan(data[col]) || (isinf(data[col]) && !isinf(expected[col]))) {
            if (tensor->finite)
                view_index(&base->view[subject], row, col, tensor->nonfinite_at);
            tensor->finite = false;
        }
        if (wrong && !*has_first) {
            view_index(&base->view[subject], row, col, tensor->first);
            *has_first = true;
        }
        differs = differs || wrong;
        raise(&row_max, distance);
        const size_t pair = pair_of(&base->wave[subject], col);
        assert(pair < gathered->pair_count);
        raise(&gathered->pairs[pair], distance);
        gathered->wrong[pair] |= wrong;
        raise(&tensor->max_rel, distance / fabs(expected[col]));
        if (raise(&tensor->max_abs, distance))
            view_index(&base->view[subject], row, col, tensor->max_abs_at);
    }
    where_add(&gathered->rows, row, row_max, differs);
    if (!gathered->told)
        return;
    tensor->rows_differ += differs;
    if (is_shown(row, rows) && (tensor->row_count + 1 < PE_VERIFY_SHOWN || row + 1 == rows))
        show(tensor->rows, &tensor->row_count, row, row_max);
}

/* Says the columns of a pair, "i, i + 64", where rows are waves or turn. */
static void name_columns(char *text, const struct wave *wave, size_t cols)
{
    const bool adjoin = wave->kind == WAVE_TURN ? wave->adjacent
                                                : wave->order >= WAVE_COS_TWICE &&
                                                      wave->order <= WAVE_COS_SIN_PAIRS;

    if (cols == wave->pairs)
        snprintf(text, PE_VERIFY_COLUMNS, "i");
    else if (adjoin)
        snprintf(text, PE_VERIFY_COLUMNS, "2i, 2i + 1");
    else
        snprintf(text, PE_VERIFY_COLUMNS, "i, i + %zu", wave->pairs);
}

/* Returns how many rows are in runs; 0 where some runs are not kept. */
static uint64_t count_runs(const struct pe_verify_where *where)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < where->range_count && where->more == 0; i++)
        rows += where->range[i].end - where->range[i].first;
    return rows;
}

/* Adds the rows and pairs of a subject to those of its tensor. */
static void add_where(struct pe_tensor_verdict *tensor, struct gathered *gathered)
{
    struct pe_verify_where columns;

    where_start(&columns, gathered->pair_count);
    for (size_t i = 0; i < gathered->pair_count; i++)
        where_add(&columns, i, gathered->pairs[i], gathered->wrong[i]);
    if (gathered->told) {
        tensor->wrong_rows = gathered->rows;
        tensor->wrong_columns = columns;
    } else {
        where_join(&tensor->wrong_rows, &gathered->rows);
        tensor->rows_differ = count_runs(&tensor->wrong_rows);
        where_join(&tensor->wrong_columns, &columns);
    }
    where_end(&tensor->wrong_columns, gathered->pair_count);
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
    const size_t number = base->claim->subject[subject].tensor;

    if (tensor->differs == 0 && rounding->differs > 0 && !look->has_first[number])
        view_index(view, rounding->first_row, rounding->first_col, tensor->first);
    tensor->differs += rounding->differs;
    tensor->of += rounding->of;
    raise(&tensor->max_ulp, rounding->max_ulp);
    memcpy(tensor->fits, base->fits[subject], sizeof tensor->fits);
    if (look->gathered[subject].told)
        show_pairs(tensor, &look->gathered[subject]);
    if (look->gathered[subject].by_pair)
        name_columns(tensor->pair_columns, &base->wave[subject],
                     (size_t)candidate_cols(base, subject));
    add_where(tensor, &look->gathered[subject]);
    where_end(&tensor->wrong_rows, candidate_rows(base, subject));
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
        free(look.gathered[i].wrong);
    }
    return ok;
}

double verdict_distance(const struct pe_verdict *verdict, const struct claim *claim)
{
    double distance = 0;

    for (size_t i = 0; i < claim->subject_count; i++)
        distance = fmax(distance, verdict->tensor[claim->subject[i].tensor].max_abs);
    return distance > 0 ? distance : INFINITY;
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
