/* SPDX-License-Identifier: Apache-2.0
 * when.c - refuses a parameter that has no effect because of the value of another one. */
#include "core/args/when.h"

#include <assert.h>
#include <stdio.h>

#include "core/args/number.h"

enum { WORDS_MAX = 120 };

struct when_clause when_next(const char **text)
{
    struct when_clause clause = {.negated = **text == '!'};
    const char *at = *text + clause.negated, *end = strchrnul(at, '&');
    const char *equals = memchr(at, '=', (size_t)(end - at));

    clause.name = at;
    clause.name_len = (size_t)((equals ? equals : end) - at);
    if (equals) {
        clause.words = equals + 1;
        clause.words_len = (size_t)(end - clause.words);
    }
    *text = *end ? end + 1 : end;
    return clause;
}

size_t when_param(const struct pe_encoding *enc, const struct when_clause *clause)
{
    size_t i = args_find(enc, clause->name, clause->name_len);

    assert(i != SIZE_MAX);
    return i;
}

/* Print a value that a clause can be compared with; return false if there is none yet. */
static bool print_value(const struct pe_param *p, const void *field, char text[NUMBER_TEXT_MAX])
{
    switch (p->type) {
    case PE_CHOICE:
        if (*(const int *)field < 0)
            return false;
        snprintf(text, NUMBER_TEXT_MAX, "%s", p->choices[*(const int *)field].name);
        return true;
    case PE_BOOL:
        snprintf(text, NUMBER_TEXT_MAX, "%d", *(const bool *)field);
        return true;
    case PE_INT:
        if (*(const int64_t *)field == PE_ABSENT_INT)
            return false;
        number_print(text, (double)*(const int64_t *)field);
        return true;
    default:
        assert(!"a clause compares choices, booleans and integers");
        return false;
    }
}

static bool is_one_of(const struct when_clause *clause, const char *value)
{
    const char *at = clause->words, *end = at + clause->words_len;

    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar ? bar : end;

        if (args_parse_is(value, at, (size_t)(stop - at)))
            return true;
        at = stop + 1;
    }
    return false;
}

static bool holds(const struct pe_args *args, const struct when_clause *clause)
{
    size_t i = when_param(args->enc, clause);
    const struct pe_param *p = &args->enc->params[i];
    const void *field = args->data + p->offset;
    char value[NUMBER_TEXT_MAX];

    if (!clause->words)
        return clause->negated !=
               (p->type == PE_BOOL ? *(const bool *)field : args_bit(args->filled, i));
    return !print_value(p, field, value) || clause->negated != is_one_of(clause, value);
}

/* Say what the parameter would need: "has no effect without causal=1". */
static void refuse(const struct pe_args *args, const struct pe_param *p,
                   const struct when_clause *clause, struct pe_errors *errors)
{
    const struct pe_param *other = &args->enc->params[when_param(args->enc, clause)];
    char words[WORDS_MAX] = "", value[NUMBER_TEXT_MAX] = "";
    size_t len = 0;

    for (size_t i = 0; i < clause->words_len && len + 5 < sizeof words; i++)
        len += (size_t)snprintf(words + len, sizeof words - len,
                                clause->words[i] == '|' ? " or " : "%c", clause->words[i]);
    if (clause->words && !clause->negated) {
        pe_fail(errors, PE_CONFLICT, p->name, "has no effect without %s=%s; leave it out",
                other->name, words);
        return;
    }
    if (clause->words)
        print_value(other, args->data + other->offset, value);
    pe_fail(errors, PE_CONFLICT, p->name, "has no effect %s %s%s%s%s",
            clause->negated ? "with" : "without", other->name,
            clause->words || other->type == PE_BOOL ? "=" : "",
            clause->words            ? value
            : other->type == PE_BOOL ? "1"
                                     : "",
            clause->negated ? "; leave it out" : "");
}

void when_check(const struct pe_args *args, struct pe_errors *errors)
{
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const struct pe_param *p = &args->enc->params[i];
        const char *rest = p->when;

        if (!rest || !args_bit(args->given & args->used, i))
            continue;
        for (bool held = true; held && *rest != '\0';) {
            struct when_clause clause = when_next(&rest);

            held = holds(args, &clause);
            if (!held)
                refuse(args, p, &clause, errors);
        }
    }
}
