/* SPDX-License-Identifier: Apache-2.0
 * formula_math.c - see formula_math.h. What the place of an element says, as the brackets of
 * an exponent, stays in the text: <mtext class="plain">, which a stylesheet hides. */
#include "proto/pages/formula_math.h"

#include <string.h>

#include "proto/pages/html.h"

/* The formula that is written, the parameter whose name is marked in it, and the buffer that
 * the MathML goes to. */
struct row {
    struct buffer *out;
    const struct formula_text *text;
    const struct pe_param *marked;
};

static void add_span(const struct row *row, const char *begin, const char *end);

static void add_plain(const struct row *row, const char *text, size_t len)
{
    if (len > 0)
        html_add(row->out, "<mtext class=\"plain\">%.*s</mtext>", (int)len, text);
}

static void add_symbol(const struct row *row, const struct formula_token *token)
{
    if (token->symbol)
        html_add(row->out, "%s", token->symbol);
    else
        html_add(row->out, "%.*s", (int)token->len, token->at);
}

/* ---- tokens without index and exponent ----------------------------------------------- */

static void add_name(const struct row *row, const struct formula_token *token)
{
    const bool is_letter = token->len == 1 || token->symbol;

    buffer_add_text(row->out, is_letter ? "<mi" : "<mi mathvariant=\"normal\"");
    buffer_add_text(row->out,
                    token->param && token->param == row->marked ? " class=\"param\">" : ">");
    add_symbol(row, token);
    buffer_add_text(row->out, "</mi>");
}

/* A sign before a value has no space behind it, as -1. */
static bool is_prefix(const struct row *row, const struct formula_token *token,
                      const struct formula_token *previous)
{
    const bool has_space = token->at > row->text->begin && token->at[-1] == ' ';

    if (token->kind != FORMULA_OPERATOR || token->at[token->len] == ' ')
        return false;
    return has_space || !previous || !formula_token_ends_value(previous);
}

/* Writes an operator with as much space as the text has; where a line begins with it, the
 * space before it is the text's. previous: the token before it, NULL if there is none. */
