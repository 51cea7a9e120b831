/* SPDX-License-Identifier: Apache-2.0
 * formula_token.h - the formula of an encoding, which is plain text with words between its
 * mathematics, read as tokens. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

enum formula_kind {
    FORMULA_SPACE,
    FORMULA_TEXT, /* a word, or punctuation between words */
    FORMULA_NAME,
    FORMULA_NUMBER,
    FORMULA_ROOT, /* of the number behind "sqrt ", or of the term in brackets */
    FORMULA_OPERATOR,
    FORMULA_COMMA,
    FORMULA_OPEN, /* a bracket, or the bar at the start of |x| */
    FORMULA_CLOSE,
};

/* A token: `len` bytes at `at`, then an index of `below` bytes, "_i" or "_(k mod m)", and an
 * exponent of `above` bytes, "^2" or "^(-2i/r)"; 0: it has none. */
struct formula_token {
    enum formula_kind kind;
    const char *at;
    size_t len, below, above;
    const char *symbol; /* of an operator, a bracket or a Greek letter; NULL: the text itself */
    const struct pe_param *param; /* that the name is of; NULL: of none that has a row */
};

/* A formula, or a line of it. */
struct formula_text {
    const struct pe_encoding *enc;
    const char *begin, *end;
};

/* Returns the token that begins at `at`, before the end of the text. */
struct formula_token formula_token_at(const struct formula_text *text, const char *at);
/* Returns the first byte behind the token, its index and its exponent. */
const char *formula_token_end(const struct formula_token *token);
/* Returns whether a value can end, or begin, with the token: 2, x_i, ")". */
bool formula_token_ends_value(const struct formula_token *token);
bool formula_token_begins_value(const struct formula_token *token);
