/* SPDX-License-Identifier: Apache-2.0
 * args_parse.h - reads one value into one field: text, a number or an array, by the type of the
 * parameter's row, with the error that says what would be right. proto's options use it too. */
#pragma once

#include <string.h>

#include "core/posenc.h"

/* True when text[0..len) is the word; most words differ in their first letter already. */
static inline bool args_parse_is(const char *word, const char *text, size_t len)
{
    return len > 0 && *word == *text && strlen(word) == len && memcmp(word, text, len) == 0;
}

/* True when the row's numbers are taken exactly or refused: whole ones, positions, and those
 * with a bound at 2^53, of which a double may be a neighbour. Other rows take the nearest
 * double. */
static inline bool args_parse_is_exact(const struct pe_param *p)
{
    return p->type == PE_INT || p->type == PE_POSITIONS ||
           ((p->type == PE_REAL || p->type == PE_REALS) &&
            (p->multiple_of == 1 || p->max == 0x1p53));
}

/* Parses text into *field, whose C type posenc.h names beside p->type. Memory that the field
 * owns is freed first; a field that was never set must be zero. Empty text is refused. A
 * PE_CHOICE must have .choices; a PE_TENSOR takes no text. On failure a problem that is named
 * p->name is added to *errors, and the field is absent or as it was. */
enum pe_status pe_parse_text(const struct pe_param *p, void *field, const char *text,
                             size_t len, struct pe_errors *errors);
/* Frees what the field owns (PE_REALS, PE_POSITIONS, PE_SEGMENTS) and makes it absent. */
void pe_parse_drop(const struct pe_param *p, void *field);
/* Parses a value of any form as pe_parse_text does; a tensor fits PE_TENSOR alone. */
enum pe_status pe_parse(const struct pe_param *p, void *field, const struct pe_given *given,
                        struct pe_errors *errors);
