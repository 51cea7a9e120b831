/* SPDX-License-Identifier: Apache-2.0
 * text_row.c - see text_row.h. */
#include "tests/core/support/text_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/args/positions.h"
#include "core/args/segments.h"
#include "core/encoding.h"
#include "core/text/decimal.h"
#include "core/text/float_text.h"
#include "tests/core/support/args_row.h"
#include "tests/core/support/plan_row.h"
#include "tests/support/core_row.h"

enum { MOST = 200 };

/* ---- lists ------------------------------------------------------------------------------- */

/* Writes the only problem as a row has it, and something else where there are several, where
 * the problem is not the list's or where the list was changed. */
static void write_problem(FILE *out, const struct pe_errors *errors, bool unchanged)
{
    const struct pe_problem *problem = &errors->at[0];

    if (errors->count != 1 || strcmp(problem->parameter, "list") != 0)
        fprintf(out, "%zu problems, the first of %s: ", errors->count, problem->parameter);
    if (!unchanged)
        fprintf(out, "changed and ");
    fprintf(out, "refused %s: %s", core_row_status(problem->status), problem->detail);
    if (problem->hint[0])
        fprintf(out, " | %s", problem->hint);
}

static void write_count(FILE *out, const struct pe_positions *pos)
{
    const uint64_t count = pe_positions_count(pos);
    double low, high, first = 0, last = 0;

    fprintf(out, "count: %llu", (unsigned long long)count);
    if (count > 0) {
        first = pe_positions_at(pos, 0);
        last = pe_positions_at(pos, count - 1);
        fprintf(out, " from %.17g to %.17g", first, last);
    }
    pe_positions_range(pos, &low, &high);
    if (low > first || low > last || high < first || high < last || (count == 0 && low != high))
        fprintf(out, ", outside their range %.17g to %.17g", low, high);
}

static void write_positions(FILE *out, const char *text, const char *claim, bool fractions)
{
    struct pe_errors errors = {.count = 0};
    struct pe_positions *const before = (void *)&errors, *pos = before, *again = NULL;
    char canonical[MOST], second[MOST] = "";

    if (positions_parse(&pos, "list", text, strlen(text), fractions, &errors)) {
        write_problem(out, &errors, pos == before);
        return;
    }
    if (strcmp(claim, "count") == 0) {
        write_count(out, pos);
    } else if (positions_print(pos, canonical, MOST) == strlen(canonical)) {
        if (!positions_parse(&again, "list", canonical, strlen(canonical), fractions, &errors))
            positions_print(again, second, MOST);
        fprintf(out, "canonical: %s", canonical);
        if (strcmp(canonical, second) != 0)
            fprintf(out, ", which reads back as %s", second);
    }
    positions_free(pos);
    positions_free(again);
}

static void whole_positions(FILE *out, const char *text, const char *claim)
{
    write_positions(out, text, claim, false);
}

static void real_positions(FILE *out, const char *text, const char *claim)
{
    write_positions(out, text, claim, true);
}

static void positions_twice(FILE *out, const char *text, const char *claim)
{
    struct pe_errors errors = {.count = 0};
    struct pe_positions *pos = NULL;

    for (int i = 0; i < 2; i++)
        positions_parse(&pos, "list", text, strlen(text), false, &errors);
    write_problem(out, &errors, !pos);
}

