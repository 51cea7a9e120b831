/* SPDX-License-Identifier: Apache-2.0
 * mask_drafts.c - see mask_drafts.h. The last two axes are queries and keys, of which the first
 * mask is read; the test of a draft reads all. The last query stands at the last key. A query
 * sees a key where the mask has the value that most queries have at their own. */
#include "core/verify/sight/mask_drafts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/row_buffer.h"
#include "core/verify/solve/mask_print.h"
#include "core/verify/solve/mask_say.h"
#include "core/verify/solve/mask_terms.h"

enum { SIDE_MOST = 2048, OF_KEY = 12 }; /* characters that a key takes in a draft, at most */

/* Values of parameters, joined as in a query. */
struct values {
    const struct pe_encoding *enc; /* that has the parameters; others are left out */
    char *text;
    size_t len, size;
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

/* Returns whether two values are all that the first mask has, and which of them is seen. */
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

/* ---- the terms as values of parameters --------------------------------------------------- */

static void __attribute__((format(printf, 2, 3)))
append(struct values *values, const char *format, ...)
{
    va_list list;

    assert(values->len < values->size); /* OF_KEY is enough for each key */
    va_start(list, format);
    const int len =
        vsnprintf(values->text + values->len, values->size - values->len, format, list);
    va_end(list);
    if (len > 0)
        values->len += (size_t)len;
}

/* Begins the value of a parameter; false: the encoding has none of this name. */
static bool begin(struct values *values, const char *name)
{
    if (!pe_param_find(values->enc, name, strlen(name)))
        return false;
    append(values, "%s%s=", values->len > 0 ? "&" : "", name);
    return true;
}

static void add_whole(struct values *values, const char *name, uint64_t value)
{
    if (begin(values, name))
        append(values, "%" PRIu64, value);
}

/* Documents by their lengths, and the first of them as the length of all. */
static void add_documents(struct values *values, const struct mask_terms *terms)
{
    uint64_t first = 1;

    while (first < terms->keys && terms->document[first] == terms->document[0])
        first++;
    add_whole(values, "chunk", first);
    if (!begin(values, "lengths"))
        return;
    for (uint64_t key = 0, end; key < terms->keys; key = end) {
        for (end = key + 1; end < terms->keys && terms->document[end] == terms->document[key];)
            end++;
        append(values, "%s%" PRIu64, key > 0 ? "," : "", end - key);
    }
}

/* Blocks by a number for each key; a key without a block of its own has -1. */
static void add_blocks(struct values *values, const struct mask_terms *terms)
{
    uint64_t count = 0;

    if (!begin(values, "block_ids"))
        return;
    for (uint64_t key = 0, end; key < terms->keys; key = end) {
        for (end = key + 1; end < terms->keys && terms->block[end] == terms->block[key];)
            end++;
        for (uint64_t i = key; i < end; i++)
            append(values, "%s%" PRId64, i > 0 ? "," : "", end - key > 1 ? (int64_t)count : -1);
        count += end - key > 1;
    }
}

static void add_hidden(struct values *values, const struct mask_terms *terms)
{
    if (mask_print_count(terms->hidden, terms->keys) == 0 || !begin(values, "attention_mask"))
        return;
    for (uint64_t key = 0; key < terms->keys; key++)
        append(values, "%s%d", key > 0 ? "," : "", !terms->hidden[key]);
}

static void add_ahead(struct values *values, const struct mask_terms *terms)
{
    const enum mask_ahead kind = mask_print_kind(terms);

    add_whole(values, "causal", kind == MASK_CAUSAL);
    if (kind == MASK_PREFIX)
        add_whole(values, "prefix_len", mask_print_prefix(terms));
    if (kind == MASK_BLOCKS)
        add_blocks(values, terms);
    if (kind == MASK_DISTANCE && terms->window == (uint64_t)terms->ahead + 1)
        add_whole(values, "window", (uint64_t)terms->ahead);
    else if (kind == MASK_DISTANCE && terms->window > 0 && begin(values, "left")) {
        append(values, "%" PRIu64 "&right=%" PRId64 "&convention=flash", terms->window - 1,
               terms->ahead);
    }
}

static void add_terms(struct values *values, const struct mask_terms *terms, bool inverted)
{
    if (begin(values, "q"))
        append(values, "%" PRIu64 ":%" PRIu64, terms->offset, terms->keys);
    else
        add_whole(values, "len", terms->keys);
    if (begin(values, "k"))
        append(values, "0:%" PRIu64, terms->keys);
    add_ahead(values, terms);
    if (terms->window > 0 && terms->ahead == 0)
        add_whole(values, "window", terms->window);
    if (mask_print_document_count(terms) > 1)
        add_documents(values, terms);
    add_hidden(values, terms);
    if (inverted && begin(values, "true_means"))
        append(values, "masked");
}

/* Returns whether all that the encoding requires has a value. */
static bool is_complete(const struct values *values)
{
    for (size_t i = 0; i < values->enc->param_count; i++) {
        const struct pe_param *param = &values->enc->params[i];
        char pair[80];

        snprintf(pair, sizeof pair, "&%s=", param->name);
        if (param->required && !param->when && !strstr(values->text, pair) &&
            strncmp(values->text, pair + 1, strlen(pair + 1)) != 0)
            return false;
    }
    return true;
}

/* ---- drafts ------------------------------------------------------------------------------ */

static struct pe_args *try_terms(struct sight *sight, const struct pe_encoding *enc,
                                 const struct mask_terms *terms, bool inverted,
                                 struct pe_verify_role *roles)
{
    struct values values = {.enc = enc, .size = OF_KEY * terms->keys + 256};
    struct pe_args *args = NULL;

    values.text = calloc(values.size, 1);
    sight->failed = sight->failed || !values.text;
    if (!values.text)
        return NULL;
    add_terms(&values, terms, inverted);
    if (is_complete(&values))
        args = sight_try(sight, enc, values.text, SIGHT_GIVEN, roles);
    free(values.text);
    return args;
}

/* Tries the encodings of masks, those of shorter names first, which are the plainer ones. */
static struct pe_args *try_encodings(struct sight *sight, const struct mask_terms *terms,
                                     bool inverted, struct pe_verify_role *roles)
{
    struct pe_args *args = NULL;

    for (size_t i = 0; i < pe_count() && !args; i++)
        if (sight->shortest[i]->family == PE_MASK)
            args = try_terms(sight, sight->shortest[i], terms, inverted, roles);
    return args;
}

struct pe_args *mask_drafts_try(struct sight *sight, struct pe_verify_role *roles)
{
    const struct view *view = &sight->views[0];
    struct mask_seen seen = {.at = NULL};
    struct mask_terms terms;
    struct pe_args *args = NULL;
    double shown = 0;

    if (sight->count != 1 || !read_seen(sight, view, &seen, &shown))
        return NULL;
    if (mask_terms_read(&terms, &seen, &sight->failed)) {
        args = try_encodings(sight, &terms, shown == 0 && view->least == 0 && view->most > 0,
                             roles);
        if (!args && (view->dtype == PE_BOOL8 || view->infinite || view->least <= MASK_HIDES))
            mask_say_terms(&terms, sight->reads, sizeof sight->reads);
        mask_terms_fini(&terms);
    }
    free(seen.at);
    return args;
}
