/* SPDX-License-Identifier: Apache-2.0
 * core_row_numbers.c - checks whether the numbers of an output are those of a row. */
#include "tests/support/core_row_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"

/* Returns the doubles of the output, which the caller frees, and its shape; NULL, with the
 * reason written. */
static double *values_of(const struct outcome *outcome, const char *request, const char *output,
                         size_t *count, size_t *cols)
{
    struct pe_plan *plan = core_row_plan(outcome, request);
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
        core_row_fails(outcome, "%s has no output %s", request, output);
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
        core_row_fails(outcome, "%s: %s", output, why);
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
            core_row_fails(outcome, "%s is %s, expected %s", output, text, outcome->row->text);
    free(text);
    free(values);
    return holds;
}

/* ---- relations to another output --------------------------------------------------------- */

/* Two outputs: their numbers, how many they are, and how many stand in a row. */
struct pair {
    double *values, *other;
    const char *request; /* that of the other */
    size_t count, others, cols, wide;
};

/* Reads both; other_request may begin with the name of its output: "rows of
 * sinusoidal?pos=1&dim=8". False, with the reason written. */
static bool read_pair(const struct outcome *outcome, const char *output, const char *request,
                      const char *other_request, struct pair *pair)
{
    const char *of = strstr(other_request, " of ");
    char named[80];

    snprintf(named, sizeof named, "%.*s", of ? (int)(of - other_request) : (int)strlen(output),
             of ? other_request : output);
    pair->other = NULL;
    pair->request = other_request;
    pair->values = values_of(outcome, request, output, &pair->count, &pair->cols);
    if (pair->values)
        pair->other =
            values_of(outcome, of ? of + 4 : other_request, named, &pair->others, &pair->wide);
    return pair->other != NULL;
}

static void pair_free(struct pair *pair)
{
    free(pair->values);
    free(pair->other);
}

/* Whether both have as many numbers. */
static bool counts_agree(const struct outcome *outcome, const char *output,
                         const struct pair *pair)
{
    return pair->count == pair->others ||
           core_row_fails(outcome, "%s has %zu numbers, the other output %zu", output,
                          pair->count, pair->others);
}

/* Returns which number of the other output number i must equal, bit for bit. */
typedef size_t place_of(const struct pair *pair, size_t i);

static size_t same_place(const struct pair *pair, size_t i)
{
    return i;
}

static size_t transposed_place(const struct pair *pair, size_t i)
{
    const size_t rows = pair->count / pair->wide;

    return i % rows * pair->wide + i / rows;
}

/* The other output has for each head the diagonals of the matrix, element k - j + i of row i
 * and column j. */
static size_t diagonal_place(const struct pair *pair, size_t i)
{
    const size_t rows = pair->wide + 1 - pair->cols, row = i / pair->cols;

    return row / rows * pair->wide + row % rows + pair->cols - 1 - i % pair->cols;
}

static bool numbers_equal(const struct outcome *outcome, const char *output,
                          const struct pair *pair, size_t count, place_of *place)
{
    for (size_t i = 0; i < count; i++) {
        const double value = pair->values[i], other = pair->other[place(pair, i)];

        if (memcmp(&value, &other, sizeof value) != 0)
            return core_row_fails(outcome, "%s: number %zu is %.17g, that of %s is %.17g",
                                  output, i, value, pair->request, other);
    }
    return true;
}

static bool equals_at(const struct outcome *outcome, const char *output, const char *request,
                      const char *other_request, place_of *place)
{
    struct pair pair;
    bool holds = read_pair(outcome, output, request, other_request, &pair);

    if (holds && place == diagonal_place)
        holds = (pair.wide + 1 > pair.cols && pair.count / pair.cols * pair.wide ==
                                                  pair.others * (pair.wide + 1 - pair.cols)) ||
                core_row_fails(outcome, "%s has not the shape of those diagonals", output);
    else if (holds)
        holds = counts_agree(outcome, output, &pair);
    holds = holds && numbers_equal(outcome, output, &pair, pair.count, place);
    pair_free(&pair);
    return holds;
}

static bool output_equals(const struct outcome *outcome, const char *output)
{
    return equals_at(outcome, output, outcome->row->input, outcome->row->text, same_place);
}

static bool output_transposes(const struct outcome *outcome, const char *output)
{
    return equals_at(outcome, output, outcome->row->input, outcome->row->text,
                     transposed_place);
}

static bool output_has_diagonals(const struct outcome *outcome, const char *output)
{
    return equals_at(outcome, output, outcome->row->input, outcome->row->text, diagonal_place);
}

static bool output_equals_in_all_dtypes(const struct outcome *outcome, const char *output)
{
    static const char *const dtypes[] = {"f64", "f32", "f16", "bf16"};
    bool holds = true;

    for (size_t i = 0; i < PE_LEN(dtypes) && holds; i++) {
        char request[1000], other[1000];

        snprintf(request, sizeof request, "%s&dtype=%s", outcome->row->input, dtypes[i]);
        snprintf(other, sizeof other, "%s&dtype=%s", outcome->row->text, dtypes[i]);
        holds = equals_at(outcome, output, request, other, same_place);
    }
    return holds;
}

