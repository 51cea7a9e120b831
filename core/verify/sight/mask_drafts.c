/* SPDX-License-Identifier: Apache-2.0
 * mask_drafts.c - see mask_drafts.h. The last two axes are queries and keys, of which the first
 * mask is read; the test of a draft reads all. The last query stands at the last key. A query
 * sees a key where the mask has the value that most queries have at their own. */
#include "core/verify/sight/mask_drafts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/row_buffer.h"
#include "core/verify/sight/mask_shapes.h"
#include "core/verify/sight/values.h"
#include "core/verify/solve/mask_print.h"
#include "core/verify/solve/mask_say.h"
#include "core/verify/solve/mask_terms.h"

enum {
    SIDE_MOST = 2048,
    OF_KEY = 12, /* characters that a key takes in a draft, at most */
    MASKS_MOST = 64,
    PADDING_RUNS = 3 /* padding before and behind the tokens of a sequence */
};

/* The terms that were read of a mask, and how its tensor writes them. */
struct shown_terms {
    const struct mask_terms *terms;
    bool inverted;         /* true hides a key */
    const bool *hidden;    /* of each key of each mask of a batch: no query sees it */
    const uint64_t *first; /* queries of each mask that see its first key */
    uint64_t masks;
};

/* ---- reading --------------------------------------------------------------------------- */

static bool has_sides(const struct view *view, struct mask_seen *seen)
{
    if (view->rank < 2 || view->nan || view_rows(view) == 0)
        return false;
    seen->keys = view->dims[view->rank - 1];
    seen->queries = view->dims[view->rank - 2];
    seen->offset = seen->keys - seen->queries;
    return seen->queries > 0 && seen->queries <= seen->keys && seen->keys <= SIDE_MOST;
}

/* Returns whether a number hides a key where it is added to a score, and 0 shows it. */
static bool hides(double hidden, double shown)
{
    return shown == 0 && hidden <= MASK_HIDES;
}

/* Returns whether two values are all that the first mask has, and which of them is seen: of
 * numbers that are added it is 0, of one query, whose own key may be any, what is not 0. */
static bool find_values(const struct view *view, const struct mask_seen *seen,
                        struct row_buffer row, double *shown)
{
    double value[2] = {0, 0};
    size_t count = 0;
    uint64_t own[2] = {0, 0};

    for (uint64_t query = 0; query < seen->queries; query++) {
        view_row(view, query, row);
        for (uint64_t key = 0; key < seen->keys; key++) {
            size_t at = 0;

            while (at < count && row.at[key] != value[at])
                at++;
            if (at == 2)
                return false;
            if (at == count)
                value[count++] = row.at[key];
            own[at] += key == query + seen->offset;
        }
    }
    *shown = value[own[1] > own[0]];
    if (hides(value[0], value[1]) || hides(value[1], value[0]))
        *shown = 0;
    else if (seen->queries == 1)
        *shown = fmax(value[0], value[1]);
    return count == 2;
}

/* Reads which keys each query sees. The caller frees seen->at. */
static bool read_seen(struct sight *sight, const struct view *view, struct mask_seen *seen,
                      double *shown)
{
    struct row_buffer row;

    if (!has_sides(view, seen))
        return false;
    row = row_buffer_new(seen->keys, &sight->failed);
    sight->operations += MASK_OF_ELEMENT * (double)seen->queries * (double)seen->keys;
    const bool two = row.at && find_values(view, seen, row, shown);
    seen->at = two ? malloc(seen->queries * seen->keys) : NULL;
    sight->failed = sight->failed || (two && !seen->at);
    for (uint64_t query = 0; seen->at && query < seen->queries; query++) {
        view_row(view, query, row);
        for (uint64_t key = 0; key < seen->keys; key++)
            seen->at[query * seen->keys + key] = row.at[key] == *shown;
    }
    free(row.at);
    return seen->at != NULL;
}

/* Reads which keys of each mask of a batch no query sees, and how many queries see the first:
 * the first axis is that of sequences.
 * The caller frees them; NULL: there is one mask, or too many. */
static bool *read_batch(struct sight *sight, const struct view *view,
                        const struct mask_seen *seen, double shown, uint64_t first[MASKS_MOST],
                        uint64_t *masks)
{
    *masks = view->rank > 2 ? view->dims[0] : 1;
    if (*masks < 2 || *masks > MASKS_MOST)
        return NULL;
    memset(first, 0, *masks * sizeof *first);
    const uint64_t rows = view_rows(view) / *masks;
    struct row_buffer row = row_buffer_new(seen->keys, &sight->failed);
    bool *hidden = malloc(*masks * seen->keys);

    sight->failed = sight->failed || !hidden;
    sight->operations += (double)view_rows(view) * (double)seen->keys;
    if (hidden)
        memset(hidden, true, *masks * seen->keys);
    for (uint64_t i = 0; hidden && row.at && i < view_rows(view); i++) {
        view_row(view, i, row);
        first[i / rows] += row.at[0] == shown && i % rows < seen->queries;
        for (uint64_t key = 0; key < seen->keys; key++)
            hidden[i / rows * seen->keys + key] &= row.at[key] != shown;
    }
    free(row.at);
    return hidden;
}

