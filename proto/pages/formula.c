/* SPDX-License-Identifier: Apache-2.0
 * formula.c - see formula.h. */
#include "proto/pages/formula.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "proto/pages/html.h"
#include "proto/pages/param_table.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

enum { NAME_LEAST = 3 }; /* letters of a name that is no index such as k or q */

/* Returns the length of "(...)" with its brackets in balance; 0 if the text begins in another
 * way. */
static size_t bracketed(const char *text)
{
    size_t depth = 0, i = 0;

    do {
        depth += text[i] == '(';
        depth -= text[i] == ')' && depth > 0;
        if (text[i] == '\0' || text[i] == '\n')
            return 0;
        i++;
    } while (depth > 0);
    return text[0] == '(' ? i : 0;
}

/* Returns the length of an index or exponent: "(k mod m)", "2t", "i", "-0"; 0 if it is neither,
 * but a part of a longer name. */
static size_t script_len(const char *text)
{
    size_t len = bracketed(text);

    if (len > 0)
        return len;
    len = strspn(text, "-");
    len += strspn(text + len, DIGITS "./");
    while (len > 0 && strchr("./", text[len - 1]))
        len--;
    if (isalpha((unsigned char)text[len]))
        len++;
    return isalnum((unsigned char)text[len]) || text[len] == '_' ? 0 : len;
}

/* Writes "_i" or "^(-2i/r)" of that length. Text browsers write the marks of indices and
 * exponents themselves, but no brackets around an exponent. */
static void add_script(struct buffer *out, const char *text, size_t len)
{
    size_t round = text[1] == '(';
    int inner = (int)(len - 1 - 2 * round);

    if (*text == '_')
        html_add(out, "<sub>%.*s</sub>", inner, text + 1 + round);
    else if (round == 0)
        html_add(out, "<sup>%.*s</sup>", inner, text + 1);
    else
        html_add(out,
                 "<sup><span class=\"plain\">(</span>%.*s<span class=\"plain\">)</span></sup>",
                 inner, text + 2);
}

/* Returns whether a word of that length stands for a number, and not in a sentence: it has an
 * underscore, or an operator is beside it. */
static bool is_operand(const char *begin, const char *text, size_t len)
{
    const char *before = text, *behind = text + len + strspn(text + len, " ");

    while (before > begin && before[-1] == ' ')
        before--;
    return memchr(text, '_', len) || (*behind && strchr("^*/+-=[)", *behind)) ||
           (before > begin && strchr("^*/+-=(", before[-1]));
}

/* Writes a name at the text's start, with its index; returns its length. */
static size_t add_name(struct buffer *out, const struct pe_encoding *enc, const char *base,
                       const char *text)
{
    size_t letters = strspn(text, LETTERS), len = strspn(text, LETTERS DIGITS "_"), script;

    const struct pe_param *param = len >= NAME_LEAST ? param_table_find(enc, text, len) : NULL;

    if (param && is_operand(pe_formula(enc), text, len)) {
        buffer_add_text(out, "<a href=\"");
        if (base)
            html_add(out, "%s/docs/%s", base, pe_name(enc));
        html_add(out, "#p-%s\">%.*s</a>", param->name, (int)len, text);
        return len;
    }
    script = text[letters] == '_' ? script_len(text + letters + 1) : 0;
    if (script == 0) {
        html_add_text(out, text, len);
        return len;
    }
    html_add_text(out, text, letters);
    add_script(out, text + letters, 1 + script);
    return letters + 1 + script;
}

void formula_add(struct buffer *out, const struct pe_encoding *enc, const char *base)
{
    for (const char *text = pe_formula(enc); *text;) {
        size_t script = *text == '^' ? script_len(text + 1) : 0;

        if (isalpha((unsigned char)*text)) {
            text += add_name(out, enc, base, text);
        } else if (script > 0) {
            add_script(out, text, 1 + script);
            text += 1 + script;
        } else {
            html_add_text(out, text++, 1);
        }
    }
}
