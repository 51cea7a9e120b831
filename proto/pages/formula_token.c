/* SPDX-License-Identifier: Apache-2.0
 * formula_token.c - see formula_token.h. */
#include "proto/pages/formula_token.h"

#include <ctype.h>
#include <string.h>

#include "proto/pages/param_table.h"
#include "proto/text/word.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

enum { NAME_LEAST = 3 }; /* letters of a name that is no index such as k or q */

/* A symbol, and the letters or the two signs that stand for it in the source of a formula. A
 * spelling that begins with another one stands before it in its table. */
struct spelling {
    const char *text, *symbol;
};
static const struct spelling letters[] = {
    {"alpha", "α"}, {"delta", "δ"}, {"gamma", "γ"}, {"lambda", "λ"},
    {"omega", "ω"}, {"phi", "φ"},   {"pi", "π"},    {"psi", "ψ"},
    {"sigma", "σ"}, {"theta", "θ"}, {"zeta", "ζ"},
};
static const struct spelling operators[] = {
    {"...", "…"}, {"..", "…"}, {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}, {"->", "→"}, {"+=", "+="},
    {"=", "="},   {"<", "<"},  {">", ">"},  {"+", "+"},  {"-", "−"},  {"*", "×"},  {"/", "/"},
};
static const struct spelling brackets[] = {
    {"floor(", "⌊"}, {"ceil(", "⌈"}, {"(", "("}, {"[", "["}};

#define COUNT(ROWS) (sizeof(ROWS) / sizeof(ROWS)[0])

/* Returns the row whose text the bytes begin with; NULL: there is none. */
static const struct spelling *find_start(const struct spelling *rows, size_t count,
                                         const char *at)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(at, rows[i].text, strlen(rows[i].text)) == 0)
            return &rows[i];
    return NULL;
}

/* Returns the Greek letter of that name; NULL: it is of none. */
static const char *find_letter(const char *at, size_t len)
{
    for (size_t i = 0; i < COUNT(letters); i++)
        if (word_is(letters[i].text, at, len))
            return letters[i].symbol;
    return NULL;
}

/* ---- indices and exponents ----------------------------------------------------------- */

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

/* Returns the length of "_i", also of the "_last" of a single letter; 0: it is none. */
static size_t index_len(const char *text, bool of_letter)
{
    size_t len = *text == '_' ? script_len(text + 1) : 0, word;

    if (*text != '_' || len > 0)
        return len > 0 ? 1 + len : 0;
    word = strspn(text + 1, LETTERS);
    return of_letter && word > 0 && !strchr("_" DIGITS, text[1 + word]) ? 1 + word : 0;
}

static void take_exponent(struct formula_token *token, const struct formula_text *text)
{
    const char *at = token->at + token->len + token->below;
    size_t len = at < text->end && *at == '^' ? script_len(at + 1) : 0;

    token->above = len > 0 ? 1 + len : 0;
}

/* ---- what is around a token ---------------------------------------------------------- */

static char before(const struct formula_text *text, const char *at)
{
    return at > text->begin ? at[-1] : ' ';
}

/* Returns the first byte that is no space before, or behind. */
static char sign_before(const struct formula_text *text, const char *at)
{
    while (at > text->begin && at[-1] == ' ')
        at--;
    return at > text->begin ? at[-1] : '\0';
}

static char sign_behind(const char *end)
{
    return end[strspn(end, " ")];
}

static bool is_one_of(char sign, const char *signs)
{
    return sign && strchr(signs, sign);
}

/* A hyphen joins words: "pseudo-inverse". */
static bool is_hyphen(const struct formula_text *text, const char *at)
{
    return *at == '-' && isalpha((unsigned char)before(text, at)) &&
           strspn(at + 1, LETTERS) > 1;
}

/* Returns whether a word of that length stands for a number, and not in a sentence: it has an
 * underscore, or an operator is beside it. */
static bool is_operand(const struct formula_text *text, const char *at, size_t len)
{
    if (before(text, at) == '-' && is_hyphen(text, at - 1))
        return false;
    return memchr(at, '_', len) || is_one_of(sign_behind(at + len), "^*/+-=[)") ||
           is_one_of(sign_before(text, at), "^*/+-=(");
}

static bool is_word_of(const char *const *words, const char *at, size_t len)
{
    for (; *words; words++)
        if (word_is(*words, at, len))
            return true;
    return false;
}

static bool is_function(const char *at, size_t len)
{
    static const char *const names[] = {"sin", "cos", "ln", "exp", "tanh", "sigmoid", NULL};

    return is_word_of(names, at, len);
}

/* Returns whether the "a" there is the article: a noun is behind it. */
static bool is_article(const struct formula_text *text, const char *at)
{
    static const char *const others[] = {"or", "and", "is", "of", "for", NULL};
    const char *next = at + 1 + strspn(at + 1, " ");
    size_t len = strspn(next, LETTERS);

    return *at == 'a' && next > at + 1 && next < text->end && len > 1 &&
           !is_one_of(sign_before(text, at), "^*/+-=([") && !is_function(next, len) &&
           !is_word_of(others, next, len);
}

/* ---- the kinds of tokens ------------------------------------------------------------- */

static bool is_name(const struct formula_text *text, const char *at, size_t len)
{
    const char behind = at[len];

    if (len == 1)
        return !is_article(text, at);
    if (behind == ':')
        return false; /* the name of a case */
    return strcspn(at, DIGITS "_") < len || behind == '(' || behind == '[' ||
           is_operand(text, at, len) || is_one_of(sign_before(text, at), "[<>|.") ||
           is_one_of(sign_behind(at + len), "<>]|") || find_letter(at, len) ||
           is_function(at, len);
}

