/* SPDX-License-Identifier: Apache-2.0
 * explain.c - says an explanation: one sentence, the parameters that repair it, its
 * evidence. */
#include "core/verify/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/args/number.h"
#include "core/verify/value_range.h"

enum { NAMES_MAX = 100, VALUE_MAX = 100 };

/* Writes "cos and sin", "bias", "cos, sin and inv_freq". */
static void print_names(char *text, const struct pe_verify_role *roles, size_t count)
{
    size_t judged = 0, said = 0, len = 0;

    for (size_t i = 0; i < count; i++)
        judged += roles[i].output != NULL;
    text[0] = '\0';
    for (size_t i = 0; i < count && len < NAMES_MAX - 40; i++) {
        if (!roles[i].output)
            continue;
        const char *between = said == 0 ? "" : said + 1 == judged ? " and " : ", ";

        len += (size_t)snprintf(text + len, NAMES_MAX - len, "%s%.36s", between, roles[i].name);
        said++;
    }
}

static size_t judged_count(const struct pe_verify_role *roles, size_t count)
{
    size_t judged = 0;

    for (size_t i = 0; i < count; i++)
        judged += !roles[i].output ? 0 : strcmp(roles[i].name, "freqs_cis") == 0 ? 2 : 1;
    return judged;
}

/* ---- changes ----------------------------------------------------------------------------- */

static bool is_number(const struct pe_param *param, const char *text)
{
    double value;

    return (param->type == PE_INT || param->type == PE_REAL) &&
           number_parse(text, strlen(text), &value);
}

/* Copies a text, cut to size. */
static void copy_text(char *text, size_t size, const char *from)
{
    size_t len = strnlen(from, size - 1);

    memcpy(text, from, len);
    text[len] = '\0';
}

/* Prints the value of a change; where the change left the parameter out, the value that found
 * arguments have. */
static void print_found(const struct pe_args *args, const struct change *change, char *text)
{
    const size_t i =
        args ? args_find(args->enc, change->param->name, strlen(change->param->name))
             : SIZE_MAX;

    copy_text(text, PE_VERIFY_TEXT, change->text);
    if (change->text[0] == '\0' && i != SIZE_MAX && args_says(args, i))
        args_print_param(args, i, text, PE_VERIFY_TEXT);
}

static void add_change(struct pe_mistake *mistake, struct claim *claim,
                       const struct pe_args *args, const struct change *change)
{
    struct pe_verify_change *to = &mistake->change[mistake->change_count];
    const char *own = claim->text[claim_index(claim, change->param)];

    if (mistake->change_count == PE_VERIFY_CHANGES)
        return;
    to->parameter = change->param->name;
    print_found(args, change, to->found);
    copy_text(to->expected, sizeof to->expected, own ? own : "");
    if (strcmp(to->found, to->expected) == 0)
        return;
    to->numeric = is_number(change->param, to->found) && is_number(change->param, to->expected);
    mistake->change_count++;
}

/* ---- sentences --------------------------------------------------------------------------- */

static void say_value(char *text, const struct pe_verify_change *change, bool claimed)
{
    const char *value = claimed ? change->expected : change->found;

    if (value[0] != '\0')
        snprintf(text, VALUE_MAX, "%.30s=%.60s", change->parameter, value);
    else
        snprintf(text, VALUE_MAX, "no %.60s", change->parameter);
}

static void say_mistake(struct pe_mistake *mistake, const struct hypothesis *hypothesis)
{
    char found[VALUE_MAX], expected[VALUE_MAX];

    if (hypothesis->mistake) {
        snprintf(mistake->says, sizeof mistake->says, "%s", hypothesis->mistake->row.summary);
        return;
    }
    say_value(found, &mistake->change[0], false);
    say_value(expected, &mistake->change[0], true);
    snprintf(mistake->says, sizeof mistake->says, "the numbers are those of %s, not of %s",
             found, expected);
}

static void say_all(struct pe_verdict *verdict, const struct pe_verify_role *roles,
                    size_t count)
{
    const struct pe_explanation *explanation = &verdict->explanation;
    const struct pe_mistake *first = &explanation->mistake[0];
    char names[NAMES_MAX], found[VALUE_MAX], expected[VALUE_MAX];
    size_t len;

    print_names(names, roles, count);
    if (first->change_count > 0 && explanation->count == 1 &&
        strcmp(first->slug, first->change[0].parameter) == 0) {
        say_value(found, &first->change[0], false);
        say_value(expected, &first->change[0], true);
        snprintf(verdict->says, sizeof verdict->says, "%.90s %s those of %s; the claim has %s",
                 names, judged_count(roles, count) > 1 ? "are" : "is", found, expected);
        return;
    }
    len =
        (size_t)snprintf(verdict->says, sizeof verdict->says, "%s: %.150s", names, first->says);
    if (explanation->count == 2 && len < sizeof verdict->says)
        snprintf(verdict->says + len, sizeof verdict->says - len, "; and %.120s",
                 explanation->mistake[1].says);
}

/* ---- the explanation --------------------------------------------------------------------- */

/* Makes the arguments whose answer are the numbers that were sent, where parameters say so. */
static struct pe_args *found_args(struct claim *claim, const struct suspect *suspect)
{
    struct changes changes = suspect->candidate->changes;
    const struct changes *repair = &suspect->candidate->repair;
    size_t mistakes_made = 0;

    for (size_t i = 0; i < suspect->count; i++)
        mistakes_made += suspect->hypothesis[i].mistake != NULL;
    if (suspect->candidate->enc != claim->enc ||
        (mistakes_made > 0 && (repair->count == 0 || mistakes_made > 1)) ||
        changes.count + repair->count > PE_VERIFY_CHANGES)
        return NULL;
    for (size_t i = 0; i < repair->count; i++)
        changes.at[changes.count++] = repair->at[i];
    return claim_args(claim, claim->enc, &changes, claim->outputs, CLAIM_NATURAL, NULL);
}

