/* SPDX-License-Identifier: Apache-2.0
 * mask_combine.c - combines two masks of the client into one.
 *
 *     and: mask_a and mask_b     or: mask_a or mask_b
 *     xor: one of the two        not: not mask_a
 *
 * and_masks and or_masks of PyTorch's FlexAttention (torch/nn/attention/flex_attention.py) and
 * of transformers' masking_utils.py, on matrices. 1 attends, as in both libraries.
 */
#include "core/encodings/mask/masks.h"

enum { OP_AND, OP_OR, OP_XOR, OP_NOT };

struct mask_combine {
    struct masks masks;
    struct pe_reals mask_a, mask_b;
    int op;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct mask_combine, mask_a), .type = PE_REALS, .matrix = true, .required = true,
     .max = 1, PE_OWN("posenc", MASK, BASIC),
     .summary =
         "the first mask: a row a query, a number a key, 1 attends and 0 does not: 1,0;1,1"},
    {PE_FIELD(struct mask_combine, mask_b), .type = PE_REALS, .matrix = true, .required = true,
     .max = 1, .when = "!op=not", PE_OWN("posenc", MASK, BASIC),
     .summary = "the second mask, with the shape of mask_a"},
    {PE_FIELD(struct mask_combine, op),
     PE_CHOICES(PE_ONE_AT(OP_AND, "and", "attends where both masks do"),
                PE_ONE_AT(OP_OR, "or", "attends where at least one of the masks does"),
                PE_ONE_AT(OP_XOR, "xor", "attends where exactly one of the masks does"),
                PE_ONE_AT(OP_NOT, "not", "attends where mask_a does not")),
     .required = true, PE_OWN("posenc", MASK, BASIC), .summary = "how the masks are joined"},
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS(NULL, "mask_a", "mask_b", "op")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct mask_combine *v = context;
    const uint64_t at = (uint64_t)query * v->masks.keys + (uint64_t)key;
    const bool a = v->mask_a.values[at] != 0, b = v->op != OP_NOT && v->mask_b.values[at] != 0;

    return v->op == OP_AND ? a && b : v->op == OP_OR ? a || b : v->op == OP_XOR ? a != b : !a;
}

static const struct mask_rule rule = {.sees = sees};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct mask_combine *v = values;

    masks_resolve_sizes(&v->masks, &rule, v->mask_a.rows, v->mask_a.cols);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct mask_combine *v = values;

    if (v->mask_b.rows > 0 &&
        (v->mask_b.rows != v->mask_a.rows || v->mask_b.cols != v->mask_a.cols))
        pe_fail(errors, PE_CONFLICT, "mask_b",
                "must have the shape of mask_a, %zu rows of %zu; got %zu rows of %zu",
                v->mask_a.rows, v->mask_a.cols, v->mask_b.rows, v->mask_b.cols);
    if (errors->count > 0)
        return;
    masks_check_bits(&v->mask_a, "mask_a", errors);
    masks_check_bits(&v->mask_b, "mask_b", errors);
    masks_check(args, values, errors);
}

const struct pe_encoding pe_encoding_mask_combine = {
    .name = "mask-combine",
    .title = "Combined masks",
    .formula =
        "and: mask_a and mask_b; or: mask_a or mask_b; xor: exactly one; not: not mask_a",
    .when_to_use =
        "FlexAttention and transformers compose masks in this way; here matrices of the "
        "client are joined, for instance a causal mask and one of documents.",
    .what_goes_wrong =
        "Additive masks are joined by addition, which turns two lowest values into -inf; "
        "join booleans and convert once. 1 attends in both inputs: turn a mask with the "
        "other meaning round first, with mask-convert.",
    .picture =
        "mask_a=1,0,0,0,0,0,0,0,0,0,0,0;1,1,0,0,0,0,0,0,0,0,0,0;1,1,1,0,0,0,0,0,0,0,0,0;"
        "1,1,1,1,0,0,0,0,0,0,0,0;1,1,1,1,1,0,0,0,0,0,0,0;1,1,1,1,1,1,0,0,0,0,0,0;1,1,1,1,"
        "1,1,1,0,0,0,0,0;1,1,1,1,1,1,1,1,0,0,0,0;1,1,1,1,1,1,1,1,1,0,0,0;1,1,1,1,1,1,1,1,"
        "1,1,0,0;1,1,1,1,1,1,1,1,1,1,1,0;1,1,1,1,1,1,1,1,1,1,1,1&mask_b=1,1,1,1,0,0,0,0,"
        "0,0,0,0;1,1,1,1,0,0,0,0,0,0,0,0;1,1,1,1,0,0,0,0,0,0,0,0;1,1,1,1,0,0,0,0,0,0,0,0;"
        "1,0,0,0,1,1,1,1,0,0,0,0;1,0,0,0,1,1,1,1,0,0,0,0;1,0,0,0,1,1,1,1,0,0,0,0;1,0,0,0,"
        "1,1,1,1,0,0,0,0;1,0,0,0,0,0,0,0,1,1,1,1;1,0,0,0,0,0,0,0,1,1,1,1;1,0,0,0,0,0,0,0,"
        "1,1,1,1;1,0,0,0,0,0,0,0,1,1,1,1&op=and&block_size=4",
    .summary = "two masks joined: and, or, xor; or one turned round",
    .source = "PyTorch torch/nn/attention/flex_attention.py, and_masks and or_masks",
    .examples =
        PE_WORDS("mask_a=1,0;1,1&mask_b=1,1;0,1&op=and", "mask_a=1,0;1,1&op=not&out=mask,runs",
                 "mask_a=1,0,0;1,1,0&mask_b=0,0,1;0,1,1&op=xor&out=additive",
                 "mask_a=0,0;1,1&mask_b=0,0;0,1&op=or&fully_masked=unmask_all"),
    .family = PE_MASK,
    PE_TABLES_OF(struct mask_combine, masks, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = masks_range,
    .shape = masks_shape,
    .plan_ns = masks_plan_ns,
    .prepare = masks_prepare,
};
