/* SPDX-License-Identifier: Apache-2.0
 * fuzz_float_text.c - the input is floats: their texts read back, by the C library and those of
 * doubles by us, and are not longer than printf needs.
 * Targets: the functions of core/text/float_text_f32.c core/text/float_text_f64.c
 *     proto/text/json_numbers.c core/text/decimal.c */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/text/json_numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Counts the digits of a text without zeros that only hold a place. */
static int count_digits(const char *text)
{
    int count = 0, zeros = 0;

    for (const char *at = text; *at != '\0' && *at != 'e'; at++) {
        if (*at < '0' || *at > '9' || (*at == '0' && count == 0))
            continue;
        zeros = *at == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

static void try_f64(double value)
{
    char text[FLOAT_TEXT_F64_MAX + 2], other[64];
    char *end = float_text_f64(text, value);
    const char *next = NULL;
    double again = NAN;

    assert(end - text <= FLOAT_TEXT_F64_MAX);
    *end = '\0';
    assert(strtod(text, NULL) == value);
    *end = ',';
    assert(json_numbers_f64(text, end + 1, &again, &next) == JSON_NUMBERS_OK);
    assert(again == value && next == end);
    *end = '\0';
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(other, sizeof(other), "%.*e", digits - 1, value);
        if (strtod(other, NULL) == value) {
            assert(count_digits(text) <= digits);
            break;
        }
    }
}

static void try_f32(float value)
{
    char text[FLOAT_TEXT_F32_MAX + 2], other[64];
    char *end = float_text_f32(text, value);

    assert(end - text <= FLOAT_TEXT_F32_MAX);
    *end = '\0';
    assert(strtof(text, NULL) == value);
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(other, sizeof(other), "%.*e", digits - 1, (double)value);
        if (strtof(other, NULL) == value) {
            assert(count_digits(text) <= digits);
            break;
        }
    }
}

/* A text that we read as a number is the number that strtod reads. */
static void try_text(const char *bytes, size_t size)
{
    char text[JSON_NUMBERS_MAX_LEN + 2];
    const char *next = NULL;
    double value = 0;

    if (size > JSON_NUMBERS_MAX_LEN)
        return;
    memcpy(text, bytes, size);
    text[size] = ',';
    if (json_numbers_f64(text, text + size + 1, &value, &next) != JSON_NUMBERS_OK)
        return;
    text[next - text] = '\0';
    assert(strtod(text, NULL) == value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double value = 0;
    float narrow = 0;

    try_text((const char *)data, size);
    for (size_t i = 0; i + sizeof(value) <= size; i += sizeof(value)) {
        memcpy(&value, data + i, sizeof(value));
        if (isfinite(value))
            try_f64(value);
    }
    for (size_t i = 0; i + sizeof(narrow) <= size; i += sizeof(narrow)) {
        memcpy(&narrow, data + i, sizeof(narrow));
        if (isfinite(narrow))
            try_f32(narrow);
    }
    return 0;
}
