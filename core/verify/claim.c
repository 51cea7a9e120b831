/* SPDX-License-Identifier: Apache-2.0
 * claim.c - keeps the values of a claim as texts, and makes arguments with some of them
 * changed. */
#include "core/verify/claim.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"

size_t claim_index(struct claim *claim, const struct pe_param *param)
{
    return (size_t)(param - claim->enc->params);
}

/* Return whether the canonical form holds what the parameter says by values of others: len by
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

/* Return whether what was given is still known. */
static bool is_kept(struct claim *claim, size_t i)
{
    const struct pe_param *param = &claim->enc->params[i];
    const void *field = args_given_field(claim->args, i);

    switch (param->type) {
    case PE_INT:
        return *(const int64_t *)field != PE_ABSENT_INT;
    case PE_REAL:
        return !isnan(*(const double *)field);
    case PE_REALS:
        return ((const struct pe_reals *)field)->rows > 0;
    case PE_POSITIONS:
        return *(struct pe_positions *const *)field != NULL;
    case PE_BOOL:
        return true;
    case PE_CHOICE:
        return *(const int *)field >= 0;
    case PE_GRID:
        return ((const struct pe_grid *)field)->height > 0;
    case PE_TENSOR:
    case PE_SEGMENTS:
        break;
    }
    return false;
}

/* Print a parameter, as it acts or as it was given, into memory of its own. */
static char *text_of(const struct pe_args *args, size_t i,
                     size_t (*print)(const struct pe_args *, size_t, char *, size_t))
{
    size_t len = print(args, i, NULL, 0);
    char *text = malloc(len + 1);

    if (text)
        print(args, i, text, len + 1);
    return text;
}

/* Copy the texts of all values, and note which the claim itself has: where others stand in the
 * place of a given one, all of them. */
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
    return true;
}

/* Add the subjects of a tensor: one, or both parts of complex numbers. */
static void add_subjects(struct claim *claim, size_t number, const struct pe_verify_role *role)
{
    const struct view whole = claim->views[number];
    size_t output = (size_t)(role->output - claim->enc->outputs);
    bool parts = strcmp(role->name, "freqs_cis") == 0;

    for (size_t part = 0; part < (parts ? 2 : 1); part++) {
        struct subject *subject = &claim->subject[claim->subject_count++];

        subject->tensor = number;
        subject->output = output + part; /* sin follows cos in every encoding that has both */
        subject->whole = parts ? view_part(&whole, part) : whole;
        claim->outputs |= UINT32_C(1) << subject->output;
    }
}

/* Find the data of the claim's tensor parameters, in their order. */
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

/* Find the least and the largest finite element. */
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
    kept_tables_fini(&claim->tables);
    pe_args_free(claim->args);
}

bool claim_number(struct claim *claim, size_t param, double *number)
{
    const enum pe_type type = claim->enc->params[param].type;
    const char *text = claim->text[param];

    return text && (type == PE_INT || type == PE_REAL) &&
           number_parse(text, strlen(text), number);
}

const char *claim_text(struct claim *claim, const char *name)
{
    size_t param = args_find(claim->enc, name, strlen(name));

    return param == SIZE_MAX ? NULL : claim->text[param];
}

/* ---- arguments with other values --------------------------------------------------------- */

/* A request to claim_args. */
struct wish {
    struct claim *claim;
    const struct pe_encoding *enc;
    const struct changes *changes;
    uint32_t outputs;
    int dtype;
    uint64_t set; /* parameters of the claim's encoding whose values are kept */
};

static const struct change *find_change(const struct changes *changes, const char *name)
{
    for (size_t i = 0; changes && i < changes->count; i++)
        if (strcmp(changes->at[i].param->name, name) == 0)
            return &changes->at[i];
    return NULL;
}

static bool is_used(const struct wish *wish, const struct pe_param *param)
{
    for (size_t i = 0; i < wish->enc->output_count; i++)
        if (wish->outputs >> i & 1 && pe_output_uses(&wish->enc->outputs[i], param->name))
            return true;
    return false;
}

/* Set a parameter to the claim's value of its name. */
static void put_own(struct pe_args *args, const struct wish *wish, size_t i,
                    const struct pe_param *param, struct pe_errors *errors)
{
    const struct pe_param *own = &wish->claim->enc->params[i];
    const void *field = wish->claim->args->data + own->offset;
    const char *text = wish->claim->text[i];
    struct pe_given given = {.kind = PE_GIVEN_TEXT, .text = text, .len = strlen(text)};

    if (own->type == PE_REALS) {
        const struct pe_reals *reals = field;

        given = (struct pe_given){.kind = PE_GIVEN_REALS,
                                  .values = reals->values,
                                  .rows = reals->rows,
                                  .cols = reals->cols};
    } else if (own->type == PE_TENSOR) {
        given = (struct pe_given){.kind = PE_GIVEN_TENSOR, .tensor = field};
    }
    pe_args_set(args, param, &given, errors);
}

