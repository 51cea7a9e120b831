/* SPDX-License-Identifier: Apache-2.0
 * args_check.c - checks all arguments together: fills in defaults that depend on others, finds
 * parameters that are missing, without effect or of a dtype that does not fit, then runs the
 * checks of the encoding. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/args/args_echo.h"
#include "core/args/when.h"
#include "core/math/number/mpfr_memory.h"

enum { NAMES_MAX = 120 };

/* The rotated or encoded tensor has the name of the tensor that was sent: a request that sends
 * q and k wants the outputs q and k. */
static void want_given(struct pe_args *args)
{
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];

        if (p->type != PE_TENSOR || !args_bit(args->given, i))
            continue;
        for (size_t j = 0; j < args->enc->output_count; j++)
            if (args_tensor(args, j) == p)
                args->wanted |= UINT32_C(1) << j;
    }
}

static void want_defaults(struct pe_args *args)
{
    bool given;

    if (args->out_given)
        return;
    want_given(args);
    given = args->wanted != 0;
    for (size_t i = 0; i < args->enc->output_count; i++)
        if (args->enc->outputs[i].by_default && !(given && args_tensor(args, i)))
            args->wanted |= UINT32_C(1) << i;
}

/* Finds the parameter that an output names: mostly both names are one string literal. */
static size_t find_named(const struct pe_encoding *enc, const char *name)
{
    for (size_t i = 0; i < enc->param_count; i++)
        if (enc->params[i].name == name)
            return i;
    return args_find(enc, name, strlen(name));
}

uint64_t args_uses(const struct pe_encoding *enc, uint32_t outputs)
{
    uint64_t used = 0;

    for (size_t i = 0; i < enc->output_count; i++) {
        const char *const *name = enc->outputs[i].uses;

        if (!args_bit(outputs, i))
            continue;
        if (!name)
            used = UINT64_MAX;
        for (; name && *name; name++) {
            size_t param = find_named(enc, *name);

            assert(param != SIZE_MAX); /* an output uses its own encoding's parameters */
            used |= UINT64_C(1) << param;
        }
    }
    return used;
}

/* ---- presets --------------------------------------------------------------------------- */

/* Apply "name=text&name=text" to every parameter that the client has not given. */
static void expand(struct pe_args *args, const char *query, struct pe_errors *errors)
{
    for (const char *pair = query, *end; *pair; pair = *end ? end + 1 : end) {
        const char *equals = strchr(pair, '=');
        size_t i;

        end = strchrnul(pair, '&');
        assert(equals && equals < end);
        i = args_find(args->enc, pair, (size_t)(equals - pair));
        assert(i != SIZE_MAX); /* a preset names its own encoding's parameters */
        if (args_bit(args->filled, i))
            continue;
        args->filled |= UINT64_C(1) << i;
        pe_parse_text(&args->enc->params[i], args_field(args, &args->enc->params[i]),
                      equals + 1, (size_t)(end - equals - 1), errors);
    }
}

static bool is_preset(const struct pe_param *p)
{
    for (const struct pe_choice *c = p->choices; c && c->name; c++)
        if (c->stands_for)
            return true;
    return false;
}

static void expand_presets(struct pe_args *args, struct pe_errors *errors)
{
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];
        int choice = is_preset(p) ? *(int *)args_field(args, p) : -1;

        if (choice >= 0 && p->choices[choice].stands_for)
            expand(args, p->choices[choice].stands_for, errors);
    }
}

/* ---- rules that hold in every encoding --------------------------------------------------- */

/* Returns the name of the first output that depends on the parameter and is not computed from a
 * tensor, or NULL. */
static const char *find_user(const struct pe_args *args, const char *name)
{
    const struct pe_encoding *enc = args->enc;

    for (size_t i = 0; i < enc->output_count; i++)
        if (!args_tensor(args, i) && pe_output_uses(&enc->outputs[i], name))
            return enc->outputs[i].name;
    return NULL;
}

