/* SPDX-License-Identifier: Apache-2.0
 * core_query.c - from the text of a query to a plan, and the problems of wrong queries. */
#include "tests/support/core_query.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_tensor.h"

const struct pe_encoding *core_query_find(const char *name)
{
    const struct pe_encoding *enc = pe_find(name, strlen(name));

    ck_assert_msg(enc != NULL, "there is no encoding %s", name);
    return enc;
}

static bool is_tensor(const struct pe_encoding *enc, const char *name, size_t len)
{
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (strlen(params[i].name) == len && memcmp(params[i].name, name, len) == 0)
            return params[i].type == PE_TENSOR;
    return false;
}

void core_query_give(struct pe_args *args, const char *name, size_t name_len, const char *text,
                     size_t len, struct pe_errors *errors)
{
    struct pe_tensor tensor;

    if (!is_tensor(pe_args_encoding(args), name, name_len) ||
        !core_tensor_parse(text, len, &tensor)) {
        pe_args_set_text(args, name, name_len, text, len, errors);
        return;
    }
    pe_args_set_tensor(args, name, name_len, &tensor, errors);
    if (core_tensor_is_numbers(text, len))
        pe_args_spell_tensor(args, pe_param_find(pe_args_encoding(args), name, name_len), text,
                             len, errors);
}

enum pe_status core_query_args(struct pe_args **args, const struct pe_encoding *enc,
                               const char *query, struct pe_errors *errors)
{
    *args = pe_args_new(enc);
    if (!*args)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    for (const char *pair = query, *end; *pair; pair = *end ? end + 1 : end) {
        const char *equals = strchr(pair, '=');

        end = strchrnul(pair, '&');
        core_query_give(*args, pair, (size_t)(equals - pair), equals + 1,
                        (size_t)(end - equals - 1), errors);
    }
    return pe_args_check(*args, errors);
}

/* Fails the test with the sentence of the first problem, if there is one. */
static void expect_none(const struct pe_encoding *enc, const char *query,
                        const struct pe_errors *errors)
{
    ck_assert_msg(errors->count == 0, "%s?%s: %s %s", pe_name(enc), query,
                  errors->at[0].parameter, errors->at[0].detail);
}

struct pe_args *core_query_checked(const struct pe_encoding *enc, const char *query)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args;
    enum pe_status status = core_query_args(&args, enc, query, &errors);

    expect_none(enc, query, &errors);
    ck_assert_int_eq(status, PE_OK);
    return args;
}

struct pe_plan *core_query_plan(const struct pe_encoding *enc, const char *query)
{
    struct pe_limits limits = {.max_elements = 1 << 28, .max_prepared = 1 << 24};
    struct pe_args *args = core_query_checked(enc, query);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    enum pe_status status = pe_plan_new(&plan, args, NULL, &limits, &errors);

    expect_none(enc, query, &errors);
    ck_assert_int_eq(status, PE_OK);
    pe_args_free(args); /* the plan keeps its own */
    return plan;
}

void core_query_found(const struct pe_errors *errors, const struct core_refusal *refusal)
{
    for (size_t i = 0; i < errors->count; i++) {
        const struct pe_problem *p = &errors->at[i];

        if (p->status == refusal->status && strcmp(p->parameter, refusal->parameter) == 0 &&
            strstr(p->detail, refusal->detail) && strcmp(p->hint, refusal->hint) == 0)
            return;
    }
    ck_abort_msg("%s: not told %s %s (%s), status %d; told %zu, first: %s %s (%s), status %d",
                 refusal->query, refusal->parameter, refusal->detail, refusal->hint,
                 refusal->status, errors->count, errors->at[0].parameter, errors->at[0].detail,
                 errors->at[0].hint, errors->at[0].status);
}

char *core_query_canonical(const struct pe_args *args)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        size_t len = pe_args_print(args, i, NULL, 0);
        char *value = malloc(len + 1);

        pe_args_print(args, i, value, len + 1);
        fprintf(out, "%s%s=%s", i ? "&" : "", pe_args_value(args, i)->name, value);
        free(value);
    }
    fclose(out);
    return text;
}