static void put(struct pe_args *args, const struct wish *wish, const struct pe_param *param,
                struct pe_errors *errors)
{
    const struct change *change = find_change(wish->changes, param->name);
    const size_t own = args_find(wish->claim->enc, param->name, strlen(param->name));
    bool kept =
        own != SIZE_MAX && wish->claim->text[own] &&
        wish->claim->enc->params[own].type == param->type && is_used(wish, param) &&
        (args_bit(wish->set, own) || (wish->enc != wish->claim->enc && param->required));

    if (change && change->text[0] != '\0')
        pe_args_set_text(args, param->name, strlen(param->name), change->text,
                         strlen(change->text), errors);
    else if (!change && kept)
        put_own(args, wish, own, param, errors);
}

/* Make the arguments; *idle are the claim's parameters that have no effect in them. */
static struct pe_args *make_args(const struct wish *wish, uint64_t *idle,
                                 struct pe_errors *errors)
{
    struct pe_args *args = pe_args_new(wish->enc);

    if (!args) {
        wish->claim->failed = true;
        return NULL;
    }
    args->wanted = wish->outputs;
    args->out_given = true;
    args->keeps_given = wish->dtype == CLAIM_NATURAL; /* they may become the claim's own */
    if (wish->dtype != CLAIM_NATURAL) {
        args->dtype_given = true;
        args->dtype = (enum pe_dtype)wish->dtype;
    }
    for (size_t i = 0; i < wish->enc->param_count; i++)
        put(args, wish, &wish->enc->params[i], errors);
    enum pe_status status = pe_args_check(args, errors);
    if (status == PE_OK)
        return args;
    wish->claim->failed = wish->claim->failed || status == PE_NO_MEMORY;
    *idle = 0;
    for (size_t i = 0; i < wish->enc->param_count; i++) {
        const char *name = wish->enc->params[i].name;
        size_t own = args_find(wish->claim->enc, name, strlen(name));

        if (own != SIZE_MAX && args_bit(args->refused, i))
            *idle |= UINT64_C(1) << own;
    }
    pe_args_free(args);
    return NULL;
}

/* Leave out the values that are without effect beside the changes; false if a problem is about
 * anything else. */
static bool drop_refused(struct wish *wish, uint64_t idle, const struct pe_errors *errors,
                         const struct pe_param **missing)
{
    uint64_t dropped = 0;

    for (size_t i = 0; i < errors->count; i++) {
        const struct pe_problem *problem = &errors->at[i];
        const char *name = problem->parameter;
        size_t own = args_find(wish->claim->enc, name, strlen(name));

        if (problem->status == PE_MISSING_PARAMETER && missing)
            *missing = pe_param_find(wish->enc, name, strlen(name));
        if (problem->status != PE_CONFLICT || own == SIZE_MAX ||
            !args_bit(wish->set & idle, own) || find_change(wish->changes, name))
            return false;
        dropped |= UINT64_C(1) << own;
    }
    wish->set &= ~dropped;
    return dropped != 0;
}

struct pe_args *claim_args(struct claim *claim, const struct pe_encoding *enc,
                           const struct changes *changes, uint32_t outputs, int dtype,
                           const struct pe_param **missing)
{
    struct wish wish = {claim, enc, changes, outputs, dtype, claim->set};

    /* A change of what others say is made to the claim as it was given. */
    for (size_t i = 0; changes && enc == claim->enc && i < changes->count; i++)
        if (args_bit(claim->replaced, claim_index(claim, changes->at[i].param)))
            wish.set = claim->args->filled;

    struct pe_errors errors;
    if (missing)
        *missing = NULL;
    for (;;) {
        pe_errors_clear(&errors);
        uint64_t idle = 0;
        struct pe_args *args = make_args(&wish, &idle, &errors);

        if (args)
            return args;
        if (!drop_refused(&wish, idle, &errors, missing))
            return NULL;
    }
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
    pe_args_free(claim->args);
    claim->args = args;
    claim->set = 0;
    return read_values(claim);
}

struct pe_plan *claim_plan(struct claim *claim, struct pe_args *args)
{
    struct pe_limits limits = *claim->limits;
    struct pe_errors errors;
    struct pe_plan *plan;

    limits.brief = true;
    pe_errors_clear(&errors);
    enum pe_status status =
        pe_plan_new(&plan, args, kept_tables_find(&claim->tables, args), &limits, &errors);
    claim->failed = claim->failed || status == PE_NO_MEMORY;
    return status == PE_OK ? plan : NULL;
}

void *claim_room(struct claim *claim, size_t count, size_t size)
{
    void *room = calloc(count, size);

    claim->failed = claim->failed || !room;
    return room;
}

void *claim_copy(const void *from, size_t bytes)
{
    void *copy = malloc(bytes + 1);

    if (copy)
        memcpy(copy, from, bytes);
    return copy;
}
