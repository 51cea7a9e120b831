/* SPDX-License-Identifier: Apache-2.0
 * fault.c - fills the sentences of faults.def with values. */
#include "core/verify/say/fault.h"

#include <stdio.h>
#include <string.h>

#include "core/encoding.h"

struct fault {
    const char *slug, *says, *fix, *code;
};

#define FAULT(SLUG, SAYS, FIX, CODE) {SLUG, SAYS, FIX, CODE},
static const struct fault faults[] = {
#include "core/verify/say/faults.def"
};
#undef FAULT

enum { VALUE_MAX = 100, SIDE_MAX = 144, MEANING_MAX = 90 };

/* Returns the row of the slug with this right value, or where the value found is negative, or
 * of the slug alone; NULL: none. */
static const struct fault *find(const char *slug, const struct fault_values *values)
{
    const char *expected = values->expected;
    const bool negative = values->found && values->found[0] == '-';
    const size_t len = strlen(slug);
    const struct fault *found = NULL;

    for (size_t i = 0; i < PE_LEN(faults); i++) {
        if (strncmp(faults[i].slug, slug, len) != 0)
            continue;
        if (faults[i].slug[len] == '=' && expected &&
            strcmp(faults[i].slug + len + 1, expected) == 0)
            return &faults[i];
        if (negative && strcmp(faults[i].slug + len, "<0") == 0)
            return &faults[i];
        if (faults[i].slug[len] == '\0')
            found = &faults[i];
    }
    return found;
}

static bool is_told(const char *value)
{
    return value && *value != '\0';
}

/* Returns the value that a text begins with the name of, and the length of the name. */
static const char *value_at(const char *text, const struct fault_values *values, size_t *len)
{
    static const char found[] = "{found}", size[] = "{-found}", expected[] = "{expected}";

    *len = sizeof found - 1;
    if (strncmp(text, found, *len) == 0)
        return values->found ? values->found : "";
    *len = sizeof size - 1;
    if (strncmp(text, size, *len) == 0)
        return values->found && values->found[0] == '-' ? values->found + 1 : "";
    *len = sizeof expected - 1;
    if (strncmp(text, expected, *len) == 0)
        return values->expected ? values->expected : "";
    *len = 0;
    return NULL;
}

/* Writes a sentence with its values; false, and nothing, where one is not told. */
static bool fill(char *text, const char *sentence, const struct fault_values *values)
{
    size_t len = 0, name;

    text[0] = '\0';
    for (const char *at = sentence; *at != '\0' && len < PE_VERIFY_SENTENCE - 1;) {
        const char *value = value_at(at, values, &name);

        if (value && !is_told(value)) {
            text[0] = '\0';
            return false;
        }
        if (value)
            len += (size_t)snprintf(text + len, PE_VERIFY_SENTENCE - len, "%.80s", value);
        else
            text[len++] = *at;
        at += value ? name : 1;
        if (len >= PE_VERIFY_SENTENCE)
            len = PE_VERIFY_SENTENCE - 1;
        text[len] = '\0';
    }
    return true;
}

static void print_value(char *text, const char *name, const char *value)
{
    if (is_told(value))
        snprintf(text, VALUE_MAX, "%.30s=%.60s", name, value);
    else
        snprintf(text, VALUE_MAX, "no %.60s", name);
}

/* Copies half a sentence, which is cut behind a word where it is longer than MEANING_MAX. */
static const char *shorten(char text[MEANING_MAX + 4], const char *sentence)
{
    size_t len = strlen(sentence);

    if (len > MEANING_MAX)
        for (len = MEANING_MAX; len > 0 && sentence[len] != ' ';)
            len--;
    snprintf(text, MEANING_MAX + 4, "%.*s%s", (int)len, sentence,
             sentence[len] != '\0' ? "..." : "");
    return text;
}

/* Writes a value, and behind it in brackets what the schema says of it where it is a choice. */
static void describe(char text[SIDE_MAX], const struct pe_param *param, const char *value)
{
    const struct pe_choice *choice = param && param->type == PE_CHOICE ? param->choices : NULL;
    char meaning[MEANING_MAX + 4];

    while (choice && choice->name && strcmp(choice->name, value ? value : "") != 0)
        choice++;
    if (choice && choice->name && choice->summary)
        snprintf(text, SIDE_MAX, "%.40s (%s)", value, shorten(meaning, choice->summary));
    else
        snprintf(text, SIDE_MAX, "%.80s", is_told(value) ? value : "none");
}

/* Says another value of a parameter that has no row, or no value, as its schema says it. */
static void say_parameter(struct pe_mistake *mistake, const struct pe_verify_change *change,
                          const struct pe_param *param)
{
    const bool meant = param && param->type != PE_CHOICE;
    char found[SIDE_MAX], expected[SIDE_MAX], meaning[MEANING_MAX + 4] = "";

    if (meant)
        shorten(meaning, pe_param_summary(param));
    describe(found, param, change->found);
    describe(expected, param, change->expected);
    snprintf(mistake->says, sizeof mistake->says, "%.30s%s%s%s is %s where %s is right",
             change->parameter, meant ? " (" : "", meaning, meant ? ")" : "", found, expected);
    print_value(found, change->parameter, change->found);
    print_value(expected, change->parameter, change->expected);
    snprintf(mistake->fix, sizeof mistake->fix, "use %s in place of %s", expected, found);
}

void fault_write(struct pe_mistake *mistake, const struct fault_values *values,
                 const char *summary)
{
    const struct fault *fault = find(mistake->slug, values);
    const struct pe_verify_change *first =
        mistake->change_count > 0 ? &mistake->change[0] : NULL;

    if (summary)
        snprintf(mistake->says, sizeof mistake->says, "%s", summary);
    else if (first)
        say_parameter(mistake, first, values->param);
    if (!fault || !fill(mistake->code, fault->says, values))
        return;
    snprintf(mistake->says, sizeof mistake->says, "%s", mistake->code);
    fill(mistake->fix, fault->fix, values);
    fill(mistake->code, fault->code, values);
}
