/* SPDX-License-Identifier: Apache-2.0
 * learned_check.c - the conventions of offsets of learned tables, and the rules between the
 * values of a lookup. */
#include "core/encodings/absolute/learned.h"
#include "core/math/hierarchy.h"

const struct pe_choice learned_conventions[] = {
    [LEARNED_NONE] = {"none", PE_WORDS("bert", "gpt2", "vit", "clip"),
                      "row pos + offset: BERT, GPT-2, ViT, CLIP", NULL, NULL},
    [LEARNED_FAIRSEQ] =
        {"fairseq", PE_WORDS("roberta", "xlm-roberta", "camembert", "longformer", "layoutlmv3"),
         "tokens have the rows from padding_idx + 1 on, padding has row padding_idx, 1 "
         "by default: fairseq, RoBERTa",
         NULL, "pos=-2:2"},
    [LEARNED_BART] = {"bart", PE_WORDS("mbart", "plbart"),
                      "row pos + 2, whatever the mask: BART", NULL, "pos=-2:2"},
    PE_ONE_AT_WITH(LEARNED_OPT, "opt", "tokens have the rows from 2 on, padding has row 1: OPT",
                   "pos=-2:2"),
    {NULL, NULL, NULL, NULL, NULL}};

uint64_t learned_row_count(const struct learned *learned)
{
    uint64_t rows = learned->table.dims[0];

    return learned->out_of_range == LEARNED_HIERARCHICAL ? hierarchy_rows(rows) : rows;
}

/* ---- defaults ---------------------------------------------------------------------------- */

/* Returns the offset that the convention sets. */
static int64_t own_offset(const struct learned *v)
{
    return v->convention == LEARNED_NONE      ? 0
           : v->convention == LEARNED_FAIRSEQ ? v->padding_idx + 1
                                              : 2;
}

void learned_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct learned *v = values;

    if (v->convention == LEARNED_FAIRSEQ && v->padding_idx == PE_ABSENT_INT)
        v->padding_idx = 1;
    if (v->offset == PE_ABSENT_INT)
        v->offset = own_offset(v);
}

/* ---- rules ------------------------------------------------------------------------------- */

static enum pe_status check_given(const struct learned *v, struct pe_errors *errors)
{
    if (v->convention != LEARNED_NONE && v->offset != own_offset(v))
        return pe_fail(errors, PE_CONFLICT, "offset", "is %lld by convention=%s; got %lld",
                       (long long)own_offset(v), learned_conventions[v->convention].name,
                       (long long)v->offset);
    if (v->zero_padding_row && v->padding_idx == PE_ABSENT_INT)
        return pe_fail(errors, PE_MISSING_PARAMETER, "padding_idx",
                       "is required with zero_padding_row: which row is padding's");
    return v->out_of_range == LEARNED_HIERARCHICAL ? hierarchy_check(v->alpha, errors) : PE_OK;
}

/* Finds the smallest and largest position asked for, before the offset; false when none is. */
static bool span(const struct learned *v, double *low, double *high)
{
    const struct pe_reals *mask = &v->attention_mask;

    *low = 0; /* a mask counts real tokens from 0; padding is -1 */
    *high = -1;
    if (v->pos)
        pe_positions_range(v->pos, low, high);
    for (size_t row = 0; row < mask->rows; row++) {
        double last = -1;

        for (size_t col = 0; col < mask->cols; col++) {
            last += mask->values[row * mask->cols + col];
            *low = mask->values[row * mask->cols + col] == 0 ? -1 : *low;
        }
        *high = last > *high ? last : *high;
    }
    return v->pos ? pe_positions_count(v->pos) > 0 : mask->rows > 0;
}

/* The index is served as a whole number that JSON's float64 holds. */
static void check_index(const struct learned *v, struct pe_errors *errors)
{
    static const int64_t most = INT64_C(1) << 53;
    double low, high;
    int64_t first, last;

    if (!span(v, &low, &high))
        return;
    first = (int64_t)low + v->offset;
    last = (int64_t)high + v->offset;
    if (first < -most || last > most)
        pe_fail(errors, PE_OUT_OF_RANGE, v->pos ? "pos" : "attention_mask",
                "plus offset must be within -2^53..2^53, as index is exact; got %lld",
                (long long)(first < -most ? first : last));
}

void learned_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct learned *v = values;
    bool strict = v->out_of_range == LEARNED_ERROR || v->out_of_range == LEARNED_HIERARCHICAL;
    double low, high, rows, offset = (double)v->offset;

    if (check_given(v, errors))
        return;
    if (!pe_args_encoding(args)->rows_of && pe_wants(args, LEARNED_INDEX))
        check_index(v, errors);
    if (errors->count > 0 || !pe_wants(args, LEARNED_ROWS) ||
        tensor_row_check(&v->table, "table", "rows,dim", errors) || !strict ||
        !span(v, &low, &high))
        return;
    rows = (double)learned_row_count(v);
    if (low + offset < 0 || high + offset >= rows)
        pe_fail(errors, PE_OUT_OF_RANGE, v->pos ? "pos" : "attention_mask",
                "must ask for positions %.0f..%.0f, whose rows %s has; got %.0f", 0 - offset,
                rows - 1 - offset,
                v->out_of_range == LEARNED_ERROR ? "table" : "alpha and table",
                low + offset < 0 ? low : high);
}
