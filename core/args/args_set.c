/* SPDX-License-Identifier: Apache-2.0
 * args_set.c - giving parameters by name, each once: the books on what was given, and the
 * two names that every encoding has, out and dtype. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "core/args/number.h"
#include "core/args/positions.h"

enum { SENTENCE_MAX = 200, ECHO_MAX = 40 };

/* ---- out and dtype, which every encoding has --------------------------------------------- */

static enum pe_status set_out(struct pe_args *args, const char *text, size_t len,
                              struct pe_errors *errors)
{
    const struct pe_encoding *enc = args->enc;
    const char *names[PE_MAX_OUTPUTS], *near;
    char all[SENTENCE_MAX] = "";
    uint32_t wanted = 0;

    for (size_t i = 0; i < enc->output_count; i++) {
        size_t used = strlen(all);

        names[i] = enc->outputs[i].name;
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    }
    for (const char *word = text, *end = text + len; word <= end;) {
        const char *comma = memchr(word, ',', (size_t)(end - word));
        size_t word_len = (size_t)((comma ? comma : end) - word), i = 0;

        while (i < enc->output_count && !args_parse_is(names[i], word, word_len))
            i++;
        if (i == enc->output_count || args_bit(wanted, i)) {
            pe_fail(errors, PE_BAD_VALUE, "out",
                    "must name outputs, each once, of: %s; got %.*s", all,
                    (int)(word_len < ECHO_MAX ? word_len : ECHO_MAX), word);
            near = i == enc->output_count ? pe_suggest(word, word_len, names, enc->output_count)
                                          : NULL;
            if (near)
                pe_hint(errors, "did you mean %s?", near);
            return PE_BAD_VALUE;
        }
        wanted |= UINT32_C(1) << i;
        word += word_len + 1;
    }
    args->wanted = wanted;
    return PE_OK;
}

static enum pe_status set_dtype(struct pe_args *args, const char *text, size_t len,
                                struct pe_errors *errors)
{
    static const char torch[] = "torch."; /* as a configuration of Hugging Face prints it */
    const size_t skip = sizeof torch - 1;

    if (pe_dtype_find(text, len, &args->dtype))
        return PE_OK;
    pe_fail(errors, PE_BAD_VALUE, "dtype",
            "must be one of f32, f64, f16, bf16, i64, i32, u8, bool; got %.*s",
            (int)(len < ECHO_MAX ? len : ECHO_MAX), text);
    if (len > skip && memcmp(text, torch, skip) == 0 &&
        pe_dtype_find(text + skip, len - skip, &args->dtype))
        pe_hint(errors, "did you mean %s?", pe_dtype_name(args->dtype));
    return PE_BAD_VALUE;
}

/* ---- the public setters ------------------------------------------------------------------ */

enum { UNKNOWN = -1, OUT = -2, DTYPE = -3 }; /* in place of a parameter's number */

static const char *name_of(const struct pe_args *args, int which)
{
    return which == OUT ? "out" : which == DTYPE ? "dtype" : args->enc->params[which].name;
}

static enum pe_status repeated(const char *name, struct pe_errors *errors)
{
    return pe_fail(errors, PE_REPEATED_PARAMETER, name, "is given twice; give it once");
}

static enum pe_status unknown(const struct pe_encoding *enc, const char *name, size_t len,
                              struct pe_errors *errors)
{
    const char *names[66] = {"out", "dtype"}, *near;
    char echo[48];

    snprintf(echo, sizeof echo, "%.*s", (int)(len < ECHO_MAX ? len : ECHO_MAX), name);
    for (size_t j = 0; j < enc->param_count; j++)
        names[j + 2] = enc->params[j].name;
    near = pe_suggest(name, len, names, enc->param_count + 2);
    pe_fail(errors, PE_UNKNOWN_PARAMETER, echo, "unknown parameter of %s", enc->name);
    if (near)
        pe_hint(errors, "did you mean %s?", near);
    return PE_UNKNOWN_PARAMETER;
}

/* The parameter's number, with the books kept: it is given now, and was not before. */
static enum pe_status claim(struct pe_args *args, int *which, const char *name, size_t len,
                            struct pe_errors *errors)
{
    size_t i = args_find(args->enc, name, len);
    bool *flag = args_parse_is("out", name, len)     ? &args->out_given
                 : args_parse_is("dtype", name, len) ? &args->dtype_given
                                                     : NULL;

    assert(!args->checked);
    if (flag) {
        *which = flag == &args->out_given ? OUT : DTYPE;
        if (*flag)
            return repeated(flag == &args->out_given ? "out" : "dtype", errors);
        *flag = true;
        return PE_OK;
    }
    if (i != SIZE_MAX) {
        *which = (int)i;
        if (args_bit(args->given, i))
            return repeated(args->enc->params[i].name, errors);
        args->given |= UINT64_C(1) << i;
        args->filled |= UINT64_C(1) << i;
        return PE_OK;
    }
    *which = UNKNOWN;
    return unknown(args->enc, name, len, errors);
}