/* Returns whether the parameter has its value, if it must have one. */
static bool check_required(const struct pe_args *args, size_t i, struct pe_errors *errors)
{
    const struct pe_param *p = &args->enc->params[i];
    char when[NAMES_MAX];

    if (!p->required || args_bit(args->filled, i) || !when_holds(args, i))
        return true;
    if (when_depends_on_error(args, i, errors))
        return false;
    if (!p->when) {
        pe_fail(errors, PE_MISSING_PARAMETER, p->name, "is required: %s", pe_param_summary(p));
        return false;
    }
    bool negated = p->when[0] == '!' && !strpbrk(p->when, "&,");
    when_print(args->enc, p->when + negated, when, sizeof when);
    pe_fail(errors, PE_MISSING_PARAMETER, p->name, "is required %s %s: %s",
            negated ? "without" : "with", when, pe_param_summary(p));
    return false;
}

static bool has_required(const struct pe_args *args)
{
    for (size_t i = 0; i < args->enc->param_count; i++)
        if (args_bit(args->used & ~args->filled, i) && args->enc->params[i].required &&
            when_holds(args, i))
            return false;
    return true;
}

/* Returns which of these parameters are used, but have no effect beside the values of
 * others. */
static uint64_t find_idle(const struct pe_args *args, uint64_t among)
{
    uint64_t idle = 0;

    for (uint64_t left = args->used & among; left != 0; left &= left - 1)
        if (!when_holds(args, (size_t)__builtin_ctzll(left)))
            idle |= left & -left;
    return idle;
}

/* Leave out the values of a preset that have no effect beside what the client gave, since
 * canonical form has none of them. Return false when out of memory. */
static bool drop_idle_of_preset(struct pe_args *args)
{
    bool ok = true;

    for (uint64_t idle; (idle = find_idle(args, args->filled & ~args->given)) != 0;)
        ok &= args_leave_out(args, idle);
    return ok;
}

/* Positions, and parameters that stand for them (len of alibi), may be given where no wanted
 * output has a position axis: they are ignored, so that `out=` can be added to a URL that
 * works. Tensors of a body that holds several are ignored too. Any other parameter without
 * effect is an error, and is left out. Return whether all required parameters have a value. */
static bool check_names(struct pe_args *args, struct pe_errors *errors)
{
    const char *user;
    char wanted[NAMES_MAX];
    bool complete = true;
    uint64_t idle = find_idle(args, args->given);
    size_t before = errors->count;

    if (args->wanted == 0)
        return false; /* out= was wrong: which parameters have an effect is not known */
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];
        bool used = args_bit(args->used, i);
        bool vectors = p->type == PE_TENSOR && !p->table;
        bool harmless = p->type == PE_POSITIONS || vectors || p->expanded;

        if (used)
            complete &= check_required(args, i, errors);
        if (args_bit(idle, i) && !when_depends_on_error(args, i, errors))
            when_refuse(args, i, errors);
        if (!used && args_bit(args->given, i) && !harmless && !is_preset(p)) {
            args_print_wanted(args, wanted, sizeof wanted);
            pe_fail(errors, PE_CONFLICT, p->name, "has no effect on out=%s; leave it out",
                    wanted);
            user = find_user(args, p->name);
            if (user)
                pe_hint(errors, "out=%s uses it", user);
        }
    }
    args_echo_drop(args, errors, before);
    if (!idle)
        return complete;
    /* Without an idle parameter another one may be idle that needs it, or be required. */
    for (; idle; idle = find_idle(args, args->given)) {
        complete &= args_leave_out(args, idle);
        args->refused |= idle;
    }
    return complete && has_required(args);
}

/* Returns the largest n such that the dtype holds every whole number -n..n exactly. */
static double exact_up_to(enum pe_dtype dtype)
{
    switch (dtype) {
    case PE_F64:
    case PE_I64:
        return 0x1p53;
    case PE_F32:
        return 0x1p24;
    case PE_F16:
        return 0x1p11;
    case PE_BF16:
        return 0x1p8;
    case PE_I32:
        return 0x1p31 - 1;
    case PE_U8:
        return 255;
    case PE_BOOL8:
        return 1;
    }
    return 0;
}

static bool is_real(enum pe_dtype dtype)
{
    return dtype <= PE_BF16;
}