static bool output_begins(const struct outcome *outcome, const char *output)
{
    struct pair pair;
    bool holds = read_pair(outcome, output, outcome->row->input, outcome->row->text, &pair);

    if (holds && pair.others > pair.count)
        holds = core_row_fails(outcome, "%s has %zu numbers, the other output %zu", output,
                               pair.count, pair.others);
    holds = holds && numbers_equal(outcome, output, &pair, pair.others, same_place);
    pair_free(&pair);
    return holds;
}

static double sum(double a, double b)
{
    return a + b;
}

static double ratio(double a, double b)
{
    return a / b;
}

/* Checks that each pair of numbers makes the number of the row's text, "NUMBER with OTHER". */
static bool pairs_make(const struct outcome *outcome, const char *output,
                       double (*make)(double a, double b))
{
    const char *with = strstr(outcome->row->text, " with ");
    char number[40], why[200];
    struct pair pair;
    bool holds;

    if (!with)
        return core_row_fails(outcome, "a number comes first: NUMBER with OTHER");
    snprintf(number, sizeof number, "%.*s", (int)(with - outcome->row->text),
             outcome->row->text);
    holds = read_pair(outcome, output, outcome->row->input, with + 6, &pair) &&
            counts_agree(outcome, output, &pair);
    for (size_t i = 0; holds && i < pair.count; i++) {
        const double made = make(pair.values[i], pair.other[i]);

        holds = core_query_holds(&made, 1, number, why, sizeof why) ||
                core_row_fails(outcome, "%s: number %zu: %s", output, i, why);
    }
    pair_free(&pair);
    return holds;
}

static bool output_adds_up(const struct outcome *outcome, const char *output)
{
    return pairs_make(outcome, output, sum);
}

static bool output_is_a_multiple(const struct outcome *outcome, const char *output)
{
    return pairs_make(outcome, output, ratio);
}

/* ---- laws of one output ------------------------------------------------------------------ */

static bool rising(const double *values, size_t count, size_t i)
{
    return i == 0 || values[i] > values[i - 1];
}

static bool never_falling(const double *values, size_t count, size_t i)
{
    return i == 0 || values[i] >= values[i - 1];
}

static bool odd(const double *values, size_t count, size_t i)
{
    return values[i] == -values[count - 1 - i];
}

static bool even(const double *values, size_t count, size_t i)
{
    return values[i] == values[count - 1 - i];
}

static const struct {
    const char *name;
    bool (*holds)(const double *values, size_t count, size_t i);
} laws[] = {{"rising", rising}, {"never falling", never_falling}, {"odd", odd}, {"even", even}};

static bool law_holds(const struct outcome *outcome, const char *output, const char *law,
                      size_t len, const double *values, size_t count)
{
    size_t number = 0;

    while (number < PE_LEN(laws) &&
           (strlen(laws[number].name) != len || strncmp(laws[number].name, law, len) != 0))
        number++;
    if (number == PE_LEN(laws))
        return core_row_fails(outcome, "\"%s\" is no law", law);
    for (size_t i = 0; i < count; i++)
        if (!laws[number].holds(values, count, i))
            return core_row_fails(outcome, "%s is not %s: number %zu is %.17g", output,
                                  laws[number].name, i, values[i]);
    return count > 1 || core_row_fails(outcome, "%s has too few numbers for a law", output);
}

static bool output_is(const struct outcome *outcome, const char *output)
{
    size_t count, cols;
    double *values = values_of(outcome, outcome->row->input, output, &count, &cols);
    bool holds = values != NULL;

    for (const char *law = outcome->row->text; holds && *law; law += strspn(law, ", ")) {
        const size_t len = strcspn(law, ",");

        holds = law_holds(outcome, output, law, len, values, count);
        law += len;
    }
    free(values);
    return holds;
}

static bool output_is_within(const struct outcome *outcome, const char *output)
{
    size_t count, cols;
    double *values = values_of(outcome, outcome->row->input, output, &count, &cols), low, high;
    bool holds = values != NULL;

    if (holds && sscanf(outcome->row->text, "%lf %lf", &low, &high) != 2)
        holds = core_row_fails(outcome, "two numbers say a range: LOW HIGH");
    if (holds && count == 0)
        holds = core_row_fails(outcome, "%s has no number", output);
    for (size_t i = 0; holds && i < count; i++)
        holds = (values[i] >= low && values[i] <= high) ||
                core_row_fails(outcome, "%s: number %zu is %.17g", output, i, values[i]);
    free(values);
    return holds;
}

static const struct {
    const char *name;
    bool (*holds)(const struct outcome *outcome, const char *output);
} relations[] = {
    {"", output_prints},
    {"digits", output_digits},
    {"equals", output_equals},
    {"equals in all dtypes", output_equals_in_all_dtypes},
    {"transposes", output_transposes},
    {"has the diagonals of", output_has_diagonals},
    {"begins", output_begins},
    {"adds up", output_adds_up},
    {"is a multiple", output_is_a_multiple},
    {"is", output_is},
    {"is within", output_is_within},
};

bool core_row_numbers(const struct outcome *outcome, const char *output, const char *relation)
{
    for (size_t i = 0; i < PE_LEN(relations); i++)
        if (strcmp(relations[i].name, relation) == 0)
            return relations[i].holds(outcome, output);
    return core_row_fails(outcome, "\"%s:\" is no expectation", outcome->row->claim);
}
