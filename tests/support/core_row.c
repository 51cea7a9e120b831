/* SPDX-License-Identifier: Apache-2.0
 * core_row.c - checks whether the expectation of a row holds. */
#include "tests/support/core_row.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_row_numbers.h"
#include "tests/support/core_sample.h"

bool core_row_fails(const struct outcome *outcome, const char *format, ...)
{
    const struct row *row = outcome->row;
    int len = snprintf(outcome->why, outcome->size, "%s:%d: %s%s", row->file, row->line,
                       row->input ? row->input : "", row->input ? ": " : "");
    va_list list;

    va_start(list, format);
    if (len >= 0 && (size_t)len < outcome->size)
        vsnprintf(outcome->why + len, outcome->size - (size_t)len, format, list);
    va_end(list);
    return false;
}

/* ---- a request as arguments, as a plan, as numbers ------------------------------------- */

static const struct pe_encoding *encoding_of(const struct outcome *outcome, const char *request)
{
    const char *query = strchr(request, '?');
    const size_t len = query ? (size_t)(query - request) : 0;
    const struct pe_encoding *enc = pe_find(request, len);

    if (!enc)
        enc = core_sample_find(request, len);
    if (!enc)
        core_row_fails(outcome, "there is no encoding of the request %s", request);
    return enc;
}

/* Makes checked arguments and, unless plan is NULL, a plan; false, with the first problem as
 * the reason. */
static bool take(const struct outcome *outcome, const char *request, struct pe_args **args,
                 struct pe_plan **plan)
{
    struct pe_limits limits = {.max_elements = 1 << 28, .max_prepared = 1 << 24};
    const struct pe_encoding *enc = encoding_of(outcome, request);
    struct pe_errors errors = {.count = 0};
    enum pe_status status;

    *args = NULL;
    if (!enc)
        return false;
    status = core_query_args(args, enc, strchr(request, '?') + 1, &errors);
    if (!status && plan)
        status = pe_plan_new(plan, *args, NULL, &limits, &errors);
    if (status) {
        pe_args_free(*args);
        *args = NULL;
        return core_row_fails(outcome, "%s is refused: %s %s", request, errors.at[0].parameter,
                              errors.at[0].detail);
    }
    return true;
}

struct pe_plan *core_row_plan(const struct outcome *outcome, const char *request)
{
    struct pe_plan *plan = NULL;
    struct pe_args *args;

    if (take(outcome, request, &args, &plan))
        pe_args_free(args); /* the plan keeps its own */
    return plan;
}

static char *canonical_of(const struct outcome *outcome, const char *request)
{
    struct pe_args *args;
    char *text = NULL;

    if (take(outcome, request, &args, NULL))
        text = core_query_canonical(args);
    pe_args_free(args);
    return text;
}

/* True when the form has these values, each of them whole, one after the other. */
static bool has_values(const char *canonical, const char *values)
{
    const size_t len = strlen(values);

    for (const char *at = canonical; (at = strstr(at, values)); at++)
        if ((at == canonical || at[-1] == '&') && (at[len] == '&' || at[len] == '\0'))
            return true;
    return false;
}

static bool canonical_is(const struct outcome *outcome, const char *relation)
{
    const char *text = outcome->row->text;
    char *canonical = canonical_of(outcome, outcome->row->input);
    char *other = strcmp(relation, "equals") == 0 ? canonical_of(outcome, text) : NULL;
    bool holds = false;

    if (!canonical)
        return false;
    if (relation[0] == '\0')
        holds = strcmp(canonical, text) == 0;
    else if (strcmp(relation, "equals") == 0)
        holds = other && strcmp(canonical, other) == 0;
    else if (strcmp(relation, "has") == 0)
        holds = has_values(canonical, text);
    else if (strcmp(relation, "lacks") == 0)
        holds = !strstr(canonical, text);
    if (!holds)
        core_row_fails(outcome, "the canonical form is %s", canonical);
    free(canonical);
    free(other);
    return holds;
}

static bool fact_is(const struct outcome *outcome, const char *name)
{
    struct pe_plan *plan = core_row_plan(outcome, outcome->row->input);
    const struct pe_fact *fact = NULL;
    char why[200] = "none";
    bool holds = false;

    if (!plan)
        return false;
    for (size_t i = 0; i < pe_plan_fact_count(plan); i++)
        if (strcmp(pe_plan_fact(plan, i)->name, name) == 0)
            fact = pe_plan_fact(plan, i);
    if (fact && fact->text) {
        holds = strcmp(fact->text, outcome->row->text) == 0;
        snprintf(why, sizeof why, "%s", fact->text);
    } else if (fact) {
        holds = core_query_holds(&fact->number, 1, outcome->row->text, why, sizeof why);
    }
    if (!fact)
        holds = strcmp(outcome->row->text, "none") == 0;
    if (!holds)
        core_row_fails(outcome, "fact %s: %s", name, why);
    pe_plan_free(plan);
    return holds;
}

