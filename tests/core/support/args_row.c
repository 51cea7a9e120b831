/* SPDX-License-Identifier: Apache-2.0
 * args_row.c - see args_row.h. */
#include "tests/core/support/args_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/positions.h"
#include "tests/support/core_row.h"
#include "tests/support/core_sample.h"

enum { MOST = 40 }; /* numbers of a list */

/* ---- fields ------------------------------------------------------------------------------ */

static void write_reals(FILE *out, const struct pe_reals *reals)
{
    fprintf(out, "[");
    for (size_t i = 0; i < reals->rows * reals->cols; i++)
        fprintf(out, "%s%.17g",
                i == 0                 ? ""
                : i % reals->cols == 0 ? ";"
                                       : ",",
                reals->values[i]);
    fprintf(out, "]");
}

static void write_tensor(FILE *out, const struct pe_tensor *tensor)
{
    fprintf(out, "%s[", tensor->rank > 0 ? pe_dtype_name(tensor->dtype) : "");
    for (size_t i = 0; i < tensor->rank; i++)
        fprintf(out, "%s%llu", i == 0 ? "" : ",", (unsigned long long)tensor->dims[i]);
    fprintf(out, "]");
}

static void write_positions(FILE *out, const struct pe_positions *positions)
{
    char text[200] = "absent";

    if (positions)
        positions_print(positions, text, sizeof text);
    fprintf(out, "%s", text);
}

static void write_int(FILE *out, int64_t number)
{
    if (number == PE_ABSENT_INT)
        fprintf(out, "absent");
    else
        fprintf(out, "%lld", (long long)number);
}

static void write_field(FILE *out, const struct pe_args *args, const struct pe_param *param)
{
    const void *field = (const char *)pe_args_struct(args) + param->offset;

    if (param->type == PE_INT)
        write_int(out, *(const int64_t *)field);
    else if (param->type == PE_REAL)
        fprintf(out, "%.17g", *(const double *)field);
    else if (param->type == PE_BOOL)
        fprintf(out, "%s", *(const bool *)field ? "true" : "false");
    else if (param->type == PE_CHOICE)
        fprintf(out, "%d", *(const int *)field);
    else if (param->type == PE_POSITIONS)
        write_positions(out, *(const struct pe_positions *const *)field);
    else if (param->type == PE_REALS)
        write_reals(out, field);
    else if (param->type == PE_TENSOR)
        write_tensor(out, field);
    else
        fprintf(out, "%lldx%lld", (long long)((const struct pe_grid *)field)->height,
                (long long)((const struct pe_grid *)field)->width);
}

void args_row_default(FILE *out, const char *text, const char *claim)
{
    struct pe_args *args = pe_args_new(&core_sample);

    write_field(out, args, pe_param_find(&core_sample, text, strlen(text)));
    pe_args_free(args);
}

/* ---- values ------------------------------------------------------------------------------ */

/* Gives the list of "[1,2;3,4]"; "[]" is a list of nothing, "[0x0]" a matrix without rows. The
 * numbers are changed afterwards, since the arguments have copied them. */
static enum pe_status set_reals(struct pe_args *args, const char *name, size_t len,
                                const char *text, struct pe_errors *errors)
{
    double values[MOST] = {0};
    size_t rows = strncmp(text, "[0x0", 4) != 0, count = 0;
    enum pe_status status;

    while (rows > 0 && *text != ']' && text[1] != ']') {
        char *end;

        rows += *text == ';';
        values[count++] = strtod(text + 1, &end);
        text = end;
    }
    status =
        pe_args_set_reals(args, name, len, values, rows, rows > 0 ? count / rows : 0, errors);
    for (size_t i = 0; i < MOST; i++)
        values[i] = 77;
    return status;
}

/* Gives the dtype and shape of "f16[3,4]"; "f16[]" is a scalar. */
static enum pe_status set_tensor(struct pe_args *args, const char *name, size_t len,
                                 const char *text, struct pe_errors *errors)
{
    const char *at = strchr(text, '[');
    struct pe_tensor tensor = {.rank = 0};

    if (!pe_dtype_find(text, (size_t)(at - text), &tensor.dtype))
        abort();
    while (*at != ']' && at[1] != ']') {
        char *end;

        tensor.dims[tensor.rank++] = strtoull(at + 1, &end, 10);
        at = end;
    }
    return pe_args_set_tensor(args, name, len, &tensor, errors);
}

/* Gives a number, true or false, a list or a tensor. */
static enum pe_status set_value(struct pe_args *args, const char *name, size_t len,
                                const char *text, struct pe_errors *errors)
{
    if (text[0] == '[')
        return set_reals(args, name, len, text, errors);
    if (text[strcspn(text, "[ ")] == '[')
        return set_tensor(args, name, len, text, errors);
    if (strncmp(text, "true", 4) == 0 || strncmp(text, "false", 5) == 0)
        return pe_args_set_bool(args, name, len, text[0] == 't', errors);
    return pe_args_set_number(args, name, len, strtod(text, NULL), errors);
}

static void write_problem(FILE *out, const struct pe_problem *problem)
{
    fprintf(out, "%s %s %s%s%s", problem->parameter, core_row_status(problem->status),
            problem->detail, problem->hint[0] ? " / " : "", problem->hint);
}

void args_row_set(FILE *out, const char *text, const char *claim)
{
    struct pe_args *args = pe_args_new(&core_sample);

    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        const size_t len = strcspn(at, "=");
        struct pe_errors errors = {.count = 0};
        const enum pe_status status = set_value(args, at, len, at + len + 1, &errors);

        end = strchrnul(at, ' ');
        fprintf(out, "%s", at == text ? "" : " | ");
        if (status != (errors.count > 0 ? errors.at[0].status : PE_OK) || errors.count > 1)
            fprintf(out, "%s but %zu problems: ", core_row_status(status), errors.count);
        if (errors.count > 0) {
            write_problem(out, &errors.at[0]);
        } else {
            fprintf(out, "%.*s=", (int)len, at);
            write_field(out, args, pe_param_find(&core_sample, at, len));
        }
    }
    pe_args_free(args);
}