static void check_dtype(const struct pe_args *args, size_t output, struct pe_errors *errors)
{
    const struct pe_output *out = &args->enc->outputs[output];
    enum pe_dtype dtype = args->dtype;
    struct pe_interval in = {-0x1p53, 0x1p53};
    bool fits;

    if (is_real(out->natural)) {
        if (!is_real(dtype))
            pe_fail(errors, PE_CONFLICT, "dtype",
                    "must be f32, f64, f16 or bf16 for %s, which holds reals; got %s",
                    out->name, pe_dtype_name(dtype));
        return;
    }
    if (out->natural == PE_BOOL8)
        in = (struct pe_interval){0, 1};
    else if (pe_output_most(args->enc, args->data, output, &in.high))
        in.low = 0;
    else if (args->enc->range)
        in = args->enc->range(args, args->data, output);
    fits =
        in.high <= exact_up_to(dtype) && in.low >= (dtype >= PE_U8 ? 0 : -exact_up_to(dtype));
    if (!fits)
        pe_fail(errors, PE_CONFLICT, "dtype",
                "must hold every value of %s exactly, %.0f..%.0f; %s cannot", out->name, in.low,
                in.high, pe_dtype_name(dtype));
}

static bool out_of_memory(const struct pe_errors *errors)
{
    return errors->count > 0 && errors->at[errors->count - 1].status == PE_NO_MEMORY;
}

/* ---- the order of it all ----------------------------------------------------------------- */

static bool note_table_key(struct pe_args *args)
{
    const struct pe_encoding *enc = args->enc;
    char few[512]; /* most keys fit, so that they are printed once */
    size_t len = enc->table_key ? enc->table_key(args, args->data, few, sizeof few) : 0;
    size_t head = strlen(enc->name) + 1;

    if (len == 0)
        return true;
    args->table_key = malloc(head + len + 1);
    if (!args->table_key)
        return false;
    memcpy(args->table_key, enc->name, head - 1);
    args->table_key[head - 1] = ' ';
    if (len < sizeof few)
        memcpy(args->table_key + head, few, len + 1);
    else
        enc->table_key(args, args->data, args->table_key + head, len + 1);
    return true;
}

static bool keep_given(struct pe_args *args)
{
    args->given_data = malloc(args->enc->args_size);
    if (args->given_data)
        memcpy(args->given_data, args->data, args->enc->args_size);
    return args->given_data != NULL;
}

/* The rules of the encoding itself, for arguments that obey the rules of all. */
void args_check_encoding(struct pe_args *args, struct pe_errors *errors)
{
    const struct pe_encoding *enc = args->enc;

    if (!mpfr_memory_available() || (args->keeps_given && !keep_given(args)))
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (errors->count == 0 && enc->resolve)
        enc->resolve(args, args->data, errors);
    if (errors->count == 0 && enc->check)
        enc->check(args, args->data, errors);
    for (size_t i = 0; i < enc->output_count && args->dtype_given; i++)
        if (errors->count == 0 && pe_wants(args, i))
            check_dtype(args, i, errors);
}

/* The same after other problems: whatever was refused is left out, so that the hooks of the
 * encoding see arguments as of a request without it. */
static void check_rest(struct pe_args *args, struct pe_errors *errors)
{
    struct pe_errors more; /* hooks get no problems of others */

    pe_errors_clear(&more);
    args_check_encoding(args, &more);
    args_echo_drop(args, &more, 0);
    for (size_t i = 0; i < more.count; i++)
        if (errors->count < PE_MAX_PROBLEMS)
            errors->at[errors->count++] = more.at[i];
        else
            errors->dropped++;
}

enum pe_status pe_args_check(struct pe_args *args, struct pe_errors *errors)
{
    assert(!args->checked);
    if (out_of_memory(errors))
        return PE_NO_MEMORY; /* a value that was given is not known */
    want_defaults(args);
    args->used = args_uses(args->enc, args->wanted);
    if (args->refused && !args_leave_out(args, args->refused))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    expand_presets(args, errors);
    if (out_of_memory(errors))
        return PE_NO_MEMORY; /* what else is wrong is not known */
    if (!drop_idle_of_preset(args))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    bool complete = check_names(args, errors);
    if (errors->count == 0)
        args_check_encoding(args, errors);
    else if (complete)
        check_rest(args, errors);
    if (errors->count > 0)
        return out_of_memory(errors) ? PE_NO_MEMORY : errors->at[0].status;
    if ((!args->unnamed && !args_canonical_build(args)) || !note_table_key(args))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (args->given_data)
        args_note_owning(args);
    args->checked = true;
    return PE_OK;
}