static void explain(struct pe_explanation *explanation, struct claim *claim,
                    const struct suspect *suspect, double without)
{
    explanation->count = suspect->count;
    explanation->found = found_args(claim, suspect);
    for (size_t i = 0; i < suspect->count; i++) {
        const struct hypothesis *hypothesis = &suspect->hypothesis[i];
        struct pe_mistake *mistake = &explanation->mistake[i];

        mistake->slug = hypothesis->slug;
        mistake->evidence = (struct pe_verify_evidence){
            suspect->fit.max_abs, suspect->fit.within, without, suspect->fit.rows};
        for (size_t j = 0; j < hypothesis->changes.count; j++)
            add_change(mistake, claim, suspect->candidate->args, &hypothesis->changes.at[j]);
        for (size_t j = 0; hypothesis->mistake && j < suspect->candidate->repair.count; j++)
            add_change(mistake, claim, NULL, &suspect->candidate->repair.at[j]);
        if (suspect->count == 1 && !hypothesis->mistake && mistake->change_count == 1)
            mistake->change[0].ranged = value_range_find(
                claim, &hypothesis->changes, &mistake->change[0].low, &mistake->change[0].high);
        say_mistake(mistake, hypothesis);
        if (suspect->candidate->enc != claim->enc)
            snprintf(mistake->says, sizeof mistake->says, "these are numbers of %s, not of %s",
                     suspect->candidate->enc->name, claim->enc->name);
    }
}

void explain_mistakes(struct pe_verdict *verdict, const struct search *search,
                      const struct pe_verify_role *roles, size_t count)
{
    double without = 0;

    for (size_t i = 0; i < verdict->tensor_count; i++)
        without = fmax(without, verdict->tensor[i].max_abs);
    explain(&verdict->explanation, search->claim, &search->found[0], without);
    for (size_t i = 1; i < search->found_count; i++)
        if (search->found[i].count == search->found[0].count)
            explain(&verdict->others[verdict->other_count++], search->claim, &search->found[i],
                    without);
    say_all(verdict, roles, count);
}

/* ---- without a mistake ------------------------------------------------------------------- */

void explain_print_list(char *text, size_t size, const uint64_t *numbers, size_t count,
                        const char *between)
{
    size_t len = (size_t)snprintf(text, size, "[");

    for (size_t i = 0; i < count && len < size - 24; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%llu", i > 0 ? between : "",
                                (unsigned long long)numbers[i]);
    snprintf(text + len, size - len, "]");
}

static const struct pe_tensor_verdict *worst_tensor(const struct pe_verdict *verdict,
                                                    size_t *number)
{
    *number = 0;
    for (size_t i = 0; i < verdict->tensor_count; i++)
        if (verdict->tensor[i].role &&
            (!verdict->tensor[*number].role ||
             verdict->tensor[i].max_abs > verdict->tensor[*number].max_abs))
            *number = i;
    return &verdict->tensor[*number];
}

static void say_unexplained(struct pe_verdict *verdict, bool shaped,
                            const struct pe_verify_role *roles)
{
    size_t number;
    const struct pe_tensor_verdict *tensor = worst_tensor(verdict, &number);
    char first[80];

    explain_print_list(first, sizeof first, tensor->first, tensor->rank, ", ");
    if (tensor->of == 0 && shaped)
        snprintf(verdict->says, sizeof verdict->says,
                 "the time was over before %s was compared with the claim's numbers",
                 roles[number].name);
    else if (tensor->of == 0)
        snprintf(verdict->says, sizeof verdict->says,
                 "the shape of %s is not the claim's, and no known mistake explains it",
                 roles[number].name);
    else if (!tensor->finite)
        snprintf(verdict->says, sizeof verdict->says,
                 "%s has NaN or infinity where the claim has none; the first element that "
                 "differs is %s",
                 roles[number].name, first);
    else
        snprintf(verdict->says, sizeof verdict->says,
                 "%s is not the claim's, and no known mistake explains it; the first element "
                 "that differs is %s, the largest distance %.3g",
                 roles[number].name, first, tensor->max_abs);
}

void explain_rest(struct pe_verdict *verdict, bool shaped, const struct pe_verify_role *roles,
                  size_t count)
{
    char names[NAMES_MAX];
    const bool many = judged_count(roles, count) > 1;
    size_t number;

    print_names(names, roles, count);
    if (verdict->kind == PE_EXACT)
        snprintf(verdict->says, sizeof verdict->says,
                 "%s %s exact: every element is the claim's number rounded once", names,
                 many ? "are" : "is");
    else if (verdict->kind == PE_PROFILE && strcmp(verdict->profile, "f32") == 0)
        snprintf(verdict->says, sizeof verdict->says,
                 "right; the differences are those of float32 arithmetic, at most %.2g",
                 worst_tensor(verdict, &number)->max_abs);
    else if (verdict->kind == PE_PROFILE &&
             (strcmp(verdict->profile, "sign") == 0 || strcmp(verdict->profile, "basis") == 0))
        snprintf(verdict->says, sizeof verdict->says,
                 "right up to the %s of eigenvectors, which nothing determines",
                 strcmp(verdict->profile, "sign") == 0 ? "signs" : "signs and bases");
    else if (verdict->kind == PE_PROFILE)
        snprintf(verdict->says, sizeof verdict->says, "right; rounds like %s%s",
                 strchr(verdict->profile, '=') ? "" : "profile=", verdict->profile);
    else if (verdict->kind == PE_UNEXPLAINED)
        say_unexplained(verdict, shaped, roles);
}