enum pe_status pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors)
{
    int which;
    enum pe_status status = claim(args, &which, name, name_len, errors);
    const struct pe_param *p;

    if (status)
        return status;
    if (len == 0 && which < 0)
        return pe_fail(errors, PE_BAD_VALUE, name_of(args, which),
                       "must be given a value; got nothing");
    if (which == OUT)
        return set_out(args, text, len, errors);
    if (which == DTYPE)
        return set_dtype(args, text, len, errors);
    p = &args->enc->params[which];
    return pe_parse_text(p, args_field(args, p), text, len, errors);
}

enum pe_status pe_args_set_number(struct pe_args *args, const char *name, size_t name_len,
                                  double number, struct pe_errors *errors)
{
    char text[NUMBER_TEXT_MAX] = "a number that is not finite";
    int which;
    enum pe_status status = claim(args, &which, name, name_len, errors);
    const struct pe_param *p;

    if (status)
        return status;
    if (isfinite(number))
        number_print(text, number);
    if (which == OUT)
        return set_out(args, text, strlen(text), errors);
    if (which == DTYPE)
        return set_dtype(args, text, strlen(text), errors);
    p = &args->enc->params[which];
    if (p->type == PE_INT || p->type == PE_REAL)
        return args_parse_number(p, args_field(args, p), number, errors);
    return pe_parse_text(p, args_field(args, p), text, strlen(text), errors);
}

enum pe_status pe_args_set_bool(struct pe_args *args, const char *name, size_t name_len,
                                bool value, struct pe_errors *errors)
{
    return pe_args_set_text(args, name, name_len, value ? "true" : "false", value ? 4 : 5,
                            errors);
}

enum pe_status pe_args_set_reals(struct pe_args *args, const char *name, size_t name_len,
                                 const double *values, size_t rows, size_t cols,
                                 struct pe_errors *errors)
{
    int which;
    enum pe_status status = claim(args, &which, name, name_len, errors);
    const struct pe_param *p;
    struct pe_positions *pos;

    if (status)
        return status;
    p = which >= 0 ? &args->enc->params[which] : NULL;
    if (p && p->type == PE_REALS) {
        pe_parse_drop(p, args_field(args, p));
        return args_parse_reals(p, args_field(args, p), values, rows, cols, errors);
    }
    if (p && p->type == PE_POSITIONS && rows <= 1) {
        status = positions_from_array(&pos, p->name, values, cols, p->fractions, errors);
        if (!status) {
            pe_parse_drop(p, args_field(args, p));
            *(struct pe_positions **)args_field(args, p) = pos;
        }
        return status;
    }
    if (which < 0)
        return pe_fail(errors, PE_BAD_VALUE, name_of(args, which),
                       "must be text; got an array of numbers");
    return pe_parse_refuse(p, PE_BAD_VALUE, "an array", strlen("an array"), errors);
}

enum pe_status pe_args_set_tensor(struct pe_args *args, const char *name, size_t name_len,
                                  const struct pe_tensor *tensor, struct pe_errors *errors)
{
    int which;
    enum pe_status status = claim(args, &which, name, name_len, errors);

    if (status)
        return status;
    if (which < 0 || args->enc->params[which].type != PE_TENSOR)
        return pe_fail(errors, PE_BAD_VALUE, name_of(args, which), "takes no tensor");
    if (tensor->rank == 0)
        return pe_fail(errors, PE_BAD_VALUE, name_of(args, which),
                       "must have an axis at least; got a scalar");
    *(struct pe_tensor *)args_field(args, &args->enc->params[which]) = *tensor;
    return PE_OK;
}

/* ---- defaults of the caller's own ------------------------------------------------------- */

enum pe_status pe_args_assume(struct pe_args *args, const char *name, const char *text,
                              struct pe_errors *errors)
{
    size_t i = args_find(args->enc, name, strlen(name));
    const struct pe_param *p;

    assert(!args->checked);
    if (i == SIZE_MAX)
        return pe_fail(errors, PE_UNKNOWN_PARAMETER, NULL, "%s has no parameter %.*s",
                       args->enc->name, ECHO_MAX, name);
    p = &args->enc->params[i];
    if (args_bit(args->filled, i))
        return p->type == PE_CHOICE &&
                       strcmp(p->choices[*(int *)args_field(args, p)].name, text) != 0
                   ? PE_CONFLICT
                   : PE_OK;
    args->filled |= UINT64_C(1) << i;
    return pe_parse_text(p, args_field(args, p), text, strlen(text), errors);
}
