/* SPDX-License-Identifier: Apache-2.0
 * pages.c - catalogue, schemas, OpenAPI, problem pages, index and version. See pages.h. */
#include "server/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/catalog.h"
#include "proto/openapi.h"
#include "server/about.h"
#include "server/answer.h"
#include "server/condition.h"

#define JSON "application/json"
/* A page loads nothing, runs nothing and stands in no frame. */
#define PAGE_POLICY                                                                            \
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

struct page {
    enum endpoint_id endpoint;
    const char *segment; /* what {...} of the endpoint must be; NULL: it has none */
    const char *type;
    char *bytes;
    size_t len;
    char etag[36];
    struct answer_terms terms;
    struct MHD_Response *ok, *unchanged;
};

struct page_set {
    const struct config *config;
    size_t count, size;
    struct page *at;
};

/* ---- making -------------------------------------------------------------------------- */

/* The page's bytes live as long as its loop, so as long as any response over them. */
static struct MHD_Response *full(const struct page *page, const struct config *config)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(page->len, page->bytes, MHD_RESPMEM_PERSISTENT);

    if (response && answer_add(response, "Content-Type", page->type) &&
        answer_add(response, "X-Content-Type-Options", "nosniff") &&
        answer_add(response, "Content-Security-Policy", PAGE_POLICY) &&
        answer_add(response, "Referrer-Policy", "no-referrer") &&
        answer_add_link(response, config) && answer_add_terms(response, &page->terms))
        return response;
    if (response)
        MHD_destroy_response(response);
    return NULL;
}

/* Adds a page with what `text` holds, which is emptied. */
static bool add(struct page_set *pages, enum endpoint_id endpoint, const char *segment,
                const char *type, struct buffer *text)
{
    struct page *page = &pages->at[pages->count];
    XXH128_hash_t hash;

    *page = (struct page){.endpoint = endpoint, .segment = segment, .type = type};
    page->bytes = buffer_take(text, &page->len);
    if (!page->bytes)
        return false;
    pages->count++;
    hash = XXH3_128bits(page->bytes, page->len);
    snprintf(page->etag, sizeof page->etag, "\"%016llx%016llx\"",
             (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    /* It changes with a release only; a minute bounds how long an old one is believed. */
    page->terms = (struct answer_terms){.control = answer_control(pages->config, ANSWER_MINUTE),
                                        .etag = page->etag};
    page->ok = full(page, pages->config);
    page->unchanged = answer_unchanged(&page->terms, page->len);
    return page->ok && page->unchanged;
}

static bool add_all(struct page_set *pages)
{
    struct buffer text = {0};
    bool ok = true;

    catalog_write(&text);
    ok = ok && add(pages, ENDPOINT_ENCODINGS, NULL, JSON, &text);
    openapi_write(&text, answer_base(pages->config));
    ok = ok && add(pages, ENDPOINT_OPENAPI, NULL, JSON, &text);
    about_root(&text, answer_base(pages->config));
    ok = ok && add(pages, ENDPOINT_ROOT, NULL, JSON, &text);
    about_version(&text, pages->config);
    ok = ok && add(pages, ENDPOINT_VERSION, NULL, JSON, &text);
    for (size_t i = 0; ok && i < pe_count(); i++) {
        catalog_write_encoding(&text, pe_at(i));
        ok = add(pages, ENDPOINT_ENCODING_SCHEMA, pe_name(pe_at(i)), JSON, &text);
    }
    for (size_t i = 0; ok && i < PROBLEM_COUNT; i++) {
        const char *slug = problem_slug((enum problem_kind)i);

        problem_page(&text, slug, strlen(slug));
        ok = add(pages, ENDPOINT_PROBLEM, slug, "text/html; charset=utf-8", &text);
    }
    buffer_fini(&text);
    return ok;
}

struct page_set *pages_new(const struct config *config)
{
    struct page_set *pages = calloc(1, sizeof *pages);

    if (!pages)
        return NULL;
    pages->config = config;
    pages->size = ENDPOINT_COUNT + pe_count() + PROBLEM_COUNT;
    pages->at = calloc(pages->size, sizeof *pages->at);
    if (pages->at && add_all(pages))
        return pages;
    pages_free(pages);
    return NULL;
}

void pages_free(struct page_set *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->at[i].ok)
            MHD_destroy_response(pages->at[i].ok);
        if (pages->at[i].unchanged)
            MHD_destroy_response(pages->at[i].unchanged);
        free(pages->at[i].bytes);
    }
    free(pages->at);
    free(pages);
}

/* ---- answering ----------------------------------------------------------------------- */

static const struct page *find(const struct exchange *ex)
{
    const struct page_set *pages = ex->state->pages;

    for (size_t i = 0; i < pages->count; i++) {
        const struct page *page = &pages->at[i];

        if (page->endpoint == ex->endpoint->id &&
            (!page->segment || (strlen(page->segment) == ex->segment_len &&
                                memcmp(page->segment, ex->segment, ex->segment_len) == 0)))
            return page;
    }
    return NULL;
}

/* How much of the path a sentence shows; the query is behind it. */
static int path_shown(const struct exchange *ex)
{
    return (int)(ex->path_len < 100 ? ex->path_len : 100);
}

static enum next fail_unknown(struct exchange *ex)
{
    const struct page_set *pages = ex->state->pages;
    const char **names = malloc(pages->count * sizeof *names), *near;
    size_t count = 0;

    for (size_t i = 0; names && i < pages->count; i++)
        if (pages->at[i].endpoint == ex->endpoint->id)
            names[count++] = pages->at[i].segment;
    near = pe_suggest(ex->segment, ex->segment_len, names, count);
    free(names);
    return exchange_fail(ex, PROBLEM_NOT_FOUND, "there is nothing at %.*s%s%.64s%s",
                         path_shown(ex), ex->path, near ? "; did you mean " : "",
                         near ? near : "", near ? "?" : "");
}

enum next pages_answer(struct exchange *ex)
{
    const struct page *page = find(ex);

    if (!page)
        return fail_unknown(ex);
    if (ex->query && ex->query_len > 0)
        return exchange_fail(ex, PROBLEM_UNKNOWN_PARAMETER,
                             "this path takes no parameters; ask for %.*s alone",
                             path_shown(ex), ex->path);
    if (condition_check(exchange_head(ex)->if_none_match, page->etag) != CONDITION_NONE)
        return answer_is_private(ex) ? answer_not_modified(ex, &page->terms, page->len)
                                     : answer_ready(ex, 304, page->unchanged, 0);
    return answer_is_private(ex)
               ? answer_queue(ex, 200, full(page, ex->state->pages->config), page->len)
               : answer_ready(ex, 200, page->ok, page->len);
}
