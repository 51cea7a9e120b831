/* SPDX-License-Identifier: Apache-2.0
 * args_parse.c - see args_parse.h. Only this file says what a single value should have been. */
#include "core/args/args_parse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/args/positions.h"
#include "core/args/segments.h"
#include "core/encoding.h"
#include "core/text/float_text.h"
#include "core/text/whole_text.h"

enum { SENTENCE_MAX = 200, ECHO_MAX = 40 };

/* ---- what would be right ------------------------------------------------------------ */

/* Writes what p takes: "an even number, 2..65536", "a number, above 0..1e18", "one of a, b". */
static void describe(const struct pe_param *p, char *text, size_t size)
{
    char low[NUMBER_TEXT_MAX] = "", high[NUMBER_TEXT_MAX] = "";
    size_t len = 0;

    if (p->type == PE_INT || p->type == PE_REAL || p->type == PE_REALS) {
        *float_text_bound(low, p->min) = '\0';
        *float_text_bound(high, p->max) = '\0';
    }
    switch (p->type) {
    case PE_INT:
        len = (size_t)snprintf(text, size, "%s number, %s..%s",
                               p->multiple_of == 2 ? "an even" : "a whole", low, high);
        if (p->multiple_of > 2)
            snprintf(text + len, size - len, ", a multiple of %lld", (long long)p->multiple_of);
        break;
    case PE_REAL:
        len = (size_t)snprintf(text, size, "a number, %s%s..%s", p->above_min ? "above " : "",
                               low, high);
        for (const struct pe_word *w = p->words; w && w->word && len < size; w++)
            len += (size_t)snprintf(text + len, size - len, ", or %s", w->word);
        break;
    case PE_BOOL:
        snprintf(text, size, "0, 1, true or false");
        break;
    case PE_CHOICE:
        len = (size_t)snprintf(text, size, "one of");
        for (const struct pe_choice *c = p->choices; c->name && len < size; c++)
            len += (size_t)snprintf(text + len, size - len, "%s %s", c == p->choices ? "" : ",",
                                    c->name);
        break;
    case PE_REALS:
        snprintf(text, size,
                 p->matrix && p->multiple_of == 1
                     ? "rows of whole numbers %s..%s, such as 0,1,1;1,1,1"
                 : p->matrix           ? "rows of numbers %s..%s, such as 0,1,1;1,1,1"
                 : p->multiple_of == 1 ? "whole numbers %s..%s, such as 8,128"
                                       : "numbers %s..%s, such as 1,2.5",
                 low, high);
        break;
    case PE_POSITIONS:
        snprintf(text, size, "positions such as 0:128 or 5,9,12");
        break;
    case PE_GRID:
        snprintf(text, size, "a grid HEIGHTxWIDTH, such as 14x14");
        break;
    case PE_TENSOR:
        snprintf(
            text, size,
            p->table
                ? "rows of numbers such as 1,2;3,5, a tensor in the body, or a table's name"
                : "numbers such as 1,0,0,1, or a tensor in the body");
        break;
    case PE_SEGMENTS:
        snprintf(text, size, "segments such as text:3,image:1x4x6,video:4x4x6@0.5,audio:100");
        break;
    }
}

static enum pe_status refuse(const struct pe_param *p, enum pe_status status, const char *got,
                             size_t len, struct pe_errors *errors)
{
    char right[SENTENCE_MAX];

    describe(p, right, sizeof right);
    return pe_fail(errors, status, p->name, "must be %s; got %.*s%s", right,
                   (int)(len < ECHO_MAX ? len : ECHO_MAX), got, len > ECHO_MAX ? "..." : "");
}

static enum pe_status refuse_number(const struct pe_param *p, enum pe_status status,
                                    double number, struct pe_errors *errors)
{
    char got[NUMBER_TEXT_MAX] = "a number that is not finite";
    size_t len = isfinite(number) ? number_print(got, number) : strlen(got);

    return refuse(p, status, got, len, errors);
}

static enum pe_status no_memory(const struct pe_param *p, struct pe_errors *errors)
{
    return pe_fail(errors, PE_NO_MEMORY, p->name, "out of memory");
}

/* ---- by type ---------------------------------------------------------------------------- */

static bool in_range(const struct pe_param *p, double number)
{
    return isfinite(number) && number <= p->max &&
           (p->above_min ? number > p->min : number >= p->min);
}

static enum pe_status put_number(const struct pe_param *p, void *field, double number,
                                 struct pe_errors *errors)
{
    if (p->type == PE_INT) {
        if (!isfinite(number) || number != trunc(number))
            return refuse_number(p, PE_BAD_VALUE, number, errors);
        if (!in_range(p, number) ||
            (p->multiple_of > 1 && (int64_t)number % p->multiple_of != 0))
            return refuse_number(p, PE_OUT_OF_RANGE, number, errors);
        *(int64_t *)field = (int64_t)number;
        return PE_OK;
    }
    assert(p->type == PE_REAL);
    if (!in_range(p, number))
        return refuse_number(p, PE_OUT_OF_RANGE, number, errors);
    *(double *)field = number + 0.0; /* -0 becomes 0 */
    return PE_OK;
}