static void add_operator(const struct row *row, const struct formula_token *token,
                         const struct formula_token *previous)
{
    if (is_prefix(row, token, previous))
        buffer_add_text(row->out, "<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">");
    else if (token->at[token->len] != ' ')
        buffer_add_text(row->out, "<mo lspace=\"0\" rspace=\"0\">");
    else if (!previous)
        buffer_add_text(row->out, "<mo form=\"infix\" lspace=\"0\" rspace=\"0.25em\">");
    else if (*token->at == '|')
        buffer_add_text(row->out, "<mo lspace=\"0.25em\" rspace=\"0.25em\">");
    else
        buffer_add_text(row->out, "<mo>");
    add_symbol(row, token);
    buffer_add_text(row->out, "</mo>");
}

static void add_root(const struct row *row, const struct formula_token *token)
{
    const size_t head = strlen("sqrt "); /* or "sqrt(" */
    const bool round = token->at[head - 1] == '(';

    buffer_add_text(row->out, "<msqrt>");
    add_plain(row, token->at, head);
    add_span(row, token->at + head, token->at + token->len - round);
    add_plain(row, ")", round);
    buffer_add_text(row->out, "</msqrt>");
}

/* The space behind a comma at the end is the text's. */
static void add_comma(const struct row *row, const struct formula_token *token)
{
    buffer_add_text(row->out, token->at + 1 < row->text->end
                                  ? "<mo lspace=\"0\" rspace=\"0.25em\">,</mo>"
                                  : "<mo lspace=\"0\" rspace=\"0\">,</mo>");
}

/* A bar does not say by itself on which side of a value it is. */
static void add_bracket(const struct row *row, const struct formula_token *token)
{
    if (*token->at == '|')
        html_add(row->out, "<mo form=\"%s\" stretchy=\"false\">",
                 token->kind == FORMULA_OPEN ? "prefix" : "postfix");
    else
        buffer_add_text(row->out, "<mo stretchy=\"false\">");
    add_symbol(row, token);
    buffer_add_text(row->out, "</mo>");
}

static void add_base(const struct row *row, const struct formula_token *token,
                     const struct formula_token *previous)
{
    const char *tag = token->kind == FORMULA_NUMBER ? "mn" : "mtext";

    if (token->kind == FORMULA_NAME)
        add_name(row, token);
    else if (token->kind == FORMULA_ROOT)
        add_root(row, token);
    else if (token->kind == FORMULA_OPERATOR)
        add_operator(row, token, previous);
    else if (token->kind == FORMULA_COMMA)
        add_comma(row, token);
    else if (token->kind == FORMULA_OPEN || token->kind == FORMULA_CLOSE)
        add_bracket(row, token);
    else
        html_add(row->out, "<%s>%.*s</%s>", tag, (int)token->len, token->at, tag);
}

/* ---- indices and exponents ----------------------------------------------------------- */

/* Returns the fraction's stroke, where the exponent is a sign and one fraction and nothing
 * else; NULL: it is not. */
static const char *find_stroke(const struct row *row, const char *at, const char *end)
{
    const char *stroke = NULL;
    int depth = 0;

    for (at += *at == '-'; at < end;) {
        const struct formula_token token = formula_token_at(row->text, at);

        depth += (token.kind == FORMULA_OPEN) - (token.kind == FORMULA_CLOSE);
        if (depth == 0 && token.kind == FORMULA_OPERATOR) {
            if (*at != '/' || stroke)
                return NULL;
            stroke = at;
        }
        at = formula_token_end(&token);
    }
    return stroke;
}

/* Writes a part of a fraction, whose brackets its place makes needless. mark: what the text
 * has before it. */
static void add_part(const struct row *row, const char *mark, size_t mark_len,
                     const char *begin, const char *end)
{
    const bool round = *begin == '(' && end[-1] == ')';

    buffer_add_text(row->out, "<mrow>");
    add_plain(row, mark, mark_len);
    add_plain(row, "(", round);
    add_span(row, begin + round, end - round);
    add_plain(row, ")", round);
    buffer_add_text(row->out, "</mrow>");
}

static void add_fraction(const struct row *row, const char *begin, const char *stroke,
                         const char *end)
{
    const char *top = begin + (*begin == '-'), *top_end = stroke, *bottom = stroke + 1;

    if (top > begin)
        buffer_add_text(row->out, "<mo form=\"prefix\">−</mo>");
    while (top_end[-1] == ' ')
        top_end--;
    while (*bottom == ' ')
        bottom++;
    buffer_add_text(row->out, "<mfrac>");
    add_part(row, "", 0, top, top_end);
    add_part(row, top_end, (size_t)(bottom - top_end), bottom, end);
    buffer_add_text(row->out, "</mfrac>");
}

/* Writes "_i" or "^(-2i/r)" of that length. */
static void add_script(const struct row *row, const char *text, size_t len)
{
    const bool round = text[1] == '(';
    const char *begin = text + 1 + round, *end = text + len - round;
    const char *stroke = *text == '^' ? find_stroke(row, begin, end) : NULL;

    buffer_add_text(row->out, "<mrow>");
    add_plain(row, text, 1 + (size_t)round);
    if (stroke)
        add_fraction(row, begin, stroke, end);
    else
        add_span(row, begin, end);
    add_plain(row, ")", round);
    buffer_add_text(row->out, "</mrow>");
}

static void add_token(const struct row *row, const struct formula_token *token,
                      const struct formula_token *previous)
{
    const char *below = token->at + token->len, *above = below + token->below;
    const char *tag = token->below > 0 && token->above > 0 ? "msubsup"
                      : token->below > 0                   ? "msub"
                                                           : "msup";

    if (token->below + token->above > 0)
        html_add(row->out, "<%s>", tag);
    add_base(row, token, previous);
    if (token->below > 0)
        add_script(row, below, token->below);
    if (token->above > 0)
        add_script(row, above, token->above);
    if (token->below + token->above > 0)
        html_add(row->out, "</%s>", tag);
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Values beside each other are multiplied: a space that is seen is between them, and between
 * words. */
static void add_space(const struct row *row, const struct formula_token *previous,
                      const struct formula_token *token)
{
    const bool ends = formula_token_ends_value(previous) || previous->kind == FORMULA_TEXT;
    const bool begins = formula_token_begins_value(token) || token->kind == FORMULA_TEXT ||
                        is_prefix(row, token, previous);

    buffer_add_text(row->out, " ");
    if (ends && begins)
        buffer_add_text(row->out, "<mspace width=\"0.25em\"></mspace>");
}

static void add_span(const struct row *whole, const char *begin, const char *end)
{
    const struct formula_text text = {whole->text->enc, whole->text->begin, end};
    const struct row row = {whole->out, &text, whole->marked};
    struct formula_token previous = {.kind = FORMULA_SPACE};

    for (const char *at = begin; at < end;) {
        const struct formula_token token = formula_token_at(&text, at);

        if (token.kind != FORMULA_SPACE) {
            if (at > begin && at[-1] == ' ')
                add_space(&row, &previous, &token);
            add_token(&row, &token, at > begin ? &previous : NULL);
            previous = token;
        }
        at = formula_token_end(&token);
    }
}

void formula_math_add(struct buffer *out, const struct formula_text *text,
                      const struct pe_param *marked, const char *begin, const char *end)
{
    const struct row row = {out, text, marked};

    add_span(&row, begin, end);
}
