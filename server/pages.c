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
#include "server/cors.h"

#define JSON "application/json"
/* A page loads nothing, runs nothing and stands in no frame. */
#define PAGE_POLICY                                                                            \
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

struct page {
    enum endpoint_id endpoint;
    const char *segment; /* what {...} of the endpoint must be; NULL: it has none */
    size_t number;       /* of the encoding or problem that it is about */
    const char *type;
    void (*write)(struct buffer *out, const struct page *page, const struct config *config);
    char *bytes; /* NULL until somebody asks for it */
    size_t len;
    char etag[36];
    struct answer_terms terms;
    struct MHD_Response *ok, *unchanged;
};

struct page_set {
    const struct config *config;
    size_t count;
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

static void unmake(struct page *page)
{
    if (page->ok)
        MHD_destroy_response(page->ok);
    if (page->unchanged)
        MHD_destroy_response(page->unchanged);
    free(page->bytes);
    page->ok = page->unchanged = NULL;
    page->bytes = NULL;
}

static void write_encodings(struct buffer *out, const struct page *page,
                            const struct config *config)
{
    (void)page;
    (void)config;
    catalog_write(out);
}

static void write_openapi(struct buffer *out, const struct page *page,
                          const struct config *config)
{
    (void)page;
    openapi_write(out, answer_base(config));
}

static void write_root(struct buffer *out, const struct page *page, const struct config *config)
{
    (void)page;
    about_root(out, answer_base(config));
}

static void write_version(struct buffer *out, const struct page *page,
                          const struct config *config)
{
    (void)page;
    about_version(out, config);
}

static void write_schema(struct buffer *out, const struct page *page,
                         const struct config *config)
{
    (void)config;
    catalog_write_encoding(out, pe_at(page->number));
}

static void write_problem(struct buffer *out, const struct page *page,
                          const struct config *config)
{
    (void)config;
    problem_page(out, page->segment, strlen(page->segment));
}

/* Bytes, tag and responses of a page, once. False when out of memory, and none are left. */
static bool make(struct page *page, const struct config *config)
{
    struct buffer text = {0};
    XXH128_hash_t hash;

    if (page->bytes)
        return true;
    page->write(&text, page, config);
    page->bytes = buffer_take(&text, &page->len);
    buffer_fini(&text);
    if (!page->bytes)
        return false;
    hash = XXH3_128bits(page->bytes, page->len);
    snprintf(page->etag, sizeof page->etag, "\"%016llx%016llx\"",
             (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    /* It changes with a release only; a minute bounds how long an old one is believed. */
    page->terms = (struct answer_terms){.control = answer_control(config, ANSWER_MINUTE),
                                        .by_origin = cors_of(config) == CORS_LISTED,
                                        .for_anybody = cors_of(config) == CORS_ANYBODY,
                                        .etag = page->etag};
    page->ok = full(page, config);
    page->unchanged = answer_unchanged(&page->terms, page->len);
    if (page->ok && page->unchanged)
        return true;
    unmake(page);
    return false;
}

static void add_all(struct page_set *pages)
{
    static const struct page single[] = {
        {.endpoint = ENDPOINT_ENCODINGS, .type = JSON, .write = write_encodings},
        {.endpoint = ENDPOINT_OPENAPI, .type = JSON, .write = write_openapi},
        {.endpoint = ENDPOINT_ROOT, .type = JSON, .write = write_root},
        {.endpoint = ENDPOINT_VERSION, .type = JSON, .write = write_version},
    };

    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        pages->at[pages->count++] = single[i];
    for (size_t i = 0; i < pe_count(); i++)
        pages->at[pages->count++] = (struct page){.endpoint = ENDPOINT_ENCODING_SCHEMA,
                                                  .segment = pe_name(pe_at(i)),
                                                  .number = i,
                                                  .type = JSON,
                                                  .write = write_schema};
    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        pages->at[pages->count++] = (struct page){.endpoint = ENDPOINT_PROBLEM,
                                                  .segment = problem_slug((enum problem_kind)i),
                                                  .number = i,
                                                  .type = "text/html; charset=utf-8",
                                                  .write = write_problem};
}

struct page_set *pages_new(const struct config *config)
{
    struct page_set *pages = calloc(1, sizeof *pages);

    if (!pages)
        return NULL;
    pages->config = config;
    pages->at = calloc(ENDPOINT_COUNT + pe_count() + PROBLEM_COUNT, sizeof *pages->at);
    if (pages->at) {
        add_all(pages);
        return pages;
    }
    free(pages);
    return NULL;
}

void pages_free(struct page_set *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++)
        unmake(&pages->at[i]);
    free(pages->at);
    free(pages);
}

/* ---- answering ----------------------------------------------------------------------- */

static struct page *find(const struct exchange *ex)
{
    const struct page_set *pages = ex->state->pages;

    for (size_t i = 0; i < pages->count; i++) {
        struct page *page = &pages->at[i];

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
    struct page *page = find(ex);

    if (!page)
        return fail_unknown(ex);
    if (ex->query && ex->query_len > 0)
        return exchange_fail(ex, PROBLEM_UNKNOWN_PARAMETER,
                             "this path takes no parameters; ask for %.*s alone",
                             path_shown(ex), ex->path);
    if (!make(page, ex->state->pages->config))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (condition_check(exchange_head(ex)->if_none_match, page->etag) != CONDITION_NONE)
        return answer_is_private(ex) ? answer_not_modified(ex, &page->terms, page->len)
                                     : answer_ready(ex, 304, page->unchanged, 0);
    return answer_is_private(ex)
               ? answer_queue(ex, 200, full(page, ex->state->pages->config), page->len)
               : answer_ready(ex, 200, page->ok, page->len);
}
