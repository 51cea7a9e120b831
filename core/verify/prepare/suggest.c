/* SPDX-License-Identifier: Apache-2.0
 * suggest.c - see suggest.h. The axes of an output have names, which say whose length they
 * are. */
#include "core/verify/prepare/suggest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/args/args.h"

enum { TEXT = 64, SIZES = 2 * PE_MAX_RANK };

/* Returns the words of axes whose length a parameter says; NULL: it says none. */
static const char *axes_of(const struct pe_param *param)
{
    static const struct {
        const char *param, *axes;
    } rows[] = {{"pos", " pos token slot "},
                {"len", " q k token pos "},
                {"q_len", " q "},
                {"k_len", " k "},
                {"q", " q "},
                {"k", " k "},
                {"heads", " heads "},
                {"dim", " dim width pair "},
                {"seq_axis", ""}};

    for (size_t i = 0; i < PE_LEN(rows); i++)
        if (strcmp(rows[i].param, param->name) == 0)
            return rows[i].axes;
    return NULL;
}

bool suggest_is_for(const struct pe_param *param)
{
    return (param->type == PE_INT || param->type == PE_POSITIONS) && axes_of(param);
}

static bool is_axis_of(const struct pe_param *param, const char *axis)
{
    char word[TEXT];

    snprintf(word, sizeof word, " %.50s ", axis);
    return strstr(axes_of(param), word) != NULL;
}

static bool has_axis_of(const struct pe_param *param, const struct pe_output *output)
{
    bool found = false;

    for (size_t i = 0; i < PE_MAX_RANK && output->axes[i]; i++)
        found = found || is_axis_of(param, output->axes[i]);
    return found;
}

/* Returns the first tensor that is judged and has an axis of the parameter, or else the first
 * that is judged, seen as its first output. */
static struct view judged_view(const struct judged *judged, const struct pe_param *param,
                               const struct pe_output **output)
{
    const struct pe_verify_role *roles = judged->roles;
    size_t any = SIZE_MAX, best = SIZE_MAX;

    for (size_t i = 0; i < judged->count; i++) {
        if (!roles[i].output)
            continue;
        any = any == SIZE_MAX ? i : any;
        if (best == SIZE_MAX && has_axis_of(param, roles[i].output))
            best = i;
    }
    best = best == SIZE_MAX ? any : best;
    assert(best != SIZE_MAX); /* pe_verify_assign refuses a set without one */
    *output = roles[best].output;
    return roles[best].form == PE_FORM_WHOLE
               ? judged->views[best]
               : view_part(&judged->views[best], roles[best].form, 0);
}

/* Returns whether an axis before the last is that of a batch of one: two others are longer, of
 * which one is that of the tokens. */
static bool is_batch_of_one(const struct view *view, size_t axis)
{
    size_t longer = 0;

    for (size_t i = 0; i + 1 < view->rank; i++)
        longer += view->dims[i] > 1;
    return view->dims[axis] == 1 && longer >= 2;
}

/* Lists the sizes of axes that the parameter may say, the likeliest first; *axes are their
 * axes. */
static size_t list_sizes(const struct judged *judged, const struct pe_param *param,
                         uint64_t sizes[SIZES], size_t axes[SIZES])
{
    const struct pe_output *output;
    const struct view view = judged_view(judged, param, &output);
    size_t count = 0, names = 0;

    while (names < PE_MAX_RANK && output->axes[names])
        names++;
    for (size_t j = 0; j < names && view.rank >= names; j++)
        if (is_axis_of(param, output->axes[j]))
            axes[count++] = view.rank - names + j;
    for (size_t i = view.rank; i-- > 0;)
        if (i + 1 < view.rank && !is_batch_of_one(&view, i))
            axes[count++] = i;
    if (view.rank > 0)
        axes[count++] = view.rank - 1;
    for (size_t i = 0; i < count; i++)
        sizes[i] = view.dims[axes[i]];
    return count;
}

uint64_t suggest_batch_of(const struct judged *judged, const struct pe_param *param,
                          uint64_t *length)
{
    const struct pe_output *output;
    const struct view view = judged_view(judged, param, &output);
    uint64_t batch = 1;

    *length = 0;
    for (size_t i = view.rank > 0 ? view.rank - 1 : 0; i-- > 0;)
        if (*length > 0)
            batch *= view.dims[i];
        else if (view.dims[i] != 1)
            *length = view.dims[i];
    return batch;
}

/* Writes the positions of a batch whose sequences all begin at 0. */
static bool print_batch(const struct judged *judged, const struct pe_param *param,
                        char text[SUGGEST_TEXT])
{
    uint64_t length;
    const uint64_t batch = suggest_batch_of(judged, param, &length);
    size_t len = 0;

    for (uint64_t i = 0; batch > 1 && i < batch && len < SUGGEST_TEXT; i++)
        len += (size_t)snprintf(text + len, SUGGEST_TEXT - len, "%s0:%llu", i > 0 ? "," : "",
                                (unsigned long long)length);
    return batch > 1 && len < SUGGEST_TEXT;
}

bool suggest(const struct judged *judged, const struct pe_param *param, size_t i,
             char text[SUGGEST_TEXT])
{
    uint64_t sizes[SIZES];
    size_t axes[SIZES];
    const size_t count = list_sizes(judged, param, sizes, axes);
    const bool doubled = param->type == PE_INT && strcmp(param->name, "seq_axis") != 0;
    const size_t at = doubled ? i / 2 : i;

    if (at == count && param->type == PE_POSITIONS)
        return print_batch(judged, param, text);
    if (at >= count)
        return false;
    if (param->type == PE_POSITIONS)
        snprintf(text, TEXT, "0:%llu", (unsigned long long)sizes[at]);
    else if (!doubled)
        snprintf(text, TEXT, "%zu", axes[at]);
    else
        snprintf(text, TEXT, "%llu", (unsigned long long)(sizes[at] << i % 2));
    return true;
}

void suggest_window(const struct judged *judged, struct pe_errors *errors)
{
    const struct view *mask = NULL;
    uint64_t seen = 1;

    if (errors->count == 0 || strcmp(errors->at[0].parameter, "window") != 0)
        return;
    for (size_t i = 0; i < judged->count && !mask; i++)
        mask = judged->roles[i].output ? &judged->views[i] : NULL;
    const uint64_t rows = mask ? view_rows(mask) : 0, cols = mask ? view_cols(mask) : 0;
    if (!mask || mask->rank < 2 || rows == 0 || cols == 0)
        return;
    while (seen < cols && view_element(mask, rows - 1, cols - 1 - seen) ==
                              view_element(mask, rows - 1, cols - 1))
        seen++;
    if (seen < cols)
        snprintf(errors->at[0].hint, sizeof errors->at[0].hint,
                 "the last query of the mask sees %llu keys, as window=%llu has it",
                 (unsigned long long)seen, (unsigned long long)seen);
}
