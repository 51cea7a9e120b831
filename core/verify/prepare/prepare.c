/* SPDX-License-Identifier: Apache-2.0
 * prepare.c - see prepare.h. Sets on the arguments of a claim what the tensors decide: the
 * outputs, and the values of parameters that a tensor serves. */
#include "core/verify/prepare/prepare.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/verify/role/role_content.h"

enum { NAMES_MAX = 200 };

/* Gives a list, a matrix or positions the numbers of a tensor, rows of its last axis. */
static void set_list(struct pe_args *args, const struct pe_param *param,
                     const struct pe_verify_tensor *tensor, struct pe_errors *errors)
{
    const size_t rank = tensor->info.rank;
    size_t cols = rank > 0 ? (size_t)tensor->info.dims[rank - 1] : 1, rows = 1;

    for (size_t i = 0; i + 1 < rank; i++)
        rows *= (size_t)tensor->info.dims[i];
    double *numbers = malloc(rows * cols * sizeof *numbers + 1);
    if (!numbers) {
        pe_fail(errors, PE_NO_MEMORY, param->name, "out of memory");
        return;
    }
    pe_dtype_to_f64(tensor->info.dtype, numbers, tensor->data, rows * cols);
    if (param->type == PE_POSITIONS) { /* a batch follows on itself, as its rows do */
        cols *= rows;
        rows = 1;
    }
    pe_args_set_reals(args, param->name, strlen(param->name), numbers, rows, cols, errors);
    free(numbers);
}

/* A key may be hidden by another number than the one that the claim leaves to a default. */
static void set_hidden(struct pe_args *args, const struct pe_verify_tensor *tensor,
                       const struct pe_verify_role *role, const double *known,
                       struct pe_errors *errors)
{
    const size_t param = args_find(args->enc, "mask_value", strlen("mask_value"));
    char text[40];

    if (param == SIZE_MAX || args_bit(args->given, param))
        return;
    const double hidden = known ? *known : role_content_hidden(tensor);
    if (hidden == 0 || (strcmp(role->output->name, "additive") != 0 && isfinite(hidden)))
        return;
    for (int dtype = PE_F64; dtype <= PE_BF16; dtype++)
        if (fabs(hidden / pe_dtype_lowest((enum pe_dtype)dtype) - 1) < 1e-6)
            return; /* it is the default, the lowest number of a dtype, if only as printed */
    snprintf(text, sizeof text, "%.17g", hidden);
    (void)pe_args_assume(args, "mask_value", text, errors);
}

/* The mask of the future may be added to a bias where the claim says nothing about it. */
static void set_causal(struct pe_args *args, const struct pe_verify_tensor *tensor,
                       const struct pe_verify_role *role, struct pe_errors *errors)
{
    const size_t causal = args_find(args->enc, "causal", strlen("causal"));
    char text[40];

    if (args->enc->family != PE_BIAS || causal == SIZE_MAX || args_bit(args->given, causal) ||
        strcmp(role->output->name, "bias") != 0)
        return;
    const double hidden = role_content_later(tensor);
    if (hidden == 0)
        return;
    (void)pe_args_assume(args, "causal", "1", errors);
    if (args_find(args->enc, "mask_value", strlen("mask_value")) == SIZE_MAX)
        return;
    snprintf(text, sizeof text, "%.17g", hidden);
    (void)pe_args_assume(args, "mask_value", text, errors);
}

/* A row of cosines and sines may begin with either where the claim leaves it to a default. */
static void set_order(struct pe_args *args, const struct pe_verify_tensor *tensor,
                      const struct pe_verify_role *role, struct pe_errors *errors)
{
    if (strcmp(role->output->name, "table") == 0 &&
        args_find(args->enc, "table_order", strlen("table_order")) != SIZE_MAX &&
        role_content_form(tensor) == PE_FORM_SIDE_SIN)
        (void)pe_args_assume(args, "table_order", "sin-cos", errors);
}

/* Returns whether the outputs of one role, which comes before or after the other, are those of
 * the other too. */
static bool covers(const struct pe_verify_role *role, const struct pe_verify_role *other,
                   bool before)
{
    bool both = role->form != PE_FORM_WHOLE;
    bool other_both = other->form != PE_FORM_WHOLE;

    if (both && !other_both)
        return other->output == role->output || other->output == role->output + 1;
    return before && role->output == other->output && both == other_both;
}

enum pe_status prepare_args(struct pe_args *args, const struct pe_verify_tensor *tensors,
                            size_t count, const struct pe_verify_role *roles,
                            const double *hidden, struct pe_errors *errors)
{
    const size_t before = errors->count;
    char out[NAMES_MAX] = "";
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        if (roles[i].param && pe_given(args, roles[i].param->offset))
            continue; /* the claim has it itself */
        if (!roles[i].param && !roles[i].output)
            continue;
        if (roles[i].param && roles[i].param->type != PE_TENSOR) {
            set_list(args, roles[i].param, &tensors[i], errors);
            continue;
        }
        if (roles[i].param) {
            pe_args_set_tensor(args, roles[i].param->name, strlen(roles[i].param->name),
                               &tensors[i].info, errors);
            continue;
        }
        set_hidden(args, &tensors[i], &roles[i], hidden ? &hidden[i] : NULL, errors);
        set_causal(args, &tensors[i], &roles[i], errors);
        set_order(args, &tensors[i], &roles[i], errors);
        bool parts = roles[i].form != PE_FORM_WHOLE;
        bool again = false;
        for (size_t j = 0; j < count; j++)
            again = again || (j != i && roles[j].output && covers(&roles[j], &roles[i], j < i));
        if (!again) /* cos beside freqs_cis is judged too */
            len += (size_t)snprintf(out + len, sizeof out - len, "%s%s", len > 0 ? "," : "",
                                    parts ? "cos,sin" : roles[i].output->name);
        assert(len < sizeof out);
    }
    args->keeps_given = true;
    if (errors->count == before)
        pe_args_set_text(args, "out", 3, out, strlen(out), errors);
    return errors->count > before ? errors->at[before].status : PE_OK;
}

enum pe_status pe_verify_prepare(struct pe_args *args, const struct pe_verify_tensor *tensors,
                                 size_t count, const struct pe_verify_role *roles,
                                 struct pe_errors *errors)
{
    return prepare_args(args, tensors, count, roles, NULL, errors);
}
