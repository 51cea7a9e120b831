/* SPDX-License-Identifier: Apache-2.0
 * core_row.c - checks whether the expectation of a row holds. */
#include "tests/support/core_row.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"

/* The row, and the text that names the reason of a failure. */
struct outcome {
    const struct row *row;
    char *why;
    size_t size;
};

static bool fails(const struct outcome *outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fails(const struct outcome *outcome, const char *format, ...)
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
        fails(outcome, "there is no encoding of the request %s", request);
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
        return fails(outcome, "%s is refused: %s %s", request, errors.at[0].parameter,
                     errors.at[0].detail);
    }
    return true;
}

static struct pe_plan *plan_of(const struct outcome *outcome, const char *request)
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

/* Returns the doubles of the output, which the caller frees, and its shape; NULL, with the
 * reason written. */
static double *values_of(const struct outcome *outcome, const char *request, const char *output,
                         size_t *count, size_t *cols)
{
    struct pe_plan *plan = plan_of(outcome, request);
    double *values = NULL;

    if (!plan)
        return NULL;
    for (size_t i = 0; i < pe_plan_tensor_count(plan) && !values; i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        if (strcmp(tensor->output->name, output) != 0)
            continue;
        values = core_query_doubles(plan, i);
        *cols = (size_t)tensor->cols;
        *count = (size_t)(tensor->rows * tensor->cols);
    }
    pe_plan_free(plan);
    if (!values)
        fails(outcome, "%s has no output %s", request, output);
    return values;
}

/* ---- the kinds of expectation ------------------------------------------------------------ */

static bool output_prints(const struct outcome *outcome, const char *output)
{
    size_t count, cols;
    double *values = values_of(outcome, outcome->row->input, output, &count, &cols);
    char why[200];
    bool holds = values && core_query_holds(values, count, outcome->row->text, why, sizeof why);

    if (values && !holds)
        fails(outcome, "%s: %s", output, why);
    free(values);
    return holds;
}

static bool output_digits(const struct outcome *outcome, const char *output)
{
    size_t count, cols, size = 0;
    double *values = values_of(outcome, outcome->row->input, output, &count, &cols);
    char *text = NULL;
    FILE *out;
    bool holds;

    if (!values)
        return false;
    out = open_memstream(&text, &size);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%.17g", i > 0 && i % cols == 0 ? " " : "", values[i]);
    fclose(out);
    holds = strcmp(text, outcome->row->text) == 0 ||
            fails(outcome, "%s is %s, expected %s", output, text, outcome->row->text);
    free(text);
    free(values);
    return holds;
}

/* other_request may begin with the name of its output: "rows of sinusoidal?pos=1&dim=8". If
 * `transposed`, element i of row j is compared with element j of row i there. */
static bool values_equal(const struct outcome *outcome, const char *output, const char *request,
                         const char *other_request, bool transposed)
{
    const char *of = strstr(other_request, " of ");
    char named[80];
    size_t count, others, cols, wide;
    double *values = values_of(outcome, request, output, &count, &cols), *other = NULL;
    bool holds;

    snprintf(named, sizeof named, "%.*s", of ? (int)(of - other_request) : (int)strlen(output),
             of ? other_request : output);
    if (values)
        other = values_of(outcome, of ? of + 4 : other_request, named, &others, &wide);
    holds = other != NULL;

    if (holds && count != others)
        holds = fails(outcome, "%s has %zu numbers, %s has %zu", output, count, other_request,
                      others);
    for (size_t i = 0; holds && i < count; i++) {
        size_t at = transposed ? i % (count / wide) * wide + i / (count / wide) : i;

        if (memcmp(&values[i], &other[at], sizeof *values) != 0)
            holds = fails(outcome, "%s: number %zu is %.17g, that of %s is %.17g", output, i,
                          values[i], other_request, other[at]);
    }
    free(values);
    free(other);
    return holds;
}