/* ---- the terms as values of parameters --------------------------------------------------- */

/* Documents by the number of each key, -1 where its query sees nothing; false where each sees
 * something. */
static bool add_numbers(struct values *values, const struct mask_terms *terms)
{
    if (terms->offset > 0 || mask_print_count(terms->empty, terms->queries) == 0 ||
        !values_begin(values, "document_ids"))
        return false;
    for (uint64_t key = 0; key < terms->keys; key++)
        values_append(values, "%s%" PRId64, key > 0 ? "," : "",
                      terms->empty[key] ? -1 : (int64_t)terms->document[key]);
    return true;
}

/* Returns the length of the longest document. */
static uint64_t longest_document(const struct mask_terms *terms)
{
    uint64_t longest = 0;

    for (uint64_t key = 0, end; key < terms->keys; key = end) {
        for (end = key + 1; end < terms->keys && terms->document[end] == terms->document[key];)
            end++;
        longest = end - key > longest ? end - key : longest;
    }
    return longest;
}

/* Documents by their lengths, and the longest of them as the length of all, beside which the
 * first keys are padding where they are fewer. */
static void add_documents(struct values *values, const struct shown_terms *of)
{
    const struct mask_terms *terms = of->terms;
    const uint64_t chunk = longest_document(terms);

    if (values_whole(values, "chunk", chunk) && of->first &&
        values_begin(values, "left_padding"))
        for (uint64_t i = 0; i < of->masks; i++)
            values_append(values, "%s%" PRIu64, i > 0 ? "," : "", of->first[i] % chunk);
    if (!values_begin(values, "lengths"))
        return;
    for (uint64_t key = 0, end; key < terms->keys; key = end) {
        for (end = key + 1; end < terms->keys && terms->document[end] == terms->document[key];)
            end++;
        values_append(values, "%s%" PRIu64, key > 0 ? "," : "", end - key);
    }
}

/* Blocks by a number for each key; a key without a block of its own has -1. */
static void add_blocks(struct values *values, const struct mask_terms *terms)
{
    uint64_t count = 0;

    if (!values_begin(values, "block_ids"))
        return;
    for (uint64_t key = 0, end; key < terms->keys; key = end) {
        for (end = key + 1; end < terms->keys && terms->block[end] == terms->block[key];)
            end++;
        for (uint64_t i = key; i < end; i++)
            values_append(values, "%s%" PRId64, i > 0 ? "," : "",
                          end - key > 1 ? (int64_t)count : -1);
        count += end - key > 1;
    }
}

static void add_hidden(struct values *values, const struct shown_terms *of)
{
    const uint64_t keys = of->terms->keys, masks = of->hidden ? of->masks : 1;
    const bool *hidden = of->hidden ? of->hidden : of->terms->hidden;

    if (mask_print_count(hidden, masks * keys) == 0 || !values_begin(values, "attention_mask"))
        return;
    for (uint64_t i = 0; i < masks * keys; i++)
        values_append(values, "%s%d", i == 0 ? "" : i % keys == 0 ? ";" : ",", !hidden[i]);
}

static void add_ahead(struct values *values, const struct mask_terms *terms)
{
    const enum mask_ahead kind = mask_print_kind(terms);

    (void)values_whole(values, "causal", kind == MASK_CAUSAL);
    if (kind == MASK_PREFIX)
        (void)values_whole(values, "prefix_len", mask_print_prefix(terms));
    if (kind == MASK_BLOCKS)
        add_blocks(values, terms);
    if (kind == MASK_ALL && terms->window > 0 && values_begin(values, "left")) {
        values_append(values, "%" PRIu64 "&right=-1&convention=flash", terms->window - 1);
        return;
    }
    if (kind == MASK_DISTANCE && terms->window == (uint64_t)terms->ahead + 1)
        (void)values_whole(values, "window", (uint64_t)terms->ahead);
    else if (kind == MASK_DISTANCE && terms->window > 0 && values_begin(values, "left")) {
        values_append(values, "%" PRIu64 "&right=%" PRId64 "&convention=flash",
                      terms->window - 1, terms->ahead);
    }
}

/* Returns whether one query hides keys here and there, as the padding of no sequence lies: the
 * mask would be a list of itself. */
static bool is_list(const struct mask_terms *terms)
{
    size_t runs = 1;

    for (uint64_t key = 1; key < terms->keys; key++)
        runs += terms->hidden[key] != terms->hidden[key - 1];
    return terms->queries == 1 && runs > PADDING_RUNS;
}