static bool warning_is(const struct outcome *outcome, const char *nothing)
{
    struct pe_plan *plan = core_row_plan(outcome, outcome->row->input);
    const char *expected = outcome->row->text, *first = "none";
    bool holds;

    if (!plan)
        return false;
    if (pe_plan_warning_count(plan) > 0)
        first = pe_plan_warning(plan, 0);
    holds = nothing[0] == '\0' && pe_plan_warning_count(plan) <= 1 &&
            (strcmp(expected, "none") == 0 ? pe_plan_warning_count(plan) == 0
                                           : strstr(first, expected) != NULL);
    if (!holds)
        core_row_fails(outcome, "%zu warnings, the first: %s", pe_plan_warning_count(plan),
                       first);
    pe_plan_free(plan);
    return holds;
}

static const char *const words[] = {
    [PE_UNKNOWN_PARAMETER] = "unknown-parameter",
    [PE_REPEATED_PARAMETER] = "repeated-parameter",
    [PE_MISSING_PARAMETER] = "missing-parameter",
    [PE_BAD_VALUE] = "bad-value",
    [PE_OUT_OF_RANGE] = "out-of-range",
    [PE_CONFLICT] = "conflict",
    [PE_TOO_LARGE] = "too-large",
    [PE_UNKNOWN_NAME] = "unknown-name",
};

const char *core_row_status(enum pe_status status)
{
    return status < PE_LEN(words) && words[status] ? words[status] : "ok";
}

/* Whether the only problem is that of the row, "PARAMETER part of the sentence"; "-" stands for
 * no parameter. */
static bool problem_is(const struct outcome *outcome, const char *word, enum pe_status status,
                       const struct pe_errors *errors)
{
    const struct row *row = outcome->row;
    const struct pe_problem *first = &errors->at[0];
    const char *blank = strchrnul(row->text, ' '), *detail = *blank ? blank + 1 : blank;
    const char *parameter = first->parameter[0] ? first->parameter : "-";

    if (errors->count == 0)
        return core_row_fails(outcome, "is not refused");
    if (errors->count == 1 && status == first->status &&
        strcmp(core_row_status(status), word) == 0 &&
        strlen(parameter) == (size_t)(blank - row->text) &&
        strncmp(parameter, row->text, strlen(parameter)) == 0 &&
        strstr(first->detail, detail) && strcmp(first->hint, row->hint ? row->hint : "") == 0)
        return true;
    return core_row_fails(outcome, "%zu problems, the first: refused %s: %s %s (hint: %s)",
                          errors->count, core_row_status(first->status), parameter,
                          first->detail, first->hint);
}

static bool refused_for(const struct outcome *outcome, const char *word)
{
    struct pe_limits limits = {.max_elements = 1 << 20, .max_prepared = 1 << 16};
    const struct pe_encoding *enc = encoding_of(outcome, outcome->row->input);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    struct pe_args *args;
    enum pe_status status;
    bool holds;

    if (!enc)
        return false;
    status = core_query_args(&args, enc, strchr(outcome->row->input, '?') + 1, &errors);
    if (!status)
        status = pe_plan_new(&plan, args, NULL, &limits, &errors);
    holds = problem_is(outcome, word, status, &errors);
    pe_plan_free(plan);
    pe_args_free(args);
    return holds;
}

/* A claim is a kind and its name ("fact pairs"), or an output and a relation. */
static const struct {
    const char *name;
    bool (*holds)(const struct outcome *outcome, const char *word);
} kinds[] = {
    {"refused", refused_for},
    {"canonical", canonical_is},
    {"fact", fact_is},
    {"warning", warning_is},
};

bool core_row_holds(const struct row *row, char *why, size_t size)
{
    struct outcome outcome = {row, why, size};
    char name[80];
    const char *relation;
    size_t len;

    why[0] = '\0';
    if (row->malformed)
        return core_row_fails(&outcome, "%s", row->malformed);
    if (!strchr(row->input, '?') || strchr(row->input, ' '))
        return core_row_fails(&outcome, "a request is ENCODING?QUERY, without blanks");
    len = strcspn(row->claim, " ");
    relation = row->claim + len + (row->claim[len] == ' ');
    snprintf(name, sizeof name, "%.*s", (int)len, row->claim);
    for (size_t i = 0; i < PE_LEN(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].holds(&outcome, relation);
    return core_row_numbers(&outcome, name, relation);
}
