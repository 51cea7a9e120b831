/* SPDX-License-Identifier: Apache-2.0
 * ids_from_mask.c - position ids of padded batches, by the rules of models.
 *
 *     c = cumulative sum of the mask along the row, the element itself included
 *     left_pad:    c - 1 where seen, else pad_value       (generate() of transformers)
 *     roberta:     (c + past_len) mask + padding_idx
 *     opt:         c mask - 1 + offset, without the first `past_len` columns
 *     bloom_alibi: (c - 1) mask
 *     arange:      offset + past_len + 0, 1, ...              (BERT, GPT-2; BART: offset 2)
 *
 * transformers: modeling_roberta.py, modeling_opt.py, modeling_bloom.py, generation/utils.py.
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/precomputed.h"

enum { IDS };
enum { LEFT_PAD, ROBERTA, OPT, BLOOM_ALIBI, ARANGE };

struct ids_from_mask {
    struct pe_reals attention_mask, input_ids;
    int convention;
    int64_t padding_idx, past_len, offset, pad_value, len, batch;
};

static const struct pe_choice rules[] = {
    [LEFT_PAD] = {"left_pad", PE_WORDS("from_attention_mask_generate"),
                  "generate() of transformers: tokens before it that are no padding; "
                  "padding has pad_value",
                  NULL, NULL},
    [ROBERTA] = {"roberta", PE_WORDS("from_input_ids"),
                 "RoBERTa: padding_idx + past_len + tokens up to it; padding has padding_idx",
                 NULL, NULL},
    [OPT] =
        {"opt", PE_WORDS("from_attention_mask"),
         "OPT: offset + past tokens, and -1 + offset for padding; without the first past_len "
         "columns",
         NULL, NULL},
    PE_ONE_AT(BLOOM_ALIBI, "bloom_alibi",
              "BLOOM's ALiBi: tokens before it that are no padding; padding has 0"),
    PE_ONE_AT(ARANGE, "arange",
              "BERT, GPT-2, BART: offset + past_len + 0, 1, 2, ..., whatever the mask"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct ids_from_mask, attention_mask), .type = PE_REALS, .matrix = true, .min = 0,
     .max = 1, .summary = "rows of 1 (token) and 0 (padding), one a sequence: 0,0,1,1;1,1,1,1"},
    {PE_FIELD(struct ids_from_mask, input_ids), .type = PE_REALS, .matrix = true, .min = 0,
     .max = 0x1p53, PE_OWN("transformers", MASK, BASIC),
     .summary =
         "ids of the vocabulary, a row a sequence, in place of attention_mask: padding_idx "
         "is padding"},
    {PE_FIELD(struct ids_from_mask, convention), .type = PE_CHOICE, .choices = rules,
     .summary = "model whose rule makes ids of a padded batch"},
    {PE_FIELD(struct ids_from_mask, padding_idx), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p40, .when = "convention=roberta,input_ids",
     .summary = "id of the padding token in input_ids, and position of padding (roberta); 1 by "
                "default"},
    {PE_FIELD(struct ids_from_mask, past_len), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p40, .when = "convention=roberta|opt|arange",
     PE_OWN("transformers", POSITIONS, ADVANCED),
     .summary =
         "number of tokens in the cache before these (past_key_values_length); 0 by default"},
    {PE_FIELD(struct ids_from_mask, offset), .type = PE_INT, .optional = true, .min = -0x1p40,
     .max = 0x1p40, .when = "convention=opt|arange",
     .summary = "added to every id; 2 by default with opt, 0 with arange"},
    {PE_FIELD(struct ids_from_mask, pad_value), .type = PE_INT, .optional = true,
     .min = -0x1p40, .max = 0x1p40, .when = "convention=left_pad",
     .summary = "position id of padding; 1 by default, as in generate()"},
    {PE_FIELD(struct ids_from_mask, len), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p40, .when = "convention=arange&!attention_mask&!input_ids",
     .summary = "number of tokens of a sequence, in place of attention_mask"},
    {PE_FIELD(struct ids_from_mask, batch), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p40, .when = "len", PE_OWN("posenc", SHAPE, BASIC),
     .summary = "number of sequences; 1 by default"},
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("position_ids", PE_I64, "batch", "token"), .label = "Position ids",
             .one_of = "attention_mask|input_ids|len",
             .summary = "position id of each token of each sequence; with opt the row of the "
                        "learned table",
             .by_default = true, .bound = "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool counts_past(int convention)
{
    return convention == ROBERTA || convention == OPT || convention == ARANGE;
}

static void default_to(int64_t *field, bool used, int64_t value)
{
    if (used && *field == PE_ABSENT_INT)
        *field = value;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct ids_from_mask *v = values;

    default_to(&v->padding_idx, v->convention == ROBERTA || v->input_ids.rows > 0, 1);
    default_to(&v->past_len, counts_past(v->convention), 0);
    default_to(&v->offset, v->convention == OPT, 2);
    default_to(&v->offset, v->convention == ARANGE, 0);
    default_to(&v->pad_value, v->convention == LEFT_PAD, 1);
    default_to(&v->batch, v->len != PE_ABSENT_INT, 1);
}

static const struct pe_reals *matrix_of(const struct ids_from_mask *v)
{
    return v->input_ids.rows > 0 ? &v->input_ids : &v->attention_mask;
}

static void check_given(const struct ids_from_mask *v, struct pe_errors *errors)
{
    if (v->input_ids.rows > 0 && v->attention_mask.rows > 0)
        pe_fail(errors, PE_CONFLICT, "input_ids",
                "stand in for attention_mask; give one of them");
    if (matrix_of(v)->rows == 0 && v->len == PE_ABSENT_INT)
        pe_fail(errors, PE_MISSING_PARAMETER, "attention_mask", "is required, or input_ids%s",
                v->convention == ARANGE ? ", or len" : "");
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ids_from_mask *v = values;
    const struct pe_reals *matrix = matrix_of(v);
    const char *name = v->input_ids.rows > 0 ? "input_ids" : "attention_mask";

    check_given(v, errors);
    for (size_t i = 0; i < matrix->rows * matrix->cols; i++) {
        if (matrix->values[i] != trunc(matrix->values[i])) {
            pe_fail(errors, PE_BAD_VALUE, name, "must hold whole numbers; got %g",
                    matrix->values[i]);
            return;
        }
    }
    if (v->convention == OPT && matrix->rows > 0 && (uint64_t)v->past_len > matrix->cols)
        pe_fail(errors, PE_CONFLICT, "past_len",
                "must be at most the columns of the mask, %zu, which covers past_len "
                "tokens too; "
                "got %lld",
                matrix->cols, (long long)v->past_len);
}

/* ---- sizes ------------------------------------------------------------------------------- */

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct ids_from_mask *v = values;
    double past = v->past_len == PE_ABSENT_INT ? 0 : (double)v->past_len;
    double offset = v->offset == PE_ABSENT_INT ? 0 : (double)v->offset;
    double pad = v->pad_value == PE_ABSENT_INT ? 0 : (double)v->pad_value;
    double padding = v->convention == ROBERTA ? (double)v->padding_idx : 0;
    double cols = v->len == PE_ABSENT_INT ? (double)matrix_of(v)->cols : (double)v->len;

    return (struct pe_interval){fmin(fmin(offset - 1, pad), -1),
                                fmax(cols + past + offset + padding, pad)};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct ids_from_mask *v = values;
    const struct pe_reals *matrix = matrix_of(v);

    dims[0] = matrix->rows > 0 ? matrix->rows : (uint64_t)v->batch;
    dims[1] = matrix->rows > 0 ? matrix->cols : (uint64_t)v->len;
    if (v->convention == OPT)
        dims[1] -= (uint64_t)v->past_len;
    return 2;
}

