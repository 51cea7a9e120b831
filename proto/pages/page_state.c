/* SPDX-License-Identifier: Apache-2.0
 * page_state.c - see page_state.h. */
#include "proto/pages/page_state.h"

#include <string.h>

#include "proto/pictures/colour_map.h"
#include "proto/request/canonical.h"
#include "proto/request/option.h"
#include "proto/request/param_names.h"
#include "proto/text/word.h"

enum { TOLD_MAX = 48 }; /* letters of the other request for people */

struct page_state page_state_of(struct buffer_budget *budget)
{
    return (struct page_state){.own = {.query = {.budget = budget}},
                               .other = {.query = {.budget = budget}},
                               .words = {.budget = budget},
                               .against = {.budget = budget}};
}

void page_state_fini(struct page_state *state)
{
    buffer_fini(&state->own.query);
    buffer_fini(&state->other.query);
    buffer_fini(&state->words);
    buffer_fini(&state->against);
}

bool page_state_failed(const struct page_state *state)
{
    return state->own.query.failed || state->other.query.failed || state->words.failed ||
           state->against.failed;
}

/* ---- requests ------------------------------------------------------------------------ */

static void add(struct buffer *out, const char *name, const char *value)
{
    buffer_add_text(out, out->len > 0 ? "&" : "");
    canonical_encode(out, name);
    buffer_add_text(out, "=");
    canonical_encode(out, value);
}

/* Returns whether the name is a parameter that decides the numbers or their colours. */
static bool is_state(const struct pe_encoding *enc, const struct query_parameter *at)
{
    const struct pe_param *row = param_names_find(enc, at->name, at->name_len);
    const enum option_id option = row ? option_of(row) : OPTION_COUNT;

    return row && option != OPTION_FORMAT && option != OPTION_DATA && option != OPTION_PRETTY &&
           option != OPTION_REV && option != OPTION_CELL;
}

/* Returns the number of the output of that name, from 1 on; 0: there is none. */
static size_t find_output(const struct pe_encoding *enc, const struct query_parameter *name)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (word_is(outputs[i].name, name->value, name->value_len))
            return i + 1;
    return 0;
}

static void read_request(struct page_request *request, const struct pe_encoding *enc,
                         const struct query *query)
{
    request->enc = enc;
    for (size_t i = 0; i < query->count; i++) {
        const struct query_parameter *at = &query->at[i];

        if (strcmp(at->name, "out") == 0)
            request->output = find_output(enc, at);
        if (is_state(enc, at))
            add(&request->query, at->name, at->value);
    }
}

/* Returns the encoding of a request, "rope?dim=64", whose query is read: query_fini it; NULL:
 * none has this name. */
static const struct pe_encoding *parse(const char *text, struct query *query)
{
    const size_t len = strcspn(text, "?");
    const struct pe_encoding *enc = pe_find(text, len);
    struct pe_errors errors = {.count = 0};

    *query = (struct query){.count = 0};
    if (enc && text[len])
        query_parse(query, text + len + 1, strlen(text + len + 1), &errors);
    return enc;
}

/* ---- the words of a page ------------------------------------------------------------- */

static const char *find(const struct query *query, const char *name)
{
    for (size_t i = 0; i < query->count; i++)
        if (strcmp(query->at[i].name, name) == 0)
            return query->at[i].value;
    return NULL;
}

/* The page turns pairs by their angles. */
static void read_view(struct page_state *state, const char *value)
{
    if (strcmp(value, "rotation") == 0)
        add(&state->words, "view", value);
}

static void read_palette(struct page_state *state, const char *value)
{
    for (size_t i = 0; i < COLOUR_MAP_COUNT; i++)
        if (strcmp(colour_map_at((enum colour_map_id)i)->name, value) == 0)
            state->colours = colour_map_at((enum colour_map_id)i)->name;
    if (state->colours)
        add(&state->words, "pal", value);
}

/* Writes a value that a title has no other place for. */
static void tell(struct buffer *out, const char *name, const char *value)
{
    if (out->len + strlen(name) + strlen(value) > TOLD_MAX)
        return;
    buffer_add_format(out, "%s%s%s%s", out->len > 0 ? " " : "", name, *name ? "=" : "", value);
}

/* Writes what the other request has and the page's request has not. */
static void tell_other(struct buffer *out, const struct query *own, const struct query *other,
                       const struct pe_encoding *named)
{
    if (named)
        tell(out, "", pe_name(named));
    for (size_t i = 0; i < other->count; i++) {
        const struct query_parameter *at = &other->at[i];
        const char *same = find(own, at->name);
        const bool is_model = strcmp(at->name, "model") == 0;

        if (strcmp(at->name, "out") != 0 && (!same || strcmp(same, at->value) != 0))
            tell(out, is_model ? "" : at->name, at->value);
    }
    if (out->len == 0)
        buffer_add_text(out, "itself");
}

static void read_other(struct page_state *state, const struct query *own, const char *text)
{
    struct query query;
    const struct pe_encoding *other = parse(text, &query);

    if (other) {
        read_request(&state->other, other, &query);
        tell_other(&state->against, own, &query, other == state->own.enc ? NULL : other);
        add(&state->words, "vs", text);
    }
    query_fini(&query);
}

void page_state_read(struct page_state *state, const struct pe_encoding *enc,
                     const struct query *query)
{
    const char *view = find(query, "view"), *palette = find(query, "pal");
    const char *other = find(query, "vs");

    read_request(&state->own, enc, query);
    if (view)
        read_view(state, view);
    if (palette)
        read_palette(state, palette);
    if (other)
        read_other(state, query, other);
}

/* Reads "rope?dim=64" and "rope?dim=32". */
static void read_pair(struct page_state *state, const char *first, const char *second)
{
    struct query query;
    const struct pe_encoding *enc = parse(first, &query);

    if (enc && pe_find(second, strcspn(second, "?"))) {
        read_request(&state->own, enc, &query);
        read_other(state, &query, second);
    }
    query_fini(&query);
}

/* Writes "a=rope?dim=64&pos=0:4&b=alibi?heads=8" with each "&" of the two requests escaped: the
 * end of a is the start of b. */
static void escape_pair(struct buffer *out, const char *text, size_t len)
{
    const char *second = memmem(text, len, "&b=", 3);

    for (size_t i = 0; i < len; i++)
        if (text[i] == '&' && text + i != second)
            buffer_add_text(out, "%26");
        else
            buffer_add(out, text + i, 1);
}

void page_state_read_pair(struct page_state *state, const char *text, size_t len)
{
    struct pe_errors errors = {.count = 0};
    struct query query = {.count = 0};
    struct buffer escaped = {0};

    if (memchr(text, '?', len))
        escape_pair(&escaped, text, len);
    else
        buffer_add(&escaped, text, len);
    if (!escaped.failed)
        query_parse(&query, len > 0 ? escaped.bytes : "", escaped.len, &errors);
    if (find(&query, "a") && find(&query, "b"))
        read_pair(state, find(&query, "a"), find(&query, "b"));
    query_fini(&query);
    buffer_fini(&escaped);
}

void page_state_write_request(struct buffer *out, const struct page_request *request)
{
    buffer_add_text(out, pe_name(request->enc));
    if (request->query.len > 0) {
        buffer_add_text(out, "?");
        buffer_add(out, request->query.bytes, request->query.len);
    }
}

void page_state_write(struct buffer *out, const struct page_state *state)
{
    page_state_write_request(out, &state->own);
    if (state->words.len > 0) {
        buffer_add_text(out, state->own.query.len > 0 ? "&" : "?");
        buffer_add(out, state->words.bytes, state->words.len);
    }
}
