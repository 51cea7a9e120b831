/* SPDX-License-Identifier: Apache-2.0
 * claim.c - reads a claim: the values of its parameters as texts, the tensors that are judged
 * and those that its numbers are made of. */
#include "core/verify/claim/claim.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"

size_t claim_index(struct claim *claim, const struct pe_param *param)
{
    return (size_t)(param - claim->enc->params);
}

/* Returns whether the canonical form holds what the parameter says by values of others: len by
 * those of q and k. */
static bool is_replaced(struct claim *claim, size_t i)
{
    const struct pe_param *param = &claim->enc->params[i];

    for (const struct pe_choice *choice = param->choices; choice && choice->name; choice++)
        if (choice->stands_for)
            return false; /* what a preset stands for was filled in */
    return args_bit(claim->args->filled & claim->args->used, i) && !claim->text[i] &&
           param->type != PE_TENSOR;
}

/* Returns whether what was given is still known. */
static bool is_kept(struct claim *claim, size_t i)
{
    const struct pe_param *param = &claim->enc->params[i];

    return param->type == PE_BOOL || (param->type != PE_TENSOR && param->type != PE_SEGMENTS &&
                                      !args_is_absent(param, args_given_field(claim->args, i)));
}

/* Prints a parameter, as it acts or as it was given, into memory of its own. */
static char *text_of(const struct pe_args *args, size_t i,
                     size_t (*print)(const struct pe_args *, size_t, char *, size_t))
{
    size_t len = print(args, i, NULL, 0);
    char *text = malloc(len + 1);

    if (text)
        print(args, i, text, len + 1);
    return text;
}

bool claim_number(struct claim *claim, size_t param, double *number)
{
    const enum pe_type type = claim->enc->params[param].type;
    const char *text = claim->text[param];

    return text && (type == PE_INT || type == PE_REAL) &&
           number_parse(text, strlen(text), number);
}

/* Returns the number by which positions are multiplied before they are angles: a factor, or the
 * largest of given frequencies. */
static double position_factor(struct claim *claim)
{
    double factor = 1, number;

    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];
        const struct pe_reals *reals = (const void *)(claim->args->data + param->offset);
        bool factors =
            strcmp(param->name, "time_factor") == 0 || strcmp(param->name, "scale") == 0;
        const enum pe_group group = pe_param_group(param);
        bool weights = param->type == PE_REALS &&
                       (group == PE_GROUP_WEIGHTS || group == PE_GROUP_FREQUENCIES);

        if (factors && claim_number(claim, i, &number))
            factor = fmax(factor, fabs(number));
        for (size_t j = 0; weights && j < reals->rows * reals->cols; j++)
            factor = fmax(factor, fabs(reals->values[j]));
    }
    return factor;
}

/* Copies the texts of all values, and notes which the claim itself has: where others stand in
 * the place of a given one, all of them. */
static bool read_values(struct claim *claim)
{
    const struct pe_args *args = claim->args;
    uint64_t known = 0;

    claim->replaced = 0;
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const char *name = pe_args_value(args, i)->name;
        size_t param = args_find(claim->enc, name, strlen(name));

        if (param == SIZE_MAX)
            continue; /* out and dtype */
        claim->text[param] = text_of(args, param, args_print_param);
        if (!claim->text[param])
            return false;
        known |= UINT64_C(1) << param;
    }
    bool replaced = false, kept = true;
    for (size_t i = 0; i < claim->enc->param_count; i++) {
        if (!is_replaced(claim, i))
            continue;
        replaced = true;
        kept = kept && is_kept(claim, i);
        claim->replaced |= UINT64_C(1) << i;
    }
    claim->set = replaced ? known : known & args->filled;
    if (!kept)
        claim->replaced = 0; /* the claim cannot be told as it was given */
    for (size_t i = 0; i < claim->enc->param_count; i++) {
        if (args_bit(claim->replaced, i))
            claim->text[i] = text_of(args, i, args_print_given);
        if (args_bit(claim->replaced, i) && !claim->text[i])
            return false;
    }
    claim->factor = position_factor(claim);
    return claim_args_read(claim);
}

/* Adds the subjects of a tensor: one, or both parts of complex numbers. */
static void add_subjects(struct claim *claim, size_t number, const struct pe_verify_role *role)
{
    const struct view whole = claim->views[number];
    size_t output = (size_t)(role->output - claim->enc->outputs);
    const bool parts = role->form != PE_FORM_WHOLE;

    for (size_t part = 0; part < (parts ? 2 : 1); part++) {
        struct subject *subject = &claim->subject[claim->subject_count++];

        subject->tensor = number;
        subject->output = output + part; /* sin follows cos in every encoding that has both */
        subject->whole = parts ? view_part(&whole, role->form, part) : whole;
        claim->bound[claim->subject_count - 1] = INFINITY;
        claim->outputs |= UINT32_C(1) << subject->output;
    }
}