/* ---- the ids ----------------------------------------------------------------------------- */

static double id_of(const struct ids_from_mask *v, double sum, bool seen)
{
    switch (v->convention) {
    case ROBERTA:
        return (double)v->padding_idx + (seen ? sum + (double)v->past_len : 0);
    case OPT:
        return (seen ? sum : 0) - 1 + (double)v->offset;
    case BLOOM_ALIBI:
        return seen ? sum - 1 : 0;
    default:
        return seen ? sum - 1 : (double)v->pad_value;
    }
}

static void fill_row(const struct ids_from_mask *v, const double *row, size_t cols, double *out)
{
    size_t skip = v->convention == OPT ? (size_t)v->past_len : 0;
    double sum = 0;

    for (size_t i = 0; i < cols; i++) {
        bool seen = v->input_ids.rows > 0 ? row[i] != (double)v->padding_idx : row[i] != 0;

        sum += seen;
        if (i >= skip)
            out[i - skip] = id_of(v, sum, seen);
    }
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    uint64_t dims[PE_MAX_RANK];

    shape(args, values, 0, dims);
    return 4 * (double)dims[0] * (double)dims[1];
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct ids_from_mask *v = values;
    const struct pe_reals *matrix = matrix_of(v);
    uint64_t dims[PE_MAX_RANK];
    double *ids;

    shape(pe_build_args(build), values, IDS, dims);
    if (dims[1] == 0) /* opt, where all columns are past */
        dims[0] = 0;
    ids = precomputed_new(build, IDS, dims[0], dims[1]);
    if (!ids)
        return;
    for (uint64_t row = 0; row < dims[0]; row++) {
        for (uint64_t i = 0; v->convention == ARANGE && i < dims[1]; i++)
            ids[row * dims[1] + i] = (double)v->offset + (double)v->past_len + (double)i;
        if (v->convention != ARANGE)
            fill_row(v, matrix->values + row * matrix->cols, matrix->cols, ids + row * dims[1]);
    }
}

const struct pe_encoding pe_encoding_ids_from_mask = {
    .name = "ids-from-mask",
    .title = "Position ids of padded batches",
    .formula =
        "c = number of tokens up to this one that are no padding; left_pad: c - 1; roberta: "
        "(c + past_len) mask + padding_idx; opt: c mask - 1 + offset; bloom_alibi: (c - 1) "
        "mask; arange: offset + past_len + 0, 1, ...",
    .when_to_use =
        "Models with learned tables or ALiBi need the ids that their own code makes of a "
        "padded batch; rotary models in transformers take those of generate().",
    .what_goes_wrong =
        "With padding on the left the positions 0, 1, 2, ... are silently wrong for all but "
        "the longest sequence. RoBERTa and OPT add 2 to every id, so that their tables have "
        "two rows more than positions.",
    .picture = "attention_mask=0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
    .summary = "position ids of padded batches, from a mask or from token ids",
    .source = "transformers: RoBERTa, OPT, BLOOM, BART and generate()",
    .examples = PE_WORDS("attention_mask=0,0,1,1,1",
                         "input_ids=0,31414,2,1,1;1,1,0,50,2&convention=roberta",
                         "attention_mask=0,1,1,1,1,1,1&convention=opt&past_len=4",
                         "attention_mask=0,0,1,1&convention=bloom_alibi",
                         "convention=arange&len=5&offset=2&past_len=3&batch=2"),
    .family = PE_INDEX,
    .kind = PE_WHOLE,
    PE_TABLES(struct ids_from_mask, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
