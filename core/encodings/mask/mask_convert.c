/* SPDX-License-Identifier: Apache-2.0
 * mask_convert.c - converts a mask of the client to other forms, and finds out whether it has a
 * pattern for which attention kernels have a flag.
 *
 *     bool, int: attends iff not 0 (input_true_means=masked: iff 0)
 *     additive:  attends iff 0; a negative number is masked
 *
 * bool and additive masks are those of PyTorch's scaled_dot_product_attention; the patterns are
 * is_causal there, window_size of FlashAttention, prefix and document masks of FlexAttention.
 */
#include <math.h>

#include "core/encodings/mask/masks.h"
#include "core/math/mask/mask_pattern.h"
#include "core/math/precomputed.h"

enum { FROM_BOOL, FROM_ADDITIVE, FROM_INT };
enum { PATTERN = MASKS_OUTPUT_COUNT, PATTERN_SIZE };
enum { POLARITY_ABSENT = -1, POLARITY_MASKED = 1 };

struct mask_convert {
    struct masks masks;
    struct pe_reals mask;
    int from, input_true_means;
};

static const struct pe_choice forms[] = {
    PE_ONE_AT(FROM_BOOL, "bool", "numbers 0 and 1, which input_true_means explains"),
    [FROM_ADDITIVE] = {"additive", PE_WORDS("float"),
                       "numbers that are added to scores: 0 attends, a negative one masks",
                       NULL, "mask=0,-9,-9,-9;0,0,-9,-9;0,0,0,-9;0,0,0,0"},
    PE_ONE_AT(FROM_INT, "int", "whole numbers, of which 0 is false and all others are true"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct mask_convert, mask), .type = PE_REALS, .matrix = true, .required = true,
     .min = -DBL_MAX, .max = 0x1p53, PE_OWN("posenc", MASK, BASIC),
     .summary = "the mask that is converted: a row a query, a number a key: 1,0;1,1"},
    {PE_FIELD(struct mask_convert, from), .type = PE_CHOICE, .choices = forms,
     .summary = "the form that the numbers of mask have"},
    {PE_FIELD(struct mask_convert, input_true_means), .type = PE_CHOICE, .optional = true,
     .when = "!from=additive", .choices = masks_polarities, PE_OWN("posenc", MASK, BASIC),
     .summary = "what true means in mask: the key is attended to (the default), or masked"},
    MASKS_ROWS,
};

#define INPUT "mask", "from", "input_true_means"

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, INPUT),
    [PATTERN] =
        {PE_OUTPUT("pattern", PE_I64, NULL), .label = "Pattern", .sign = PE_NOT_NEGATIVE,
         .summary = "number of the pattern that the mask has: 0 none known, 1 bidirectional, 2 "
                    "causal, 3 causal window, 4 window of both "
                    "sides, 5 prefix, 6 the same keys for all, 7 documents, 8 causal documents",
         .uses = PE_WORDS(INPUT), .bound = "exact"},
    [PATTERN_SIZE] = {
        PE_OUTPUT("pattern_size", PE_I64, NULL), .label = "Size of the pattern",
        .sign = PE_NOT_NEGATIVE,
        .summary =
            "size of the pattern: keys of its window, keys on either side, tokens of the "
            "prefix, keys, or documents; 0 where it has none",
        .uses = PE_WORDS(INPUT), .bound = "exact"}};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct mask_convert *v = context;
    const double value = v->mask.values[(uint64_t)query * v->masks.keys + (uint64_t)key];

    if (v->from == FROM_ADDITIVE)
        return value == 0;
    return (value != 0) != (v->input_true_means == POLARITY_MASKED);
}

static const struct mask_rule rule = {.sees = sees};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct mask_convert *v = values;

    if (v->input_true_means == POLARITY_ABSENT && v->from != FROM_ADDITIVE)
        v->input_true_means = 0;
    masks_resolve_sizes(&v->masks, &rule, v->mask.rows, v->mask.cols);
}