static enum pe_status put_number_text(const struct pe_param *p, void *field, const char *text,
                                      size_t len, struct pe_errors *errors)
{
    double number;

    for (const struct pe_word *w = p->words; w && w->word; w++) {
        if (args_parse_is(w->word, text, len)) {
            *(double *)field = w->value;
            return PE_OK;
        }
    }
    if (!number_parse(text, len, &number))
        return refuse(p, PE_BAD_VALUE, text, len, errors);
    if (args_parse_is_exact(p) && !whole_text_is_exact(text, len, number))
        return refuse(p, PE_OUT_OF_RANGE, text, len, errors);
    return put_number(p, field, number, errors);
}

static bool spells_choice(const struct pe_choice *choice, const char *text, size_t len)
{
    if (args_parse_is(choice->name, text, len))
        return true;
    for (const char *const *alias = choice->aliases; alias && *alias; alias++)
        if (args_parse_is(*alias, text, len))
            return true;
    return false;
}

static enum pe_status put_choice(const struct pe_param *p, void *field, const char *text,
                                 size_t len, struct pe_errors *errors)
{
    const char *names[64], *near;
    size_t count = 0;
    enum pe_status status;

    for (const struct pe_choice *c = p->choices; c->name; c++, count++) {
        if (spells_choice(c, text, len)) {
            *(int *)field = (int)(c - p->choices);
            return PE_OK;
        }
        assert(count < PE_LEN(names));
        names[count] = c->name;
    }
    status = refuse(p, PE_BAD_VALUE, text, len, errors);
    near = pe_suggest(text, len, names, count);
    if (near)
        pe_hint(errors, "did you mean %s?", near);
    return status;
}

static enum pe_status put_bool(const struct pe_param *p, void *field, const char *text,
                               size_t len, struct pe_errors *errors)
{
    bool yes = args_parse_is("1", text, len) || args_parse_is("true", text, len);

    if (!yes && !args_parse_is("0", text, len) && !args_parse_is("false", text, len))
        return refuse(p, PE_BAD_VALUE, text, len, errors);
    *(bool *)field = yes;
    return PE_OK;
}

static enum pe_status put_reals(const struct pe_param *p, void *field, const double *values,
                                size_t rows, size_t cols, struct pe_errors *errors)
{
    size_t count = rows * cols; /* rows * cols numbers are in memory: no overflow */
    double *copy;

    if (!p->matrix && rows > 1)
        return pe_fail(errors, PE_BAD_VALUE, p->name,
                       "must be one list of numbers; got %zu rows", rows);
    if (count == 0) /* an empty list is refused: to leave a list out, the client does not give
                     * it */
        return refuse(p, PE_BAD_VALUE, "nothing", strlen("nothing"), errors);
    for (size_t i = 0; i < count; i++) {
        if (!in_range(p, values[i]))
            return refuse_number(p, PE_OUT_OF_RANGE, values[i], errors);
        if (p->multiple_of == 1 && values[i] != trunc(values[i]))
            return refuse_number(p, PE_BAD_VALUE, values[i], errors);
    }
    copy = malloc(count * sizeof *copy);
    if (!copy)
        return no_memory(p, errors);
    for (size_t i = 0; i < count; i++)
        copy[i] = values[i] + 0.0;
    *(struct pe_reals *)field = (struct pe_reals){copy, rows, cols};
    return PE_OK;
}

/* Parses "1,2;3,4": numbers joined by commas, rows by semicolons; all rows have the same
 * length. */
static enum pe_status put_reals_text(const struct pe_param *p, void *field, const char *text,
                                     size_t len, struct pe_errors *errors)
{
    double *values = malloc((len / 2 + 1) * sizeof *values);
    size_t count = 0, rows = 1, cols = 0, start = 0;
    enum pe_status status = PE_OK;

    if (!values)
        return no_memory(p, errors);
    for (size_t at = 0; at <= len && !status; at++) {
        char mark = at < len ? text[at] : ';';

        if (mark != ',' && mark != ';')
            continue;
        if (!number_parse(text + start, at - start, &values[count++]))
            status = refuse(p, PE_BAD_VALUE, text, len, errors);
        else if (args_parse_is_exact(p) &&
                 !whole_text_is_exact(text + start, at - start, values[count - 1]))
            status = refuse(p, PE_OUT_OF_RANGE, text + start, at - start, errors);
        start = at + 1;
        if (mark != ';' || status)
            continue;
        cols = cols ? cols : count;
        if (count != rows * cols)
            status =
                pe_fail(errors, PE_BAD_VALUE, p->name,
                        "must have rows of one length; row %zu differs from the first", rows);
        rows += at < len;
    }
    if (!status)
        status = put_reals(p, field, values, rows, cols, errors);
    free(values);
    return status;
}

