/* SPDX-License-Identifier: Apache-2.0
 * explain.c - says an explanation: one sentence, the parameters that repair it, its
 * evidence. */
#include "core/verify/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/verify/say/amplitude.h"
#include "core/verify/say/fault.h"
#include "core/verify/value_range.h"

enum { NAMES_MAX = 100, ROWS_MAX = 200 };

/* Writes "cos and sin", "bias", "cos, sin and inv_freq". Returns whether there is more than one
 * name. */
static bool print_names(char *text, const struct pe_verify_role *roles, size_t count)
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
    return judged > 1;
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

/* Returns what the mistake of a slug tells of itself; NULL: nothing. */
static const struct told *find_told(const struct candidate *candidate, const char *slug)
{
    for (size_t i = 0; i < candidate->told_count; i++)
        if (strcmp(candidate->told[i].slug, slug) == 0)
            return &candidate->told[i];
    return NULL;
}

/* Tells the shift of positions, a change of their parameter under a name of its own. */
static void tell_shift(struct told *told, const struct pe_verify_change *change)
{
    snprintf(told->found, sizeof told->found, "%.10g",
             strtod(change->found, NULL) - strtod(change->expected, NULL));
    snprintf(told->expected, sizeof told->expected, "0");
}

static void say_mistake(struct pe_mistake *mistake, const struct hypothesis *hypothesis,
                        const struct candidate *candidate)
{
    const struct told *own =
        hypothesis->mistake ? find_told(candidate, hypothesis->slug) : NULL;
    struct told told = {.slug = hypothesis->slug};
    const struct pe_verify_change *first =
        mistake->change_count > 0 ? &mistake->change[0] : NULL;
    struct fault_values values = {first ? first->found : NULL, first ? first->expected : NULL,
                                  NULL};

    if (own)
        told = *own;
    else if (first && !hypothesis->mistake && strcmp(first->parameter, hypothesis->slug) != 0)
        tell_shift(&told, first);
    if (told.found[0] != '\0')
        values = (struct fault_values){told.found, told.expected, NULL};
    if (!hypothesis->mistake && hypothesis->changes.count > 0)
        values.param = hypothesis->changes.at[0].param;
    if (candidate->enc != candidate->claim->enc && strcmp(mistake->slug, "encoding") == 0)
        values = (struct fault_values){candidate->enc->name, candidate->claim->enc->name, NULL};
    fault_write(mistake, &values,
                hypothesis->mistake ? hypothesis->mistake->row.summary : NULL);
    if (hypothesis->mistake && candidate->said_by == hypothesis->mistake)
        snprintf(mistake->says, sizeof mistake->says, "%s", candidate->says);
}

/* Says the share of a head that turns too, by which configurations say the turned width. */
static void say_share(struct pe_mistake *mistake, struct claim *claim)
{
    const char *dim = claim_text(claim, "dim");
    const size_t len = strlen(mistake->says);

    if (mistake->change_count != 1 || !dim ||
        strcmp(mistake->change[0].parameter, "rotary_dim") != 0 ||
        args_find(claim->enc, "partial_rotary_factor", strlen("partial_rotary_factor")) ==
            SIZE_MAX)
        return;
    snprintf(mistake->says + len, sizeof mistake->says - len,
             ": partial_rotary_factor %.9g where %.9g is right",
             strtod(mistake->change[0].found, NULL) / strtod(dim, NULL),
             strtod(mistake->change[0].expected, NULL) / strtod(dim, NULL));
}

static void say_all(struct pe_verdict *verdict, const struct pe_verify_role *roles,
                    size_t count)
{
    const struct pe_explanation *explanation = &verdict->explanation;
    char names[NAMES_MAX];
    size_t len;

    (void)print_names(names, roles, count);
    len = (size_t)snprintf(verdict->says, sizeof verdict->says, "%.90s: %.300s", names,
                           explanation->mistake[0].says);
    for (size_t i = 1; i < explanation->count && len < sizeof verdict->says; i++)
        len += (size_t)snprintf(verdict->says + len, sizeof verdict->says - len, "; and %.130s",
                                explanation->mistake[i].says);
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

/* Says a mistake beside others that by itself changes amplitudes alone. */
static void say_amplitude_alone(struct pe_mistake *mistake, const struct candidate *base,
                                const struct changes *changes)
{
    struct candidate *alone = candidate_new(base->claim, changes, NULL);

    if (alone && candidate_all_fitted(alone))
        amplitude_say(mistake, base, alone);
    candidate_free(alone);
}

static void explain(struct pe_explanation *explanation, struct claim *claim,
                    const struct candidate *base, const struct suspect *suspect, double without)
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
        say_mistake(mistake, hypothesis, suspect->candidate);
        say_share(mistake, claim);
        if (base && suspect->count == 1)
            amplitude_say(mistake, base, suspect->candidate);
        else if (base && !hypothesis->mistake)
            say_amplitude_alone(mistake, base, &hypothesis->changes);
    }
}

static bool says_same(const struct pe_explanation *one, const struct pe_explanation *other)
{
    for (size_t i = 0; i < one->count; i++)
        if (strcmp(one->mistake[i].says, other->mistake[i].says) != 0)
            return false;
    return one->count == other->count;
}

/* Returns whether an explanation has the sentences of one that is given already. */
static bool is_said(const struct pe_verdict *verdict, const struct pe_explanation *explanation)
{
    bool said = says_same(&verdict->explanation, explanation);

    for (size_t i = 0; i < verdict->other_count; i++)
        said = said || says_same(&verdict->others[i], explanation);
    return said;
}

