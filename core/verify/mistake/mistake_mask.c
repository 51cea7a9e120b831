/* SPDX-License-Identifier: Apache-2.0
 * mistake_mask.c - mistakes of masks, documents, padding and buckets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/mistake/mistakes.h"

/* No query sees its own position; or, as windows that are one shorter have it, queries stand
 * one position earlier. */
struct candidate *mistake_mask_strict(const struct candidate *base, size_t variant)
{
    const struct pe_positions *q = candidate_positions(base, "q");
    const struct pe_run run =
        q && pe_positions_count(q) > 0 ? pe_positions_run(q, 0) : (struct pe_run){.left = 0};
    char text[64];

    if (base->enc->family != PE_MASK)
        return NULL;
    if (variant == 0)
        return mistakes_map(base, MAP_STRICT);
    if (run.left == 0 || run.left != pe_positions_count(q))
        return NULL;
    snprintf(text, sizeof text, "%.17g:%.17g", run.first - 1, run.first - 1 + (double)run.left);
    return mistakes_change(base, "q", text);
}

struct candidate *mistake_mask_bool_as_additive(const struct candidate *base, size_t variant)
{
    if (!mistakes_is_output(base, "additive"))
        return NULL;
    return mistakes_map(base, variant == 0 ? MAP_ALLOWED : MAP_HIDDEN);
}

struct candidate *mistake_mask_bucket_boundary(const struct candidate *base, size_t variant)
{
    const bool buckets = mistakes_is_output(base, "buckets") ||
                         (mistakes_is_output(base, "bias") &&
                          args_find_output(base->enc, "buckets") != SIZE_MAX);

    return buckets ? mistakes_map(base, MAP_BOUNDARY) : NULL;
}

/* Returns the list of numbers that the parameter of this name has; NULL if it has none. */
static const struct pe_reals *list_of(const struct candidate *base, const char *name)
{
    const size_t param = args_find(base->enc, name, strlen(name));
    const struct pe_reals *reals;

    if (param == SIZE_MAX || base->enc->params[param].type != PE_REALS)
        return NULL;
    reals = (const void *)(base->args->data + base->enc->params[param].offset);
    return reals->rows > 0 ? reals : NULL;
}

/* Lengths of documents in a row become one document of all tokens. */
static struct candidate *join_lengths(const struct candidate *base)
{
    const struct pe_positions *lengths = candidate_positions(base, "lengths");
    const struct pe_reals *list = list_of(base, "lengths");
    const struct pe_positions *ends = candidate_positions(base, "cu_seqlens");
    double sum = 0;
    char text[80];

    if (ends && pe_positions_count(ends) > 2) { /* where each begins, and the end of all */
        snprintf(text, sizeof text, "%.17g,%.17g", pe_positions_at(ends, 0),
                 pe_positions_at(ends, pe_positions_count(ends) - 1));
        return mistakes_change(base, "cu_seqlens", text);
    }

    for (uint64_t i = 0; lengths && i < pe_positions_count(lengths); i++)
        sum += pe_positions_at(lengths, i);
    for (size_t i = 0; list && i < list->rows * list->cols; i++)
        sum += list->values[i];
    snprintf(text, sizeof text, "%.17g", sum);
    return sum > 0 ? mistakes_change(base, "lengths", text) : NULL;
}

/* Every token in one document: one length, or the same number for all. */
struct candidate *mistake_mask_documents_ignored(const struct candidate *base, size_t variant)
{
    static const char *const names[] = {"documents", "document_ids", "segments", "docs"};
    char text[CHANGE_TEXT];

    if (base->enc->family != PE_MASK)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct pe_positions *ids = candidate_positions(base, names[i]);
        const uint64_t count = ids ? pe_positions_count(ids) : 0;

        if (count == 0 || 2 * count >= CHANGE_TEXT)
            continue;
        for (uint64_t j = 0; j < count; j++)
            memcpy(text + 2 * j, "0,", 2);
        text[2 * count - 1] = '\0';
        return mistakes_change(base, names[i], text);
    }
    return join_lengths(base);
}

struct candidate *mistake_mask_one_sequence(const struct candidate *base)
{
    return base->enc->family == PE_MASK ? NULL : join_lengths(base);
}

/* The mask that says which tokens are padding is taken for all ones. */
struct candidate *mistake_mask_no_padding(const struct candidate *base)
{
    const struct pe_reals *mask = list_of(base, "attention_mask");
    const size_t count = mask ? mask->rows * mask->cols : 0;
    char text[CHANGE_TEXT];

    if (count == 0 || 2 * count >= CHANGE_TEXT)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = '1';
        text[2 * i + 1] = (i + 1) % mask->cols == 0 ? ';' : ',';
    }
    text[2 * count - 1] = '\0';
    return mistakes_change(base, "attention_mask", text);
}

/* Padding keeps its own row, but the tokens after it are counted as if it were tokens. */
struct candidate *mistake_mask_padding_counted(const struct candidate *base)
{
    const struct pe_reals *mask = list_of(base, "attention_mask");
    const size_t count = mask ? mask->rows * mask->cols : 0;
    struct candidate *made = NULL;
    size_t at = 0;

    while (at < count && mask->values[at] != 0)
        at++;
    if (at < count && base->claim->subject_count == 1 && candidate_rows(base, 0) == count &&
        base->map == MAP_NONE)
        made = mistake_mask_no_padding(base);
    if (made && candidate_all_fitted(made))
        made->padding = row_buffer_new(made->widest, &base->claim->failed);
    if (made && made->padding.at) {
        made->map = MAP_PADDING;
        candidate_fill(base, 0, at, made->padding);
        return made;
    }
    candidate_free(made);
    return NULL;
}