static struct formula_token name_at(const struct formula_text *text, const char *at)
{
    const size_t short_len = strspn(at, LETTERS), len = strspn(at, LETTERS DIGITS "_");
    const char *letter = find_letter(at, short_len);
    struct formula_token token = {.kind = FORMULA_NAME, .at = at, .len = len, .symbol = NULL};

    if (len >= NAME_LEAST && is_operand(text, at, len))
        token.param = param_table_find(text->enc, at, len);
    if (!token.param)
        token.below = index_len(at + short_len, short_len == 1 || letter);
    if (token.below > 0 || (letter && len == short_len))
        token.len = short_len;
    if (token.len == short_len)
        token.symbol = letter;
    if (!token.param && token.below == 0 && !is_name(text, at, len))
        token.kind = FORMULA_TEXT;
    else
        take_exponent(&token, text);
    return token;
}

static struct formula_token number_at(const struct formula_text *text, const char *at)
{
    struct formula_token token = {FORMULA_NUMBER, at, strspn(at, DIGITS), 0, 0, NULL, NULL};

    if (at[token.len] == '.' && isdigit((unsigned char)at[token.len + 1]))
        token.len += 1 + strspn(at + token.len + 1, DIGITS);
    take_exponent(&token, text);
    return token;
}

/* The root at "sqrt(dim)" or "sqrt 2". */
static struct formula_token root_at(const struct formula_text *text, const char *at)
{
    struct formula_token token = {FORMULA_ROOT, at, strlen("sqrt"), 0, 0, NULL, NULL};

    token.len += at[4] == ' ' ? 1 + strspn(at + 5, DIGITS) : bracketed(at + 4);
    take_exponent(&token, text);
    return token;
}

static bool is_root(const char *at)
{
    return strncmp(at, "sqrt", 4) == 0 &&
           (bracketed(at + 4) > 0 || (at[4] == ' ' && isdigit((unsigned char)at[5])));
}

/* Returns the symbol of the bracket there, which is that of floor(x) where its pair is. */
static const char *closing(const struct formula_text *text, const char *at)
{
    const char *open = at;

    for (size_t depth = 0; open > text->begin; open--) {
        depth += *open == ')';
        depth -= *open == '(';
        if (depth == 0)
            break;
    }
    if (*at == ')' && open - text->begin >= 5 && strncmp(open - 5, "floor", 5) == 0)
        return "⌋";
    if (*at == ')' && open - text->begin >= 4 && strncmp(open - 4, "ceil", 4) == 0)
        return "⌉";
    return *at == ')' ? ")" : "]";
}

/* A bar between spaces joins columns; others are around a value. */
static struct formula_token bar_at(const struct formula_text *text, const char *at)
{
    struct formula_token token = {FORMULA_CLOSE, at, 1, 0, 0, "|", NULL};

    if (before(text, at) == ' ' && (at[1] == ' ' || at[1] == '\0'))
        token.kind = FORMULA_OPERATOR;
    else if (is_one_of(before(text, at), " ([|-+*/"))
        token.kind = FORMULA_OPEN;
    else
        take_exponent(&token, text);
    return token;
}

static struct formula_token sign_at(const struct formula_text *text, const char *at)
{
    const struct spelling *row = find_start(operators, COUNT(operators), at);
    struct formula_token token = {FORMULA_TEXT, at, 1, 0, 0, NULL, NULL};

    if (*at == '.' && before(text, at) == ' ' && at[1] == ' ') {
        token.kind = FORMULA_OPERATOR;
        token.symbol = "⋅";
    } else if (row && !is_hyphen(text, at)) {
        token = (struct formula_token){FORMULA_OPERATOR, at,  strlen(row->text), 0, 0,
                                       row->symbol,      NULL};
    } else if (*at == '\'' && !isalpha((unsigned char)at[1])) {
        token.kind = FORMULA_NAME;
        token.symbol = "′";
    } else if (*at == ',') {
        token.kind = FORMULA_COMMA;
    }
    return token;
}

struct formula_token formula_token_at(const struct formula_text *text, const char *at)
{
    const struct spelling *row = find_start(brackets, COUNT(brackets), at);
    struct formula_token token;

    if (*at == ' ' || *at == '\n')
        return (struct formula_token){
            FORMULA_SPACE, at, strspn(at, *at == ' ' ? " " : "\n"), 0, 0, NULL, NULL};
    if (row)
        return (struct formula_token){FORMULA_OPEN, at,  strlen(row->text), 0, 0,
                                      row->symbol,  NULL};
    if (*at == '|')
        return bar_at(text, at);
    if (*at == ')' || *at == ']') {
        token = (struct formula_token){FORMULA_CLOSE, at, 1, 0, 0, closing(text, at), NULL};
        take_exponent(&token, text);
        return token;
    }
    if (is_root(at))
        return root_at(text, at);
    if (strncmp(at, "mod ", 4) == 0)
        return (struct formula_token){FORMULA_OPERATOR, at, 3, 0, 0, "mod", NULL};
    if (isalpha((unsigned char)*at))
        return name_at(text, at);
    return isdigit((unsigned char)*at) ? number_at(text, at) : sign_at(text, at);
}

const char *formula_token_end(const struct formula_token *token)
{
    return token->at + token->len + token->below + token->above;
}

bool formula_token_ends_value(const struct formula_token *token)
{
    return token->kind == FORMULA_NAME || token->kind == FORMULA_NUMBER ||
           token->kind == FORMULA_ROOT || token->kind == FORMULA_CLOSE;
}

bool formula_token_begins_value(const struct formula_token *token)
{
    return token->kind == FORMULA_NAME || token->kind == FORMULA_NUMBER ||
           token->kind == FORMULA_ROOT || token->kind == FORMULA_OPEN;
}