void explain_mistakes(struct pe_verdict *verdict, const struct search *search,
                      const struct candidate *base, const struct pe_verify_role *roles,
                      size_t count)
{
    double without = 0;

    for (size_t i = 0; i < verdict->tensor_count; i++)
        without = fmax(without, verdict->tensor[i].max_abs);
    explain(&verdict->explanation, search->claim, base, &search->found[0], without);
    for (size_t i = 1; i < search->found_count; i++) {
        struct pe_explanation *other = &verdict->others[verdict->other_count];

        if (search->found[i].count != search->found[0].count)
            continue;
        explain(other, search->claim, base, &search->found[i], without);
        if (is_said(verdict, other)) {
            pe_args_free(other->found);
            *other = (struct pe_explanation){.count = 0};
        } else {
            verdict->other_count++;
        }
    }
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

/* Says the wrong rows where they are few runs and others are right; "" where not. */
static const char *say_rows(char text[ROWS_MAX], const struct pe_tensor_verdict *tensor)
{
    const struct pe_verify_where *where = &tensor->wrong_rows;
    size_t len = 0;

    text[0] = '\0';
    if (where->range_count == 0 || where->range_count > 3 || where->more > 0 || where->whole)
        return text;
    len = (size_t)snprintf(text, ROWS_MAX, "; rows ");
    for (size_t i = 0; i < where->range_count; i++)
        len += (size_t)snprintf(text + len, ROWS_MAX - len, "%s%llu:%llu", i > 0 ? ", " : "",
                                (unsigned long long)where->range[i].first,
                                (unsigned long long)where->range[i].end);
    snprintf(text + len, ROWS_MAX - len, " are wrong, the others right");
    return text;
}

static void say_unexplained(struct pe_verdict *verdict, bool known, const char *partly,
                            const struct pe_verify_role *roles)
{
    size_t number;
    const struct pe_tensor_verdict *tensor = worst_tensor(verdict, &number);
    char first[80], rows[ROWS_MAX];

    explain_print_list(first, sizeof first,
                       tensor->finite ? tensor->first : tensor->nonfinite_at, tensor->rank,
                       ", ");
    if (tensor->of == 0 && !known)
        snprintf(
            verdict->says, sizeof verdict->says,
            "the shape of %s is not the claim's, and the search ended before it was explained",
            roles[number].name);
    else if (tensor->of == 0)
        snprintf(verdict->says, sizeof verdict->says,
                 "the shape of %s is not the claim's, and no known mistake explains it",
                 roles[number].name);
    else if (!tensor->finite)
        snprintf(verdict->says, sizeof verdict->says,
                 "%s has NaN or infinity where the claim has none; the first is at %s",
                 roles[number].name, first);
    else if (partly[0] != '\0')
        snprintf(verdict->says, sizeof verdict->says,
                 "%s is not the claim's, and no known mistake explains it: %.260s; the first "
                 "element that differs is %s, the largest distance %.3g",
                 roles[number].name, partly, first, tensor->max_abs);
    else
        snprintf(verdict->says, sizeof verdict->says,
                 "%s is not the claim's, and no known mistake explains it; the first element "
                 "that differs is %s, the largest distance %.3g%s",
                 roles[number].name, first, tensor->max_abs, say_rows(rows, tensor));
}

/* Says by which arithmetic numbers are right. */
static void say_profile(struct pe_verdict *verdict)
{
    const char *profile = verdict->profile, *value = strchr(profile, '=');
    size_t number;
    const double most = worst_tensor(verdict, &number)->max_abs;

    if (strcmp(profile, "f32") == 0)
        snprintf(verdict->says, sizeof verdict->says,
                 "right; the differences are those of float32 arithmetic, at most %.2g", most);
    else if (strcmp(profile, "fast-sine") == 0)
        snprintf(verdict->says, sizeof verdict->says,
                 "right; the differences are those of a fast float32 sine, at most %.2g", most);
    else if (strncmp(profile, "decimals=", 9) == 0 || strncmp(profile, "digits=", 7) == 0)
        snprintf(verdict->says, sizeof verdict->says, "right; printed in %s %.*s", value + 1,
                 (int)(value - profile), profile);
    else if (strncmp(profile, "f8-", 3) == 0 || strstr(profile, "int8"))
        snprintf(verdict->says, sizeof verdict->says,
                 "right; rounded to the levels of %s, by at most %.2g", profile, most);
    else if (strcmp(profile, "sign") == 0 || strcmp(profile, "basis") == 0)
        snprintf(verdict->says, sizeof verdict->says,
                 "right up to the %s of eigenvectors, which nothing determines",
                 strcmp(profile, "sign") == 0 ? "signs" : "signs and bases");
    else
        snprintf(verdict->says, sizeof verdict->says, "right; rounds like %s%s",
                 value ? "" : "profile=", profile);
}

void explain_rest(struct pe_verdict *verdict, bool known, const char *partly,
                  const struct pe_verify_role *roles, size_t count)
{
    char names[NAMES_MAX];
    const bool many = print_names(names, roles, count);
    size_t number;

    if (verdict->kind == PE_EXACT)
        snprintf(verdict->says, sizeof verdict->says,
                 "%s %s exact: every element is the claim's number rounded once", names,
                 many ? "are" : "is");
    else if (verdict->kind == PE_CLOSE)
        snprintf(verdict->says, sizeof verdict->says,
                 "%s %s right to %d digits: the largest distance is %.2g, which no known "
                 "arithmetic explains%s",
                 names, many ? "are" : "is", verdict->digits,
                 worst_tensor(verdict, &number)->max_abs,
                 verdict->holds ? "; the tolerance holds" : "");
    else if (verdict->kind == PE_PROFILE)
        say_profile(verdict);
    else if (verdict->kind == PE_UNEXPLAINED)
        say_unexplained(verdict, known, partly, roles);
}
