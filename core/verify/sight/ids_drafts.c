/* SPDX-License-Identifier: Apache-2.0
 * ids_drafts.c - see ids_drafts.h. The last axis is that of tokens. A row of a padded sequence
 * counts on in one run, and its padding has one number, which may be the one before the first
 * token's. */
#include "core/verify/sight/ids_drafts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/sight/values.h"

enum { ROWS_MOST = 256, ELEMENTS_MOST = 1 << 16, WORDS = 128, OF_LENGTH = 8 };

/* A batch of ids. */
struct ids {
    const struct view *view;
    uint64_t rows, tokens;
};

/* The tokens of a row that count on. */
struct run {
    uint64_t begin, length;
};

static bool is_ids(const struct ids *ids)
{
    const struct view *view = ids->view;

    if (view->rank == 0 || view->nan || view->infinite || !view->finite ||
        view->dtype == PE_BOOL8 || view->least < 0 || view->most > 0x1p31 || ids->tokens < 2 ||
        ids->rows > ROWS_MOST || ids->rows * ids->tokens > ELEMENTS_MOST)
        return false;
    for (size_t axis = 1; axis + 1 < view->rank; axis++)
        if (view->dims[axis] != 1)
            return false; /* they have several axes */
    for (uint64_t row = 0; row < ids->rows; row++)
        for (uint64_t token = 0; token < ids->tokens; token++) {
            const double id = view_element(view, row, token);

            if (id != floor(id))
                return false;
        }
    return true;
}

static struct run longest_run(const struct ids *ids, uint64_t row)
{
    struct run longest = {0, 1};
    uint64_t begin = 0;

    for (uint64_t token = 1; token < ids->tokens; token++) {
        if (view_element(ids->view, row, token) != view_element(ids->view, row, token - 1) + 1)
            begin = token;
        if (token + 1 - begin > longest.length)
            longest = (struct run){begin, token + 1 - begin};
    }
    return longest;
}

/* ---- drafts ------------------------------------------------------------------------------ */

/* Tries a query with each convention of the encoding. */
static struct pe_args *try_conventions(struct sight *sight, const struct pe_encoding *enc,
                                       const char *query, struct pe_verify_role *roles)
{
    const struct pe_choice *choice =
        pe_param_find(enc, "convention", strlen("convention"))->choices;
    struct pe_args *args = NULL;

    for (; choice->name && !args; choice++) {
        char *text;

        if (asprintf(&text, "convention=%s&%s", choice->name, query) < 0) {
            sight->failed = true;
            return NULL;
        }
        args = sight_try(sight, enc, text, SIGHT_GIVEN, roles);
        free(text);
    }
    return args;
}

/* Tries rows without padding, which are all the same. */
static struct pe_args *try_equal(struct sight *sight, const struct pe_encoding *enc,
                                 const struct ids *ids, struct pe_verify_role *roles)
{
    const double first = view_element(ids->view, 0, 0);
    char query[WORDS];

    for (uint64_t row = 0; row < ids->rows; row++)
        if (view_element(ids->view, row, 0) != first ||
            longest_run(ids, row).length != ids->tokens)
            return NULL;
    const int len =
        snprintf(query, sizeof query, "len=%" PRIu64 "&batch=%" PRIu64, ids->tokens, ids->rows);
    if (first > 0)
        snprintf(query + len, sizeof query - (size_t)len, "&past_len=%.0f", first);
    return try_conventions(sight, enc, query, roles);
}

/* Writes which tokens count on, as 1, and sets what padding has; false where a row has other
 * numbers. `after`: the first token of a run behind padding is padding too. */
static bool write_flags(char *flags, const struct ids *ids, bool after, double *pad)
{
    bool padded = false;
    size_t len = 0;

    for (uint64_t row = 0; row < ids->rows; row++) {
        struct run run = longest_run(ids, row);

        if (after && run.begin > 0 && run.length > 1) {
            run.begin++;
            run.length--;
        }
        for (uint64_t token = 0; token < ids->tokens; token++) {
            const bool kept = token >= run.begin && token < run.begin + run.length;
            const double id = view_element(ids->view, row, token);

            if (!kept && padded && id != *pad)
                return false;
            if (!kept)
                *pad = id;
            padded = padded || !kept;
            if (len > 0)
                flags[len++] = token > 0 ? ',' : ';';
            flags[len++] = kept ? '1' : '0';
        }
    }
    flags[len] = '\0';
    return padded;
}

static struct pe_args *try_padded(struct sight *sight, const struct pe_encoding *enc,
                                  const struct ids *ids, struct pe_verify_role *roles)
{
    char *flags = malloc(2 * ids->rows * ids->tokens + 1), *query = NULL;
    struct pe_args *args = NULL;
    double pad = 0;

    sight->failed = sight->failed || !flags;
    for (int way = 0; flags && !args && way < 4; way++) {
        const bool said = way % 2 != 0; /* padding has another number than by default */

        if (!write_flags(flags, ids, way > 1, &pad))
            continue;
        if (asprintf(&query, "attention_mask=%s%s%.0f", flags, said ? "&pad_value=" : "&",
                     pad) < 0) {
            sight->failed = true;
            break;
        }
        if (!said)
            *strrchr(query, '&') = '\0';
        args = try_conventions(sight, enc, query, roles);
        free(query);
    }
    free(flags);
    return args;
}

/* Writes the lengths of documents, each of which counts from 0; false where a token does not,
 * or there is one document, or each is of one token. */
static bool add_lengths(struct values *values, const void *shown)
{
    const struct ids *ids = shown;
    uint64_t begin = 0, count = 0;

    if (!values_begin(values, "lengths"))
        return false;
    for (uint64_t token = 0; token < ids->tokens; token++) {
        const double id = view_element(ids->view, 0, token);

        if (id != 0 && id != (double)(token - begin))
            return false;
        if (id == 0 && token > 0)
            values_append(values, "%s%" PRIu64, count++ > 0 ? "," : "", token - begin);
        begin = id == 0 ? token : begin;
    }
    values_append(values, "%s%" PRIu64, count > 0 ? "," : "", ids->tokens - begin);
    return count > 0 && count + 1 < ids->tokens;
}

struct pe_args *ids_drafts_try(struct sight *sight, struct pe_verify_role *roles)
{
    static const char *const names[] = {"attention_mask", "convention", "len", "batch", NULL};
    const struct view *view = &sight->views[0];
    struct pe_args *args = NULL;
    const struct pe_encoding *enc;
    struct ids ids = {.view = view};

    if (sight->count != 1 || view->rank == 0)
        return NULL;
    ids.rows = view_rows(view);
    ids.tokens = view_cols(view);
    if (!is_ids(&ids))
        return NULL;
    for (size_t i = 0;
         view->rank > 1 && !args && (enc = sight_encoding(sight, PE_INDEX, names, &i));) {
        args = try_equal(sight, enc, &ids, roles);
        if (!args)
            args = try_padded(sight, enc, &ids, roles);
    }
    return args || ids.rows > 1
               ? args
               : values_try_family(sight, PE_INDEX, OF_LENGTH * ids.tokens + WORDS, add_lengths,
                                   &ids, roles);
}
