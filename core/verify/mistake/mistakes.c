/* SPDX-License-Identifier: Apache-2.0
 * mistakes.c - the table of named mistakes. */
#include "core/verify/mistake/mistakes.h"

#include <stdio.h>
#include <string.h>

#define MISTAKE(SLUG, ID, FIRST, VARIANTS, PRICE, FLAGS, SUMMARY)                              \
    {{SLUG, SUMMARY}, mistake_##ID, FIRST, VARIANTS, PRICE, FLAGS},
const struct mistake mistakes[] = {
#include "core/verify/mistake/mistakes.def"
};
#undef MISTAKE

size_t pe_mistake_count(void)
{
    return sizeof mistakes / sizeof *mistakes;
}

const struct pe_mistake_row *pe_mistake_at(size_t i)
{
    return &mistakes[i].row;
}

struct candidate *mistakes_make(const struct mistake *mistake, const struct candidate *base,
                                size_t variant)
{
    if (!candidate_all_fitted(base) && !(mistake->flags & RESHAPES))
        return NULL;
    struct candidate *made = mistake->make(base, mistake->first + variant);
    if (made && made->told_count > base->told_count)
        made->told[made->told_count - 1].slug = mistake->row.slug;
    if (made && strcmp(made->says, base->says) != 0)
        made->said_by = mistake;
    return made;
}

void mistakes_repair(struct candidate *candidate, const char *parameter, const char *found)
{
    const size_t param = args_find(candidate->claim->enc, parameter, strlen(parameter));
    struct changes *repair = &candidate->repair;

    if (param == SIZE_MAX || repair->count == PE_VERIFY_CHANGES)
        return;
    repair->at[repair->count].param = &candidate->claim->enc->params[param];
    snprintf(repair->at[repair->count].text, CHANGE_TEXT, "%s", found);
    repair->count++;
}

void mistakes_tell(struct candidate *made, const char *found, const char *expected)
{
    if (!made || made->told_count == CANDIDATE_TOLD)
        return;
    struct told *told = &made->told[made->told_count++];
    told->slug = "";
    snprintf(told->found, sizeof told->found, "%s", found);
    snprintf(told->expected, sizeof told->expected, "%s", expected);
}

void mistakes_tell_numbers(struct candidate *made, double found, double expected)
{
    char numbers[2][CANDIDATE_TEXT];

    snprintf(numbers[0], sizeof numbers[0], "%.10g", found);
    snprintf(numbers[1], sizeof numbers[1], "%.10g", expected);
    mistakes_tell(made, numbers[0], numbers[1]);
}

struct candidate *mistakes_change(const struct candidate *base, const char *parameter,
                                  const char *text)
{
    const size_t param = args_find(base->claim->enc, parameter, strlen(parameter));
    struct changes changes = base->changes;
    struct candidate *made;

    if (param == SIZE_MAX || base->enc != base->claim->enc || base->warped ||
        base->map != MAP_NONE || base->columns || changes.count == PE_VERIFY_CHANGES ||
        strlen(text) >= CHANGE_TEXT)
        return NULL;
    for (size_t i = 0; i < changes.count; i++)
        if (changes.at[i].param == &base->claim->enc->params[param])
            return NULL;
    changes.at[changes.count].param = &base->claim->enc->params[param];
    snprintf(changes.at[changes.count].text, CHANGE_TEXT, "%s", text);
    changes.count++;
    made = candidate_new(base->claim, &changes, NULL);
    if (made) {
        memcpy(made->view, base->view, sizeof made->view);
        made->repair = base->repair;
    }
    return made;
}

struct candidate *mistakes_map(const struct candidate *base, enum candidate_map what)
{
    struct candidate *made = base->map == MAP_NONE ? candidate_copy(base) : NULL;

    if (made)
        made->map = what;
    return made;
}

bool mistakes_is_output(const struct candidate *base, const char *name)
{
    return strcmp(base->tensor[0]->output->name, name) == 0;
}