/* Finds the data of the claim's tensor parameters, in their order. */
static void find_inputs(struct claim *claim, const struct pe_verify_tensor *tensors,
                        size_t count, const struct pe_verify_role *roles)
{
    size_t number = 0;

    for (size_t i = 0; i < claim->enc->param_count; i++) {
        if (claim->enc->params[i].type != PE_TENSOR)
            continue;
        for (size_t j = 0; j < count; j++)
            if (roles[j].param == &claim->enc->params[i]) {
                claim->input[number] = tensors[j].data;
                claim->input_view[number] = &claim->views[j];
            }
        number++;
    }
}

void claim_inputs(const struct claim *claim, const struct pe_encoding *enc,
                  const void *input[CLAIM_PARAMS])
{
    size_t number = 0;

    for (size_t i = 0; i < enc->param_count; i++) {
        if (enc->params[i].type != PE_TENSOR)
            continue;
        size_t own = 0;

        input[number] = NULL;
        for (size_t j = 0; j < claim->enc->param_count; j++) {
            if (claim->enc->params[j].type != PE_TENSOR)
                continue;
            if (strcmp(claim->enc->params[j].name, enc->params[i].name) == 0)
                input[number] = claim->input[own];
            own++;
        }
        number++;
    }
}

/* Finds the least and the largest finite element. */
static void find_extremes(struct claim *claim)
{
    claim->least = INFINITY;
    claim->most = -INFINITY;
    for (size_t i = 0; i < claim->subject_count; i++) {
        claim->least = fmin(claim->least, claim->subject[i].whole.least);
        claim->most = fmax(claim->most, claim->subject[i].whole.most);
    }
}

bool claim_init(struct claim *claim, struct pe_args *args,
                const struct pe_verify_tensor *tensors, size_t count,
                const struct pe_verify_role *roles, const struct view *views,
                const struct pe_limits *limits)
{
    memset(claim, 0, sizeof *claim);
    claim->enc = args->enc;
    claim->args = pe_args_ref(args);
    claim->limits = limits;
    claim->tables.bytes_most = TABLES_BYTES;
    claim->plans.bytes_most = PLANS_BYTES;
    assert(claim->enc->param_count <= CLAIM_PARAMS && count <= PE_VERIFY_TENSORS);
    for (size_t i = 0; i < count; i++)
        claim->views[i] = views ? views[i] : view_of(&tensors[i]);
    for (size_t i = 0; i < count; i++)
        if (roles[i].output)
            add_subjects(claim, i, &roles[i]);
    find_inputs(claim, tensors, count, roles);
    find_extremes(claim);
    return read_values(claim);
}

void claim_fini(struct claim *claim)
{
    for (size_t i = 0; i < CLAIM_PARAMS; i++)
        free(claim->text[i]);
    kept_plans_fini(&claim->plans);
    kept_tables_fini(&claim->tables);
    pe_args_free(claim->read);
    pe_args_free(claim->args);
}

const char *claim_text(struct claim *claim, const char *name)
{
    size_t param = args_find(claim->enc, name, strlen(name));

    return param == SIZE_MAX ? NULL : claim->text[param];
}

bool claim_adopt(struct claim *claim, const struct changes *changes)
{
    struct pe_args *args =
        claim_args(claim, claim->enc, changes, claim->outputs, CLAIM_NATURAL, NULL);

    if (!args)
        return false;
    for (size_t i = 0; i < CLAIM_PARAMS; i++) {
        free(claim->text[i]);
        claim->text[i] = NULL;
    }
    kept_plans_fini(&claim->plans); /* they have the values before */
    pe_args_free(claim->read);
    claim->read = NULL;
    pe_args_free(claim->args);
    claim->args = args;
    claim->set = 0;
    if (!read_values(claim))
        claim->failed = true;
    return !claim->failed;
}

void *claim_memory(struct claim *claim, size_t count, size_t size)
{
    void *memory = calloc(count, size);

    claim->failed = claim->failed || !memory;
    return memory;
}

void *claim_copy(const void *from, size_t bytes, bool *failed)
{
    void *copy = from ? malloc(bytes + 1) : NULL;

    if (copy)
        memcpy(copy, from, bytes);
    *failed = *failed || !copy != !from;
    return copy;
}