/* Adds what one query sees by itself, as the last step of decoding does: the first keys and the
 * last ones, or the last ones alone. False: the encoding has neither, or the query sees other
 * keys. */
static bool add_step(struct values *values, const struct mask_terms *terms)
{
    const uint64_t keys = terms->keys;
    uint64_t sinks = 0, begin, end = keys;

    while (sinks < keys && !terms->hidden[sinks])
        sinks++;
    while (end > sinks && terms->hidden[end - 1])
        end--;
    for (begin = end; begin > sinks && !terms->hidden[begin - 1];)
        begin--;
    if (terms->queries != 1 || sinks == keys || begin == end)
        return false;
    if (pe_param_find(values->enc, "sink_tokens", strlen("sink_tokens")))
        return sinks > 0 && end == keys && values_whole(values, "sink_tokens", sinks) &&
               values_whole(values, "window", end - begin);
    return sinks == 0 && end == keys && values_whole(values, "window", end - begin);
}

static bool add_terms(struct values *values, const void *shown)
{
    const struct shown_terms *of = shown;
    const struct mask_terms *terms = of->terms;

    if (is_list(terms))
        return false; /* of itself */
    mask_shapes_add_sides(values, terms->offset, terms->keys);
    if (!of->hidden && add_step(values, terms))
        return true;
    add_ahead(values, terms);
    if (terms->window > 0 && terms->ahead == 0)
        (void)values_whole(values, "window", terms->window);
    if (add_numbers(values, terms))
        return true;
    if (mask_print_document_count(terms) > 1)
        add_documents(values, of);
    add_hidden(values, of);
    if (of->inverted && values_begin(values, "true_means"))
        values_append(values, "masked");
    return true;
}

/* ---- flags of a batch -------------------------------------------------------------------- */

/* Adds the flags of sequences, a row each: 1 is a token, 0 is padding. */
static bool add_flags(struct values *values, const void *shown)
{
    const struct view *view = shown;

    if (!values_begin(values, "attention_mask"))
        return false;
    for (uint64_t row = 0; row < view_rows(view); row++)
        for (uint64_t key = 0; key < view_cols(view); key++)
            values_append(values, "%s%d",
                          key > 0   ? ","
                          : row > 0 ? ";"
                                    : "",
                          view_element(view, row, key) != 0);
    return values_whole(values, "causal", 0) && values_whole(values, "q", 0);
}

/* Returns whether rows are flags of sequences that are padded on one side, the same for all. */
static bool are_flags(const struct view *view)
{
    bool left = false, right = false;

    if (view->rank != 2 || view->nan || view->infinite || view->least != 0 || view->most != 1 ||
        view_rows(view) > MASKS_MOST || view_cols(view) > SIDE_MOST)
        return false;
    for (uint64_t row = 0; row < view_rows(view); row++)
        for (uint64_t key = 0; key < view_cols(view); key++) {
            const double flag = view_element(view, row, key),
                         before = key > 0 ? view_element(view, row, key - 1) : flag;

            if (flag != 0 && flag != 1)
                return false;
            left = left || flag > before;
            right = right || flag < before;
        }
    return left != right;
}

/* ---- drafts ------------------------------------------------------------------------------ */

struct pe_args *mask_drafts_try(struct sight *sight, struct pe_verify_role *roles)
{
    const struct view *view = &sight->mask;
    struct mask_seen seen = {.at = NULL};
    struct mask_terms terms;
    struct pe_args *args = NULL;
    double shown = 0;

    if (sight->count != 1)
        return NULL;
    const bool read = read_seen(sight, view, &seen, &shown);
    const bool inverted = shown == 0 && view->least == 0 && view->most > 0;
    if (read && mask_terms_read(&terms, &seen, &sight->failed)) {
        struct shown_terms of = {&terms, inverted, NULL, NULL, 1};
        uint64_t first[MASKS_MOST];
        bool *hidden = read_batch(sight, view, &seen, shown, first, &of.masks);

        of.hidden = hidden;
        of.first = hidden ? first : NULL;
        args = values_try_family(sight, PE_MASK, (OF_KEY + 2 * of.masks) * terms.keys + 256,
                                 add_terms, &of, roles);
        free(hidden);
        if (!args && (view->dtype == PE_BOOL8 || view->infinite || view->least <= MASK_HIDES))
            mask_say_terms(&terms, sight->reads, sizeof sight->reads);
        mask_terms_fini(&terms);
    } else if (read) {
        args = mask_shapes_try(sight, &seen, inverted, roles);
    }
    free(seen.at);
    if (!args)
        args = mask_shapes_try_windows(sight, view, roles);
    if (!args && !sight->reads[0] && are_flags(view))
        args = values_try_family(sight, PE_MASK, 2 * view_rows(view) * view_cols(view) + 64,
                                 add_flags, view, roles);
    return args;
}
