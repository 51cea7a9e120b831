/* SPDX-License-Identifier: Apache-2.0
 * args_set.c - gives parameters by name, each at most once, and records which were given; also
 * `out` and `dtype`, which every encoding has. */
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

enum { OUT, DTYPE };
static const struct pe_param shared[] = {
    [OUT] = {.name = "out",
             .type = PE_CHOICE,
             .optional = true,
             .summary = "which tensors, joined by commas"},
    [DTYPE] = {.name = "dtype",
               .type = PE_CHOICE,
               .optional = true,
               .summary = "element type; each tensor's own by default"},
};

static bool is_shared(const struct pe_param *p)
{
    return p == &shared[OUT] || p == &shared[DTYPE];
}

const struct pe_param *pe_param_find(const struct pe_encoding *enc, const char *name,
                                     size_t len)
{
    size_t i = enc ? args_find(enc, name, len) : SIZE_MAX;

    if (i != SIZE_MAX)
        return &enc->params[i];
    for (i = 0; i < PE_LEN(shared); i++)
        if (args_parse_is(shared[i].name, name, len))
            return &shared[i];
    const struct pe_spelling *spelling = enc ? pe_spelling_find(enc, name, len) : NULL;
    return spelling ? &enc->params[args_find(enc, spelling->means, strlen(spelling->means))]
                    : NULL;
}

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
    static const char torch[] = "torch."; /* "torch.float32", as Hugging Face writes a dtype in
                                           * config.json */
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

/* Records that the parameter is given; it must not have been given before. */
static enum pe_status record(struct pe_args *args, const struct pe_param *p,
                             struct pe_errors *errors)
{
    size_t i = is_shared(p) ? 0 : (size_t)(p - args->enc->params);
    bool *flag = p == &shared[OUT] ? &args->out_given : &args->dtype_given;

    assert(!args->checked && i < args->enc->param_count);
    if (is_shared(p) ? *flag : args_bit(args->given, i))
        return pe_fail(errors, PE_REPEATED_PARAMETER, p->name, "is given twice; give it once");
    if (is_shared(p)) {
        *flag = true;
        return PE_OK;
    }
    args->given |= UINT64_C(1) << i;
    args->filled |= UINT64_C(1) << i;
    return PE_OK;
}

static enum pe_status set_shared(struct pe_args *args, const struct pe_param *p,
                                 const struct pe_given *given, struct pe_errors *errors)
{
    char number[NUMBER_TEXT_MAX] = "a number that is not finite";
    const char *text = given->kind == PE_GIVEN_TEXT ? given->text : number;

    if (given->kind == PE_GIVEN_TENSOR)
        return pe_fail(errors, PE_BAD_VALUE, p->name, "takes no tensor");
    if (given->kind == PE_GIVEN_REALS)
        return pe_fail(errors, PE_BAD_VALUE, p->name, "must be text; got an array of numbers");
    if (given->kind == PE_GIVEN_NUMBER && isfinite(given->number))
        number_print(number, given->number);
    size_t len = given->kind == PE_GIVEN_TEXT ? given->len : strlen(number);
    if (len == 0)
        return pe_fail(errors, PE_BAD_VALUE, p->name, "must be given a value; got nothing");
    return p == &shared[OUT] ? set_out(args, text, len, errors)
                             : set_dtype(args, text, len, errors);
}

enum pe_status pe_args_set(struct pe_args *args, const struct pe_param *p,
                           const struct pe_given *given, struct pe_errors *errors)
{
    enum pe_status status = record(args, p, errors);

    if (status)
        return status;
    if (is_shared(p))
        return set_shared(args, p, given, errors);
    status = pe_parse(p, args_field(args, p), given, errors);
    if (status)
        pe_args_refuse(args, p);
    return status;
}

void pe_args_refuse(struct pe_args *args, const struct pe_param *p)
{
    assert(!args->checked);
    if (p == &shared[OUT])
        args->out_given = true; /* the outputs of the request are unknown, not the defaults */
    else if (!is_shared(p))
        args->refused |= UINT64_C(1) << (p - args->enc->params);
}

static enum pe_status set(struct pe_args *args, const char *name, size_t len,
                          const struct pe_given *given, struct pe_errors *errors)
{
    const struct pe_param *p = pe_param_find(args->enc, name, len);

    return p ? pe_args_set(args, p, given, errors) : unknown(args->enc, name, len, errors);
}

enum pe_status pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors)
{
    return set(args, name, name_len, &(struct pe_given){.text = text, .len = len}, errors);
}

enum pe_status pe_args_set_number(struct pe_args *args, const char *name, size_t name_len,
                                  double number, struct pe_errors *errors)
{
    struct pe_given given = {.kind = PE_GIVEN_NUMBER, .number = number};

    return set(args, name, name_len, &given, errors);
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
    struct pe_given given = {.kind = PE_GIVEN_REALS,
                             .values = values,
                             .rows = rows,
                             .cols = cols};

    return set(args, name, name_len, &given, errors);
}

enum pe_status pe_args_set_tensor(struct pe_args *args, const char *name, size_t name_len,
                                  const struct pe_tensor *tensor, struct pe_errors *errors)
{
    struct pe_given given = {.kind = PE_GIVEN_TENSOR, .tensor = tensor};

    return set(args, name, name_len, &given, errors);
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