static void segments(FILE *out, const char *text, const char *claim)
{
    struct pe_errors errors = {.count = 0};
    struct pe_segments list = {0};
    char canonical[MOST], cut[5];

    if (segments_parse(&list, "list", text, strlen(text), &errors)) {
        write_problem(out, &errors, !list.items);
    } else if (strcmp(claim, "count") == 0) {
        fprintf(out, "count: %zu", list.count);
    } else {
        const size_t len = segments_print(&list, canonical, MOST);

        fprintf(out, "canonical: %s", canonical);
        if (len != strlen(canonical) || segments_print(&list, NULL, 0) != len ||
            segments_print(&list, cut, sizeof cut) != len || strlen(cut) != 4 ||
            strncmp(cut, canonical, 4) != 0)
            fprintf(out, ", of another length when it is cut");
    }
    segments_free(&list);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static void number(FILE *out, const char *text, const char *claim)
{
    double value = 7;

    if (number_parse(text, strlen(text), &value))
        fprintf(out, "%.17g", value);
    else
        fprintf(out, value == 7 ? "none" : "none, but it was changed");
}

static void whole(FILE *out, const char *text, const char *claim)
{
    int64_t value = 77;

    if (number_parse_whole(text, strlen(text), &value))
        fprintf(out, "%lld", (long long)value);
    else
        fprintf(out, value == 77 ? "none" : "none, but it was changed");
}

static void print(FILE *out, const char *text, const char *claim)
{
    char printed[NUMBER_TEXT_MAX];
    const size_t len = number_print(printed, strtod(text, NULL));

    fprintf(out, "%s%s", printed, len == strlen(printed) ? "" : ", of another length");
}

static void bound(FILE *out, const char *text, const char *claim)
{
    char printed[FLOAT_TEXT_F64_MAX + 1];

    *float_text_bound(printed, strtod(text, NULL)) = '\0';
    fprintf(out, "%s", printed);
}

static void float64(FILE *out, const char *text, const char *claim)
{
    char printed[FLOAT_TEXT_F64_MAX + 1];

    *float_text_f64(printed, strtod(text, NULL)) = '\0';
    fprintf(out, "%s", printed);
}

static void float32(FILE *out, const char *text, const char *claim)
{
    char printed[FLOAT_TEXT_F32_MAX + 1];

    *float_text_f32(printed, strtof(text, NULL)) = '\0';
    fprintf(out, "%s", printed);
}

/* Prints "DIGITS EXPONENT". */
static void decimal(FILE *out, const char *text, const char *claim)
{
    char printed[MOST], *end;
    struct decimal value = {.digits = strtoull(text, &end, 10)};

    value.exponent = (int)strtol(end, NULL, 10);
    *decimal_write(printed, value) = '\0';
    fprintf(out, "%s", printed);
}

/* ---- words ------------------------------------------------------------------------------- */

static void suggest(FILE *out, const char *text, const char *claim)
{
    static const char *const names[] = {"dim",   "base", "heads",      "pos", "layout",
                                        "scale", "k",    "rotary_dim", "odd", "length_scale"};
    const char *found = pe_suggest(text, strlen(text), names, PE_LEN(names));

    fprintf(out, "%s", found ? found : "none");
}

/* ---- rows -------------------------------------------------------------------------------- */

static const struct function {
    const char *name;
    void (*write)(FILE *out, const char *text, const char *claim);
} functions[] = {
    {"positions", whole_positions},
    {"real", real_positions},
    {"twice", positions_twice},
    {"segments", segments},
    {"number", number},
    {"whole", whole},
    {"print", print},
    {"bound", bound},
    {"float64", float64},
    {"float32", float32},
    {"decimal", decimal},
    {"suggest", suggest},
    {"set", args_row_set},
    {"default", args_row_default},
    {"tensor", plan_row_tensor},
    {"limited", plan_row_limited},
    {"stopped", plan_row_stopped},
    {"stopped-midway", plan_row_stopped_midway},
    {"table", plan_row_table},
    {"empty-rows", plan_row_empty},
};

static const struct function *find_function(const char *input)
{
    const size_t len = strcspn(input, " ");

    for (size_t i = 0; i < PE_LEN(functions); i++)
        if (strlen(functions[i].name) == len && memcmp(functions[i].name, input, len) == 0)
            return &functions[i];
    return NULL;
}

bool text_row_serves(const struct row *row)
{
    return row->input && find_function(row->input);
}

/* True if the result is the problem that the row expects, with the hint that it expects. */
static bool is_refused(const struct row *row, const char *result)
{
    const char *hint = strstr(result, " | ");

    return strncmp(result, row->claim, strlen(row->claim)) == 0 && strstr(result, row->text) &&
           strcmp(hint ? hint + 3 : "", row->hint ? row->hint : "") == 0;
}

bool text_row_holds(const struct row *row, char *why, size_t size)
{
    const char *blank = strchrnul(row->input, ' ');
    char expected[1000], result[1000] = "";
    FILE *out = fmemopen(result, sizeof result, "w");

    find_function(row->input)->write(out, *blank ? blank + 1 : blank, row->claim);
    fclose(out);
    snprintf(why, size, "%s:%d: %s: %s", row->file, row->line, row->input, result);
    if (strncmp(row->claim, "refused ", 8) == 0)
        return is_refused(row, result);
    if (strcmp(row->claim, "=>") == 0)
        return strcmp(result, row->text) == 0;
    snprintf(expected, sizeof expected, "%s: %s", row->claim, row->text);
    return strcmp(result, expected) == 0;
}