static void check_numbers(const struct mask_convert *v, struct pe_errors *errors)
{
    const struct pe_reals *matrix = &v->mask;

    if (v->from == FROM_BOOL)
        masks_check_bits(matrix, "mask", errors);
    for (size_t i = 0; v->from != FROM_BOOL && i < matrix->rows * matrix->cols; i++) {
        const double value = matrix->values[i];

        if (v->from == FROM_ADDITIVE ? value <= 0 : value == trunc(value))
            continue;
        pe_fail(errors, PE_BAD_VALUE, "mask", "must hold %s with from=%s; got %g",
                v->from == FROM_ADDITIVE ? "0 and negative numbers" : "whole numbers",
                forms[v->from].name, value);
        return;
    }
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct mask_convert *v = values;

    check_numbers(v, errors);
    masks_check(args, values, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct mask_convert *v = values;

    if (output == PATTERN)
        return (struct pe_interval){0, PATTERN_COUNT - 1};
    if (output == PATTERN_SIZE)
        return (struct pe_interval){0, (double)(v->masks.keys + v->masks.queries)};
    return masks_range(args, values, output);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    return output >= PATTERN ? 0 : masks_shape(args, values, output, dims);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct mask_convert *v = values;

    return masks_plan_ns(args, values) + 40 * (double)v->masks.queries * (double)v->masks.keys;
}

static void find_pattern(struct pe_build *build, const struct mask_convert *v)
{
    static const char *const names[PATTERN_COUNT] = {
        "none known", "bidirectional",  "causal",    "window",          "window of both sides",
        "prefix",     "attention_mask", "documents", "causal documents"};
    const uint64_t queries = v->masks.queries, keys = v->masks.keys;
    unsigned char *seen = pe_build_alloc(build, queries * keys);
    uint64_t *document = pe_build_alloc(build, keys * sizeof *document);
    double *name = precomputed_new(build, PATTERN, 1, 1);
    double *size = precomputed_new(build, PATTERN_SIZE, 1, 1);
    struct mask_pattern found;

    if (!seen || !document || !name || !size)
        return;
    for (uint64_t i = 0; i < queries * keys; i++)
        seen[i] = sees(v, 0, (int64_t)(i / keys), (int64_t)(i % keys));
    found = mask_pattern_of(seen, queries, keys, document);
    *name = found.name;
    *size = (double)found.size;
    pe_build_fact_text(build, "pattern", names[found.name]);
    pe_build_fact_text(build, "alignment", masks_alignments[found.top_left].name);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct pe_args *args = pe_build_args(build);

    if (pe_wants(args, PATTERN) || pe_wants(args, PATTERN_SIZE))
        find_pattern(build, values);
    masks_prepare(build, values);
}

const struct pe_encoding pe_encoding_mask_convert = {
    .name = "mask-convert",
    .title = "Mask conversion",
    .formula = "bool, int: attends iff not 0 (input_true_means=masked: iff 0); additive: "
               "attends iff 0",
    .when_to_use =
        "A mask from one library rarely fits another: this turns booleans, integers and "
        "additive masks into each other, into runs, bits and blocks, and names the "
        "pattern for which kernels have a flag.",
    .what_goes_wrong =
        "An integer mask that is added to scores changes them by 1 and masks nothing. "
        "True attends in PyTorch SDPA and masks in key_padding_mask; a mask that is "
        "turned round still has the right shape.",
    .picture =
        "mask=1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0;1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0;1,1,1,0,0,"
        "0,0,0,0,0,0,0,0,0,0,0;1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0;1,1,1,1,1,0,0,0,0,0,0,0,0,"
        "0,0,0;0,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0;0,0,1,1,1,1,1,0,0,0,0,0,0,0,0,0;0,0,0,1,1,"
        "1,1,1,0,0,0,0,0,0,0,0;0,0,0,0,1,1,1,1,1,0,0,0,0,0,0,0;0,0,0,0,0,1,1,1,1,1,0,0,0,"
        "0,0,0;0,0,0,0,0,0,1,1,1,1,1,0,0,0,0,0;0,0,0,0,0,0,0,1,1,1,1,1,0,0,0,0;0,0,0,0,0,"
        "0,0,0,1,1,1,1,1,0,0,0;0,0,0,0,0,0,0,0,0,1,1,1,1,1,0,0;0,0,0,0,0,0,0,0,0,0,1,1,1,"
        "1,1,0;0,0,0,0,0,0,0,0,0,0,0,1,1,1,1,1&block_size=4",
    .summary = "a mask in another form, and the pattern it is of",
    .source = "PyTorch scaled_dot_product_attention; transformers masking_utils.py",
    .examples = PE_WORDS("mask=1,0;1,1", "mask=0,-1e9;0,0&from=additive&out=mask,pattern",
                         "mask=0,1;0,0&input_true_means=masked&out=additive,runs",
                         "mask=1,1,0;2,1,1&from=int&out=pattern,pattern_size"),
    .family = PE_MASK,
    PE_TABLES_OF(struct mask_convert, masks, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
