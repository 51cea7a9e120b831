/* SPDX-License-Identifier: Apache-2.0
 * when.c - finds out whether a parameter has an effect beside the values of the others. */
#include "core/args/when.h"

#include <assert.h>
#include <stdio.h>

#include "core/args/number.h"

enum { WORDS_MAX = 160 };

static const struct pe_param *find(const struct pe_encoding *enc,
                                   const struct when_clause *clause)
{
    size_t i = args_find(enc, clause->name, clause->name_len);

    assert(i != SIZE_MAX); /* a condition names parameters of its own encoding */
    return &enc->params[i];
}

/* ---- whether it holds -------------------------------------------------------------------- */

/* Prints a value that a clause can be compared with; returns false if there is none yet. */
static bool print_value(const struct pe_param *p, const void *field, char text[NUMBER_TEXT_MAX])
{
    if (p->type == PE_CHOICE && *(const int *)field >= 0)
        snprintf(text, NUMBER_TEXT_MAX, "%s", p->choices[*(const int *)field].name);
    else if (p->type == PE_BOOL)
        snprintf(text, NUMBER_TEXT_MAX, "%d", *(const bool *)field);
    else if (p->type == PE_INT && *(const int64_t *)field != PE_ABSENT_INT)
        number_print(text, (double)*(const int64_t *)field);
    else
        return false;
    return true;
}

static bool is_one_of(struct when_clause clause, const char *value)
{
    const char *word;
    size_t len;

    while (when_clause_word(&clause, &word, &len))
        if (args_parse_is(value, word, len))
            return true;
    return false;
}

static bool clause_holds(const struct pe_args *args, const struct when_clause *clause)
{
    const struct pe_param *p = find(args->enc, clause);
    const void *field = args->data + p->offset;
    char value[NUMBER_TEXT_MAX];
    bool filled = args_bit(args->filled, (size_t)(p - args->enc->params));

    if (!clause->words)
        return clause->negated != (p->type == PE_BOOL ? *(const bool *)field : filled);
    return !print_value(p, field, value) || clause->negated != is_one_of(*clause, value);
}

bool when_holds(const struct pe_args *args, size_t i)
{
    const char *rest = args->enc->params[i].when;
    struct when_clause clause;
    bool held = true;

    if (!rest)
        return true;
    while (when_clause_next(&rest, &clause)) {
        held &= clause_holds(args, &clause);
        if (clause.last && held)
            return true;
        held |= clause.last;
    }
    return false;
}

/* ---- what it says ------------------------------------------------------------------------ */

static void add(char *text, size_t size, const char *more, size_t len)
{
    size_t used = strlen(text), left = size - 1 - used;

    len = len < left ? len : left;
    memcpy(text + used, more, len);
    text[used + len] = '\0';
}

static void add_text(char *text, size_t size, const char *more)
{
    add(text, size, more, strlen(more));
}

/* Writes "mode=bicubic or linear", "causal=1" or "weights". */
static void add_clause(const struct pe_encoding *enc, struct when_clause clause, char *text,
                       size_t size)
{
    const char *word, *mark = "=";
    size_t len;

    add(text, size, clause.name, clause.name_len);
    if (!clause.words && find(enc, &clause)->type == PE_BOOL)
        add_text(text, size, "=1");
    while (when_clause_word(&clause, &word, &len)) {
        add_text(text, size, mark);
        add(text, size, word, len);
        mark = memchr(clause.words, '|', clause.words_len) ? ", " : " or ";
    }
}

void when_print(const struct pe_encoding *enc, const char *when, char *text, size_t size)
{
    struct when_clause clause;

    text[0] = '\0';
    while (when_clause_next(&when, &clause)) {
        add_text(text, size, clause.negated ? "no " : "");
        add_clause(enc, clause, text, size);
        if (*when != '\0')
            add_text(text, size, clause.last ? ", or " : " and ");
    }
}

bool when_depends_on_error(const struct pe_args *args, size_t i, const struct pe_errors *errors)
{
    const char *rest = args->enc->params[i].when;
    struct when_clause clause;

    while (when_clause_next(&rest, &clause))
        for (size_t e = 0; e < errors->count && e < PE_LEN(errors->at); e++)
            if (strlen(errors->at[e].parameter) == clause.name_len &&
                memcmp(errors->at[e].parameter, clause.name, clause.name_len) == 0)
                return true;
    return false;
}

void when_refuse(const struct pe_args *args, size_t i, struct pe_errors *errors)
{
    const struct pe_param *p = &args->enc->params[i];
    const char *rest = p->when;
    struct when_clause clause = {.last = false};
    char words[WORDS_MAX] = "";

    while (when_clause_next(&rest, &clause) && !clause.last && clause_holds(args, &clause))
        continue;
    if (strchr(p->when, ',')) {
        when_print(args->enc, p->when, words, sizeof words);
        pe_fail(errors, PE_CONFLICT, p->name, "has no effect without %s; leave it out", words);
        return;
    }
    add_clause(args->enc, clause, words, sizeof words);
    pe_fail(errors, PE_CONFLICT, p->name, "has no effect %s %s; leave it out",
            clause.negated ? "with" : "without", words);
}
