/* SPDX-License-Identifier: Apache-2.0
 * claim_args.c - makes arguments of a claim with some values changed, and plans them. What
 * stays is copied from arguments that hold it already: a search changes one value some hundred
 * times. */
#include <string.h>

#include "core/verify/claim/claim.h"
#include "core/verify/cost.h"

/* Sets a parameter to the claim's value number `own`: of a list, or a tensor's shape, the value
 * itself. */
static void read_value(struct pe_args *args, const struct claim *claim, size_t own,
                       const struct pe_param *param, struct pe_errors *errors)
{
    const enum pe_type type = claim->enc->params[own].type;
    const void *field = claim->args->data + claim->enc->params[own].offset;
    const char *text = claim->text[own];
    struct pe_given given = {.kind = PE_GIVEN_TEXT, .text = text, .len = strlen(text)};

    if (type == PE_REALS) {
        const struct pe_reals *reals = field;

        given = (struct pe_given){.kind = PE_GIVEN_REALS,
                                  .values = reals->values,
                                  .rows = reals->rows,
                                  .cols = reals->cols};
    } else if (type == PE_TENSOR) {
        given = (struct pe_given){.kind = PE_GIVEN_TENSOR, .tensor = field};
    }
    pe_args_set(args, param, &given, errors);
}

bool claim_args_read(struct claim *claim)
{
    struct pe_errors errors;

    claim->read = pe_args_new(claim->enc);
    for (size_t i = 0; claim->read && i < claim->enc->param_count; i++) {
        pe_errors_clear(&errors);
        if (claim->text[i])
            read_value(claim->read, claim, i, &claim->enc->params[i], &errors);
        if (errors.count > 0 && errors.at[0].status == PE_NO_MEMORY)
            return false;
    }
    return claim->read != NULL;
}

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

/* Sets a parameter to the claim's value of its name: a copy of what was read, unless the
 * parameter is of another encoding, or refuses the value. */
static void put_own(struct pe_args *args, const struct wish *wish, size_t own,
                    const struct pe_param *param, struct pe_errors *errors)
{
    const struct pe_args *read = wish->claim->read;

    if (wish->enc != wish->claim->enc || args_bit(read->refused, own)) {
        read_value(args, wish->claim, own, param, errors);
    } else if (!args_take(args, read, own)) {
        pe_fail(errors, PE_NO_MEMORY, param->name, "out of memory");
        pe_args_refuse(args, param);
    }
}

static void put(struct pe_args *args, const struct wish *wish, size_t i, uint64_t used,
                struct pe_errors *errors)
{
    const struct claim *claim = wish->claim;
    const struct pe_param *param = &wish->enc->params[i];
    const struct change *change = find_change(wish->changes, param->name);
    const bool same = wish->enc == claim->enc;
    const size_t own = same ? i : args_find(claim->enc, param->name, strlen(param->name));
    const bool kept = own != SIZE_MAX && claim->text[own] &&
                      claim->enc->params[own].type == param->type && args_bit(used, i) &&
                      (args_bit(wish->set, own) || (!same && param->required));

    if (change && change->text[0] != '\0')
        pe_args_set(args, param,
                    &(struct pe_given){.text = change->text, .len = strlen(change->text)},
                    errors);
    else if (!change && kept)
        put_own(args, wish, own, param, errors);
}

/* Makes the arguments; *idle are the claim's parameters that have no effect in them. */
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
    args->keeps_given = wish->dtype == CLAIM_NATURAL; /* they may become the claim's own, */
    args->unnamed = wish->dtype != CLAIM_NATURAL;     /* or be told; others are only planned */
    if (wish->dtype != CLAIM_NATURAL) {
        args->dtype_given = true;
        args->dtype = (enum pe_dtype)wish->dtype;
    }
    const uint64_t used = args_uses(wish->enc, wish->outputs);
    for (size_t i = 0; i < wish->enc->param_count; i++)
        put(args, wish, i, used, errors);
    enum pe_status status = pe_args_check(args, errors);
    if (status == PE_OK)
        return args;
    wish->claim->failed = wish->claim->failed || status == PE_NO_MEMORY;
    *idle = 0;
    for (size_t i = 0; i < wish->enc->param_count; i++) {
        const char *name = wish->enc->params[i].name;
        const size_t own = args_bit(args->refused, i)
                               ? args_find(wish->claim->enc, name, strlen(name))
                               : SIZE_MAX;

        if (own != SIZE_MAX)
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
    if (!claim->read) /* for lack of memory */
        return NULL;
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

/* ---- plans ------------------------------------------------------------------------------- */

/* A hypothesis may take that much more to plan than the claim: one of many more nodes would
 * leave nothing of the search's operations to those behind it. */
#define DEARER 4
#define DEARER_LEAST 2e7

static struct pe_plan *plan(struct claim *claim, struct pe_args *args)
{
    const double most = DEARER * pe_args_operations(claim->args) + DEARER_LEAST;
    struct pe_limits limits = *claim->limits;
    struct pe_errors errors;
    struct pe_plan *plan;

    limits.brief = true;
    if (limits.max_operations == 0 || (double)limits.max_operations > most)
        limits.max_operations = (uint64_t)most;
    pe_errors_clear(&errors);
    enum pe_status status =
        pe_plan_new(&plan, args, kept_tables_find(&claim->tables, args), &limits, &errors);
    claim->failed = claim->failed || status == PE_NO_MEMORY;
    return status == PE_OK ? plan : NULL;
}

/* All that claim_args reads besides the claim's values. */
struct key {
    size_t len;
    char bytes[64 + PE_VERIFY_CHANGES * (CHANGE_TEXT + sizeof(void *))];
};

static void add(struct key *key, const void *bytes, size_t len)
{
    memcpy(key->bytes + key->len, bytes, len);
    key->len += len;
}

struct planned claim_planned(struct claim *claim, const struct pe_encoding *enc,
                             const struct changes *changes, uint32_t outputs, int dtype)
{
    struct planned planned;
    struct key key;

    key.len = 0;
    add(&key, &enc, sizeof enc);
    add(&key, &claim->set, sizeof claim->set);
    add(&key, &outputs, sizeof outputs);
    add(&key, &dtype, sizeof dtype);
    for (size_t i = 0; changes && i < changes->count; i++) {
        add(&key, &changes->at[i].param, sizeof changes->at[i].param);
        add(&key, changes->at[i].text, strlen(changes->at[i].text) + 1);
    }
    if (kept_plans_find(&claim->plans, key.bytes, key.len, &planned))
        return planned;
    planned.args = claim_args(claim, enc, changes, outputs, dtype, &planned.missing);
    planned.plan = planned.args ? plan(claim, planned.args) : NULL;
    claim->operations += cost_of_planned(enc, planned.plan ? planned.args : NULL);
    if (!claim->failed)
        claim->failed = !kept_plans_add(&claim->plans, key.bytes, key.len, &planned);
    return planned;
}
