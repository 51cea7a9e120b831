/* SPDX-License-Identifier: Apache-2.0
 * hypothesis.c - a list of hypotheses. */
#include "core/verify/hypothesis/hypothesis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hypothesis_add(struct hypotheses *list, const struct hypothesis *hypothesis)
{
    if (list->count == list->size) {
        size_t size = list->size ? 2 * list->size : 64;
        struct hypothesis *grown = realloc(list->at, size * sizeof *grown);

        if (!grown) {
            list->failed = true;
            return;
        }
        list->at = grown;
        list->size = size;
    }
    list->at[list->count++] = *hypothesis;
}

void hypothesis_free(struct hypotheses *list)
{
    free(list->at);
    *list = (struct hypotheses){.count = 0};
}

static bool is_tried(const struct hypotheses *list, const struct pe_param *param,
                     const char *text)
{
    for (size_t i = list->count; i-- > 0;) {
        const struct changes *changes = &list->at[i].changes;

        if (changes->count != 1 || changes->at[0].param != param)
            return false; /* the values of a parameter adjoin */
        if (strcmp(changes->at[0].text, text) == 0)
            return true;
    }
    return false;
}

void hypothesis_add_text(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param, const char *text, double price)
{
    const char *own = claim->text[claim_index(claim, param)];
    const bool claimed = args_bit(claim->args->given, claim_index(claim, param));
    struct hypothesis hypothesis = {.slug = param->name,
                                    .price = claimed ? 0.75 * price : price};

    if ((own && strcmp(own, text) == 0) || strlen(text) >= CHANGE_TEXT ||
        is_tried(list, param, text))
        return;
    hypothesis.changes.count = 1;
    hypothesis.changes.at[0].param = param;
    snprintf(hypothesis.changes.at[0].text, CHANGE_TEXT, "%s", text);
    hypothesis_add(list, &hypothesis);
    claim->failed = claim->failed || list->failed;
}

void hypothesis_add_lone(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param, const char *text, double price)
{
    const size_t before = list->count;

    hypothesis_add_text(list, claim, param, text, price);
    if (list->count > before)
        list->at[before].lone = true;
}

bool hypothesis_is_arithmetic(const struct pe_param *param)
{
    static const char *const names[] = {"profile", "powf", "rotate_math", "in_dtype"};

    for (size_t i = 0; i < PE_LEN(names); i++)
        if (strcmp(param->name, names[i]) == 0)
            return true;
    return false;
}

bool hypothesis_is_choice(const struct hypothesis *hypothesis)
{
    const enum pe_type type = hypothesis->changes.at[0].param->type;

    return type == PE_CHOICE || type == PE_BOOL;
}
