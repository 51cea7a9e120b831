/* SPDX-License-Identifier: Apache-2.0
 * mask_combine.c - combines two masks of the client into one.
 *
 *     and: a and b     or: a or b     xor: one of the two     not: not a
 *
 * and_masks and or_masks of PyTorch's FlexAttention (torch/nn/attention/flex_attention.py) and
 * of transformers' masking_utils.py, on matrices. 1 attends, as in both libraries.
 */
#include "core/encodings/mask/masks.h"

enum { OP_AND, OP_OR, OP_XOR, OP_NOT };

struct mask_combine {
    struct masks masks;
    struct pe_reals a, b;
    int op;
};
_Static_assert(offsetof(struct mask_combine, masks) == 0, "hooks of masks.h read it there");

static const struct pe_choice operations[] = {
    [OP_AND] = {"and", NULL, "attends where both do", NULL},
    [OP_OR] = {"or", NULL, "attends where one of them does", NULL},
    [OP_XOR] = {"xor", NULL, "attends where only one does", NULL},
    [OP_NOT] = {"not", NULL, "attends where a does not", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct mask_combine, a), .type = PE_REALS, .matrix = true, .required = true,
     .max = 1, .summary = "a row a query of 1 (attended) and 0, one a key: 1,0;1,1"},
    {PE_FIELD(struct mask_combine, b), .type = PE_REALS, .matrix = true, .required = true,
     .max = 1, .when = "!op=not", .summary = "the other mask, with the shape of a"},
    {PE_FIELD(struct mask_combine, op), .type = PE_CHOICE, .choices = operations,
     .required = true, .summary = "what becomes of a and b"},
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS("a", "b", "op")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct mask_combine *v = context;
    const uint64_t at = (uint64_t)query * v->masks.keys + (uint64_t)key;
    const bool a = v->a.values[at] != 0, b = v->op != OP_NOT && v->b.values[at] != 0;

    return v->op == OP_AND ? a && b : v->op == OP_OR ? a || b : v->op == OP_XOR ? a != b : !a;
}

static const struct mask_rule rule = {.sees = sees};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct mask_combine *v = values;

    masks_resolve_sizes(&v->masks, &rule, v->a.rows, v->a.cols);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct mask_combine *v = values;

    if (v->b.rows > 0 && (v->b.rows != v->a.rows || v->b.cols != v->a.cols))
        pe_fail(errors, PE_CONFLICT, "b",
                "must have the shape of a, %zu rows of %zu; got %zu rows of %zu", v->a.rows,
                v->a.cols, v->b.rows, v->b.cols);
    if (errors->count > 0)
        return;
    masks_check_bits(&v->a, "a", errors);
    masks_check_bits(&v->b, "b", errors);
    masks_check(args, values, errors);
}

const struct pe_encoding pe_encoding_mask_combine = {
    .name = "mask-combine",
    .summary = "two masks joined: and, or, xor; or one turned round",
    .source = "PyTorch torch/nn/attention/flex_attention.py, and_masks and or_masks",
    .examples = PE_WORDS("a=1,0;1,1&b=1,1;0,1&op=and", "a=1,0;1,1&op=not&out=mask,runs",
                         "a=1,0,0;1,1,0&b=0,0,1;0,1,1&op=xor&out=additive",
                         "a=0,0;1,1&b=0,0;0,1&op=or&fully_masked=unmask_all"),
    .family = PE_MASK,
    PE_TABLES(struct mask_combine, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = masks_range,
    .shape = masks_shape,
    .plan_ns = masks_plan_ns,
    .prepare = masks_prepare,
};