static bool is_side(int64_t side)
{
    return side >= 1 && side <= 65536;
}

static enum pe_status put_grid(const struct pe_param *p, void *field, const char *text,
                               size_t len, struct pe_errors *errors)
{
    const char *cross = memchr(text, 'x', len);
    size_t head = cross ? (size_t)(cross - text) : 0;
    struct pe_grid grid;

    if (!cross || !number_parse_whole(text, head, &grid.height) ||
        !number_parse_whole(cross + 1, len - head - 1, &grid.width)) {
        refuse(p, PE_BAD_VALUE, text, len, errors);
        if (!cross && number_parse_whole(text, len, &grid.height) && is_side(grid.height))
            pe_hint(errors, "a square is %lldx%lld", (long long)grid.height,
                    (long long)grid.height);
        return PE_BAD_VALUE;
    }
    if (!is_side(grid.height) || !is_side(grid.width))
        return pe_fail(errors, PE_OUT_OF_RANGE, p->name,
                       "must have sides of 1..65536; got %.*s",
                       (int)(len < ECHO_MAX ? len : ECHO_MAX), text);
    *(struct pe_grid *)field = grid;
    return PE_OK;
}

void pe_parse_drop(const struct pe_param *p, void *field)
{
    struct pe_reals *reals = field;
    struct pe_positions **positions = field;

    if (p->type == PE_REALS) {
        free((void *)(uintptr_t)reals->values);
        *reals = (struct pe_reals){0};
    } else if (p->type == PE_POSITIONS) {
        positions_free(*positions);
        *positions = NULL;
    } else if (p->type == PE_SEGMENTS) {
        segments_free(field);
    }
}

enum pe_status pe_parse_text(const struct pe_param *p, void *field, const char *text,
                             size_t len, struct pe_errors *errors)
{
    enum pe_status status = PE_OK;
    struct pe_positions *pos = NULL;

    if (len == 0)
        return refuse(p, PE_BAD_VALUE, "nothing", strlen("nothing"), errors);
    pe_parse_drop(p, field);
    switch (p->type) {
    case PE_INT:
    case PE_REAL:
        return put_number_text(p, field, text, len, errors);
    case PE_BOOL:
        return put_bool(p, field, text, len, errors);
    case PE_CHOICE:
        return put_choice(p, field, text, len, errors);
    case PE_REALS:
        return put_reals_text(p, field, text, len, errors);
    case PE_POSITIONS:
        status = positions_parse(&pos, p->name, text, len, p->fractions, errors);
        if (!status)
            *(struct pe_positions **)field = pos;
        return status;
    case PE_GRID:
        return put_grid(p, field, text, len, errors);
    case PE_TENSOR:
        return refuse(p, PE_BAD_VALUE, text, len, errors);
    case PE_SEGMENTS:
        return segments_parse(field, p->name, text, len, errors);
    }
    return status;
}

/* Parses an array of numbers into a PE_REALS or PE_POSITIONS field. */
static enum pe_status put_array(const struct pe_param *p, void *field,
                                const struct pe_given *given, struct pe_errors *errors)
{
    struct pe_positions *pos;

    if (p->type == PE_REALS) {
        pe_parse_drop(p, field);
        return put_reals(p, field, given->values, given->rows, given->cols, errors);
    }
    if (p->type != PE_POSITIONS || given->rows > 1)
        return refuse(p, PE_BAD_VALUE, "an array", strlen("an array"), errors);
    enum pe_status status =
        positions_from_array(&pos, p->name, given->values, given->cols, p->fractions, errors);
    if (!status) {
        pe_parse_drop(p, field);
        *(struct pe_positions **)field = pos;
    }
    return status;
}

enum pe_status pe_parse(const struct pe_param *p, void *field, const struct pe_given *given,
                        struct pe_errors *errors)
{
    char number[NUMBER_TEXT_MAX] = "a number that is not finite";

    switch (given->kind) {
    case PE_GIVEN_TEXT:
        return pe_parse_text(p, field, given->text, given->len, errors);
    case PE_GIVEN_NUMBER:
        if (p->type == PE_INT || p->type == PE_REAL)
            return put_number(p, field, given->number, errors);
        if (isfinite(given->number))
            number_print(number, given->number);
        return pe_parse_text(p, field, number, strlen(number), errors);
    case PE_GIVEN_REALS:
        return put_array(p, field, given, errors);
    case PE_GIVEN_TENSOR:
        break;
    }
    if (p->type != PE_TENSOR)
        return pe_fail(errors, PE_BAD_VALUE, p->name, "takes no tensor");
    if (given->tensor->rank == 0)
        return pe_fail(errors, PE_BAD_VALUE, p->name,
                       "must have an axis at least; got a scalar");
    *(struct pe_tensor *)field = *given->tensor;
    return PE_OK;
}