static bool output_equals(const struct outcome *outcome, const char *output)
{
    return values_equal(outcome, output, outcome->row->input, outcome->row->text, false);
}

static bool output_transposes(const struct outcome *outcome, const char *output)
{
    return values_equal(outcome, output, outcome->row->input, outcome->row->text, true);
}

static bool output_equals_in_all_dtypes(const struct outcome *outcome, const char *output)
{
    static const char *const dtypes[] = {"f64", "f32", "f16", "bf16"};
    bool holds = true;

    for (size_t i = 0; i < PE_LEN(dtypes) && holds; i++) {
        char request[1000], other[1000];

        snprintf(request, sizeof request, "%s&dtype=%s", outcome->row->input, dtypes[i]);
        snprintf(other, sizeof other, "%s&dtype=%s", outcome->row->text, dtypes[i]);
        holds = values_equal(outcome, output, request, other, false);
    }
    return holds;
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
        fails(outcome, "the canonical form is %s", canonical);
    free(canonical);
    free(other);
    return holds;
}

static bool fact_is(const struct outcome *outcome, const char *name)
{
    struct pe_plan *plan = plan_of(outcome, outcome->row->input);
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
        fails(outcome, "fact %s: %s", name, why);
    pe_plan_free(plan);
    return holds;
}

static bool warning_is(const struct outcome *outcome, const char *nothing)
{
    struct pe_plan *plan = plan_of(outcome, outcome->row->input);
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
        fails(outcome, "%zu warnings, the first: %s", pe_plan_warning_count(plan), first);
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
        return fails(outcome, "is not refused");
    if (errors->count == 1 && status == first->status &&
        strcmp(core_row_status(status), word) == 0 &&
        strlen(parameter) == (size_t)(blank - row->text) &&
        strncmp(parameter, row->text, strlen(parameter)) == 0 &&
        strstr(first->detail, detail) && strcmp(first->hint, row->hint ? row->hint : "") == 0)
        return true;
    return fails(outcome, "%zu problems, the first: refused %s: %s %s (hint: %s)",
                 errors->count, core_row_status(first->status), parameter, first->detail,
                 first->hint);
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

/* A claim is a name and a relation ("mask digits"), or a kind and its name ("fact pairs"). */
static const struct {
    const char *name, *relation; /* NULL: any, which the check is given; "": none */
    bool (*holds)(const struct outcome *outcome, const char *word);
} kinds[] = {
    {"refused", NULL, refused_for},
    {"canonical", NULL, canonical_is},
    {"fact", NULL, fact_is},
    {"warning", NULL, warning_is},
    {NULL, "digits", output_digits},
    {NULL, "equals", output_equals},
    {NULL, "transposes", output_transposes},
    {NULL, "equals in all dtypes", output_equals_in_all_dtypes},
    {NULL, "", output_prints},
};

bool core_row_holds(const struct row *row, char *why, size_t size)
{
    struct outcome outcome = {row, why, size};
    char name[80];
    const char *relation;
    size_t len;

    why[0] = '\0';
    if (row->malformed)
        return fails(&outcome, "%s", row->malformed);
    if (!strchr(row->input, '?') || strchr(row->input, ' '))
        return fails(&outcome, "a request is ENCODING?QUERY, without blanks");
    len = strcspn(row->claim, " ");
    relation = row->claim + len + (row->claim[len] == ' ');
    snprintf(name, sizeof name, "%.*s", (int)len, row->claim);
    for (size_t i = 0; i < PE_LEN(kinds); i++) {
        if (kinds[i].name && strcmp(kinds[i].name, name) == 0)
            return kinds[i].holds(&outcome, relation);
        if (kinds[i].relation && strcmp(kinds[i].relation, relation) == 0)
            return kinds[i].holds(&outcome, name);
    }
    return fails(&outcome, "\"%s:\" is no expectation", row->claim);
}
