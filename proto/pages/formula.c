/* SPDX-License-Identifier: Apache-2.0
 * formula.c - see formula.h. A run is all mathematics between two words. It is cut into terms
 * where its operators bind least, if it is too long for a narrow page, as no browser breaks a
 * line inside <math>; and if it names several parameters, as <math> has no links inside. */
#include "proto/pages/formula.h"

#include <string.h>

#include "proto/pages/formula_math.h"
#include "proto/pages/html.h"

/* Letters of a term that fits every page, how deep brackets are looked into, and a fault that
 * is greater than any of letters. */
enum { MOST_LETTERS = 24, MOST_DEPTH = 8, SEVERAL = 1000 };

struct run {
    const struct formula_text *text;
    const char *begin, *end;
};

/* Where the next token of a run is, between which brackets, and the token before it. */
struct place {
    const char *at;
    int depth;
    struct formula_token previous;
};

/* How strongly the place before a token binds what is between the same brackets. */
enum strength { RELATES, ADDS, MULTIPLIES, STRENGTHS };

static enum strength strength_of(const struct formula_token *token,
                                 const struct formula_token *previous)
{
    if (token->kind == FORMULA_OPERATOR)
        return strchr("+-*/.", *token->at) && token->at[1] == ' ' ? ADDS : RELATES;
    return previous->kind == FORMULA_COMMA ? RELATES : MULTIPLIES;
}

/* Goes behind the token; returns how strongly the place before it binds, from 0 on, with inner
 * brackets stronger than outer ones; -1: a line cannot break there. */
static int pass(struct place *place, const struct formula_token *token, const char *begin)
{
    const bool has_space = place->at > begin && token->at[-1] == ' ';
    int strength = -1;

    place->depth -= token->kind == FORMULA_CLOSE;
    if (has_space && place->previous.kind != FORMULA_OPERATOR)
        strength = STRENGTHS * place->depth + (int)strength_of(token, &place->previous);
    place->depth += token->kind == FORMULA_OPEN;
    if (token->kind != FORMULA_SPACE)
        place->previous = *token;
    place->at = formula_token_end(token);
    return strength;
}

/* Returns a parameter that the tokens name, also in an index, an exponent or a root; NULL:
 * none. Not the parameter `but`. */
static const struct pe_param *find_param(const struct formula_text *text, const char *at,
                                         const char *end, const struct pe_param *but)
{
    while (at < end) {
        const struct formula_token token = formula_token_at(text, at);

        if (token.param && token.param != but)
            return token.param;
        at += token.kind == FORMULA_ROOT ? strlen("sqrt ") : token.len;
        at += at < end && (*at == '_' || *at == '^');
    }
    return NULL;
}

/* Returns what is wrong with a term: parameters beside its first one, else letters that it has
 * too many. */
static size_t fault_of(const struct formula_text *text, const char *begin, const char *end)
{
    const struct pe_param *first = find_param(text, begin, end, NULL);
    const size_t letters = (size_t)(end - begin);

    if (first && find_param(text, begin, end, first))
        return SEVERAL + letters;
    return letters > MOST_LETTERS ? letters : 0;
}

static void add_term(struct buffer *out, const struct formula_text *text, const char *base,
                     const char *begin, const char *end)
{
    const struct pe_param *param = find_param(text, begin, end, NULL);

    if (param) {
        buffer_add_text(out, "<a href=\"");
        if (base)
            html_add(out, "%s/docs/%s", base, pe_name(text->enc));
        html_add(out, "#p-%s\" title=\"%s\">", param->name, pe_param_summary(param));
    }
    buffer_add_text(out, "<math>");
    formula_math_add(out, text, param, begin, end);
    buffer_add_text(out, param ? "</math></a>" : "</math>");
}

/* Returns the end of the term that begins there, in a run that is cut at all places up to that
 * strength. depth: of the brackets around that place, which is moved to the end. */
static const char *term_end(const struct run *run, const char *term, int strength, int *depth)
{
    struct place place = {term, *depth, {.kind = FORMULA_SPACE}};

    while (place.at < run->end) {
        const struct formula_token token = formula_token_at(run->text, place.at);
        const int before = place.depth, here = pass(&place, &token, term);

        if (here >= 0 && here <= strength) {
            *depth = before;
            return token.at - 1;
        }
    }
    return run->end;
}

/* Returns the greatest fault of a term of such a run. */
static size_t worst_of(const struct run *run, int strength)
{
    const char *end;
    size_t worst = 0;
    int depth = 0;

    for (const char *term = run->begin; term < run->end; term = end + 1) {
        end = term_end(run, term, strength, &depth);
        if (fault_of(run->text, term, end) > worst)
            worst = fault_of(run->text, term, end);
    }
    return worst;
}

static void add_run(struct buffer *out, const struct run *run, const char *base)
{
    size_t least = worst_of(run, -1);
    int best = -1, depth = 0;
    const char *end;

    for (int strength = 0; least > 0 && strength < STRENGTHS * MOST_DEPTH; strength++)
        if (worst_of(run, strength) < least) {
            least = worst_of(run, strength);
            best = strength;
        }
    for (const char *term = run->begin; term < run->end; term = end + 1) {
        end = term_end(run, term, best, &depth);
        add_term(out, run->text, base, term, end);
        if (end < run->end)
            buffer_add_text(out, " ");
    }
}

/* Returns the end of a run with the mark behind it, "," or ";": a line could begin with a mark
 * that is not in the <math> before it. */
static const char *with_mark(const struct formula_text *text, const char *begin,
                             const char *end)
{
    return end > begin && end < text->end && strchr(",;:", *end) ? end + 1 : end;
}

/* Returns the end of the run that begins there; where a word is, its beginning. */
static const char *find_end(const struct formula_text *text, const char *at)
{
    const char *begin = at, *end = at;
    int depth = 0;

    while (at < text->end && *at != '\n') {
        const struct formula_token token = formula_token_at(text, at);

        if (token.kind == FORMULA_TEXT || (token.kind == FORMULA_COMMA && depth <= 0))
            break;
        depth += (token.kind == FORMULA_OPEN) - (token.kind == FORMULA_CLOSE);
        at = formula_token_end(&token);
        if (token.kind != FORMULA_SPACE)
            end = at;
    }
    return with_mark(text, begin, end);
}

void formula_add(struct buffer *out, const struct pe_encoding *enc, const char *base)
{
    const char *formula = pe_formula(enc);
    const struct formula_text text = {enc, formula, formula + strlen(formula)};

    for (const char *at = formula; at < text.end;) {
        const struct formula_token token = formula_token_at(&text, at);
        const struct run run = {&text, at, find_end(&text, at)};

        if (token.kind != FORMULA_SPACE && run.end > at) {
            add_run(out, &run, base);
            at = run.end;
        } else {
            html_add_text(out, token.at, token.len);
            at = formula_token_end(&token);
        }
    }
}
