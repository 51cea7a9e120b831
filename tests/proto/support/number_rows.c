/* SPDX-License-Identifier: Apache-2.0
 * number_rows.c - rows of decimals (proto_row.h) and the double nearest to each,
 * which is also that of the C library.
 *
 *     number 0.1 => 0x1.999999999999ap-4
 *     number 1e309 => huge                             "huge" is too large for a double
 *     number-length 1.5.2 => 3                         the characters of the number
 *     number 01,
 *         refused: at 1: a number must not start with a zero that other digits follow */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_numbers.h"
#include "tests/proto/support/proto_row.h"

static void write_value(struct buffer *out, enum json_numbers_state state, double value,
                        double expected)
{
    ck_assert_int_eq(state, isinf(expected) ? JSON_NUMBERS_HUGE : JSON_NUMBERS_OK);
    if (state == JSON_NUMBERS_HUGE) {
        buffer_add_text(out, "huge");
        return;
    }
    ck_assert(value == expected && signbit(value) == signbit(expected));
    buffer_add_format(out, "%a", value);
}

static void values(struct buffer *out, const char *input, const struct row *row)
{
    struct buffer text = {0};
    const char *next;
    double value = 1;

    buffer_add_format(&text, "%s,", input);
    const char *end = text.bytes + text.len;
    enum json_numbers_state state = json_numbers_f64(text.bytes, end, &value, &next);
    ck_assert_ptr_eq(next, end - 1);
    write_value(out, state, value, strtod(input, NULL));
    buffer_fini(&text);
}

static void length(struct buffer *out, const char *input, const struct row *row)
{
    const char *next;
    double value;

    ck_assert_int_eq(json_numbers_f64(input, input + strlen(input), &value, &next),
                     JSON_NUMBERS_OK);
    buffer_add_integer(out, (uint64_t)(next - input));
}

static void refused(struct buffer *out, const char *input, const struct row *row)
{
    const char *end = input + strlen(input), *next;
    double value = 7;

    ck_assert_int_eq(json_numbers_f64(input, end, &value, &next), JSON_NUMBERS_BAD);
    ck_assert(value == 7);
    buffer_add_format(out, "at %td: %s", next - input, json_numbers_fault(input, end));
}

const struct proto_row_kind proto_row_numbers[] = {
    {"number", "=>", values},
    {"number", "refused", refused},
    {"number-length", "=>", length},
    {NULL, NULL, NULL},
};
