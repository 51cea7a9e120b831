/* SPDX-License-Identifier: Apache-2.0
 * pages.c - catalogue, schemas, OpenAPI, documentation, problem pages, index and version. See
 * pages.h. */
#include "server/handlers/pages.h"

#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "proto/describe/openapi.h"
#include "proto/pages/docs_page.h"
#include "proto/pages/encoding_page.h"
#include "proto/pages/guide.h"
#include "proto/pages/problem_page.h"
#include "server/exchange/compress.h"
#include "server/exchange/cors.h"
#include "server/exchange/document.h"
#include "server/exchange/response.h"
#include "server/handlers/about.h"
#include "server/handlers/html_frame.h"
#include "server/http/if_none_match.h"

/* A variant of a page: identity or gzip. */
struct variant {
    char *bytes; /* NULL until a client asks for the variant */
    size_t len;
    struct document_tag tag;
    struct response_meta meta;
    struct MHD_Response *ok, *unchanged;
};

struct page {
    enum endpoint_id endpoint;
    const char *segment; /* the text for {...} in the endpoint's path; NULL: no {...} */
    size_t number;       /* of the encoding, guide or problem that the page describes */
    const char *type;
    void (*write)(struct buffer *out, const struct page *page, const struct config *config);
    struct variant variants[CONTENT_CODING_GZIP + 1];
};

struct page_set {
    const struct config *config;
    size_t count;
    struct page *at;
};

/* ---- making -------------------------------------------------------------------------- */

/* The bytes of a page live as long as its loop, so they outlive every response made of them. */
static struct MHD_Response *full(const struct page *page, const struct variant *variant,
                                 const struct config *config)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(variant->len, variant->bytes, MHD_RESPMEM_PERSISTENT);

    return response_if(response && document_add_type(response, page->type) &&
                           response_add_coding(response, variant->meta.coding) &&
                           response_add_link(response, config) &&
                           response_add_meta(response, &variant->meta),
                       response);
}

static void unmake(struct variant *variant)
{
    if (variant->ok)
        MHD_destroy_response(variant->ok);
    if (variant->unchanged)
        MHD_destroy_response(variant->unchanged);
    free(variant->bytes);
    variant->ok = variant->unchanged = NULL;
    variant->bytes = NULL;
}

static void write_encodings(struct buffer *out, const struct page *page,
                            const struct config *config)
{
    catalog_write(out);
}

static void write_openapi(struct buffer *out, const struct page *page,
                          const struct config *config)
{
    openapi_write(out, response_base(config));
}

static void write_root(struct buffer *out, const struct page *page, const struct config *config)
{
    about_root(out, response_base(config));
}

static void write_version(struct buffer *out, const struct page *page,
                          const struct config *config)
{
    about_version(out, config);
}

static void write_schema(struct buffer *out, const struct page *page,
                         const struct config *config)
{
    catalog_write_encoding(out, pe_at(page->number));
}

static void write_docs(struct buffer *out, const struct page *page, const struct config *config)
{
    const struct page_frame frame = html_frame_of(config);

    docs_page_write(out, &frame);
}

static void write_disagreements(struct buffer *out, const struct page *page,
                                const struct config *config)
{
    const struct page_frame frame = html_frame_of(config);

    docs_page_write_disagreements(out, &frame);
}

static void write_doc(struct buffer *out, const struct page *page, const struct config *config)
{
    const struct page_frame frame = html_frame_of(config);

    encoding_page_write(out, &frame, pe_at(page->number));
}

static void write_guide(struct buffer *out, const struct page *page,
                        const struct config *config)
{
    const struct page_frame frame = html_frame_of(config);

    guide_write(out, &frame, guide_at(page->number));
}

static void write_problem(struct buffer *out, const struct page *page,
                          const struct config *config)
{
    const struct page_frame frame = html_frame_of(config);

    problem_page_write(out, &frame, (enum problem_kind)page->number);
}

/* Makes the tag and the responses of a variant that has its bytes; false, and the variant is
 * empty, when memory is out. A page changes with a release only; max-age is a minute, so that
 * caches notice a release soon. */
static bool make(const struct page *page, struct variant *variant, enum content_coding coding,
                 const struct config *config)
{
    const struct variant *plain = &page->variants[CONTENT_CODING_IDENTITY];

    variant->tag = document_tag_of(plain->bytes, plain->len, coding);
    variant->meta =
        (struct response_meta){.control = response_cache_control(config, RESPONSE_MINUTE),
                               .by_accept = page->endpoint == ENDPOINT_ROOT,
                               .by_coding = true,
                               .by_origin = cors_of(config) == CORS_LISTED,
                               .for_anybody = cors_of(config) == CORS_ANYBODY,
                               .coding = coding,
                               .etag = variant->tag.text};
    variant->ok = full(page, variant, config);
    variant->unchanged = response_unchanged(&variant->meta, variant->len);
    if (variant->ok && variant->unchanged)
        return true;
    unmake(variant);
    return false;
}

static bool make_plain(struct page *page, const struct config *config)
{
    struct variant *plain = &page->variants[CONTENT_CODING_IDENTITY];
    struct buffer text = {0};

    if (plain->bytes)
        return true;
    page->write(&text, page, config);
    plain->bytes = buffer_take(&text, &plain->len);
    buffer_fini(&text);
    return plain->bytes && make(page, plain, CONTENT_CODING_IDENTITY, config);
}

/* Called after make_plain. */
static bool make_gzip(struct exchange *ex, struct page *page)
{
    const struct variant *plain = &page->variants[CONTENT_CODING_IDENTITY];
    struct variant *gzip = &page->variants[CONTENT_CODING_GZIP];

    return gzip->bytes ||
           (compress_page(ex, plain->bytes, plain->len, &gzip->bytes, &gzip->len) &&
            make(page, gzip, CONTENT_CODING_GZIP, ex->state->pages->config));
}

static void add_encodings(struct page_set *pages)
{
    for (size_t i = 0; i < pe_count(); i++) {
        const char *name = pe_name(pe_at(i));

        pages->at[pages->count++] = (struct page){
            ENDPOINT_ENCODING_SCHEMA, name, i, DOCUMENT_JSON, write_schema, {{0}}};
        pages->at[pages->count++] =
            (struct page){ENDPOINT_DOCS_PAGE, name, i, page_frame_type, write_doc, {{0}}};
    }
}

static void add_guides(struct page_set *pages)
{
    for (size_t i = 0; i < guide_count(); i++) {
        const char *slug = guide_at(i)->slug, *slash = strchr(slug, '/');

        pages->at[pages->count++] =
            (struct page){slash ? ENDPOINT_DOCS_VERIFY : ENDPOINT_DOCS_PAGE,
                          slash ? slash + 1 : slug,
                          i,
                          page_frame_type,
                          write_guide,
                          {{0}}};
    }
}

static void add_all(struct page_set *pages)
{
    static const struct page single[] = {
        {ENDPOINT_ENCODINGS, NULL, 0, DOCUMENT_JSON, write_encodings, {{0}}},
        {ENDPOINT_OPENAPI, NULL, 0, DOCUMENT_JSON, write_openapi, {{0}}},
        {ENDPOINT_ROOT, NULL, 0, DOCUMENT_JSON, write_root, {{0}}},
        {ENDPOINT_VERSION, NULL, 0, DOCUMENT_JSON, write_version, {{0}}},
        {ENDPOINT_DOCS, NULL, 0, page_frame_type, write_docs, {{0}}},
        {ENDPOINT_DOCS_PAGE, "disagreements", 0, page_frame_type, write_disagreements, {{0}}},
    };

    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        pages->at[pages->count++] = single[i];
    add_encodings(pages);
    add_guides(pages);
    for (size_t i = 0; i < PROBLEM_COUNT; i++)
        pages->at[pages->count++] = (struct page){ENDPOINT_PROBLEM,
                                                  problem_slug((enum problem_kind)i),
                                                  i,
                                                  page_frame_type,
                                                  write_problem,
                                                  {{0}}};
}

struct page_set *pages_new(const struct config *config)
{
    struct page_set *pages = calloc(1, sizeof *pages);

    if (!pages)
        return NULL;
    pages->config = config;
    pages->at = calloc(ENDPOINT_COUNT + 2 * pe_count() + guide_count() + PROBLEM_COUNT,
                       sizeof *pages->at);
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
        for (size_t j = 0; j <= CONTENT_CODING_GZIP; j++)
            unmake(&pages->at[i].variants[j]);
    free(pages->at);
    free(pages);
}

/* ---- answering ----------------------------------------------------------------------- */

static struct page *find(const struct exchange *ex)
{
    const struct page_set *pages = ex->state->pages;

    for (size_t i = 0; i < pages->count; i++) {
        struct page *page = &pages->at[i];

        if (page->endpoint == ex->target.endpoint->id &&
            (!page->segment ||
             (strlen(page->segment) == ex->target.segment_len &&
              memcmp(page->segment, ex->target.segment, ex->target.segment_len) == 0)))
            return page;
    }
    return NULL;
}

/* The bytes of the path that a sentence shows; the path is not NUL-terminated. */
static int path_shown(const struct exchange *ex)
{
    return (int)(ex->target.path_len < 100 ? ex->target.path_len : 100);
}

static enum next fail_unknown(struct exchange *ex)
{
    const struct page_set *pages = ex->state->pages;
    const char **names = malloc(pages->count * sizeof *names), *near;
    size_t count = 0;

    for (size_t i = 0; names && i < pages->count; i++)
        if (pages->at[i].endpoint == ex->target.endpoint->id)
            names[count++] = pages->at[i].segment;
    near = pe_suggest(ex->target.segment, ex->target.segment_len, names, count);
    free(names);
    return exchange_fail(ex, PROBLEM_NOT_FOUND, "there is nothing at %.*s%s%.64s%s",
                         path_shown(ex), ex->target.path, near ? "; did you mean " : "",
                         near ? near : "", near ? "?" : "");
}

static bool has(const struct exchange *ex, const struct variant *variant)
{
    return if_none_match_check(exchange_head(ex)->if_none_match, variant->tag.text) !=
           IF_NONE_MATCH_NONE;
}

static enum next answer(struct exchange *ex, const struct page *page,
                        const struct variant *variant)
{
    if (has(ex, variant))
        return response_is_private(ex) ? response_not_modified(ex, &variant->meta, variant->len)
                                       : response_ready(ex, 304, variant->unchanged, 0);
    return response_is_private(ex)
               ? response_queue(ex, 200, full(page, variant, ex->state->pages->config),
                                variant->len)
               : response_ready(ex, 200, variant->ok, variant->len);
}

enum next pages_list(struct exchange *ex)
{
    struct buffer text = {0};
    struct fields_query asked;

    if (!ex->target.query || ex->target.query_len == 0)
        return pages_answer(ex);
    if (!document_fields(ex, &catalog_fields, &asked))
        return MORE;
    catalog_write_some(&text, asked.set);
    return document_answer(ex, &text);
}

enum next pages_openapi(struct exchange *ex)
{
    const struct config *config = ex->state->pages->config;
    struct buffer text = {0};
    enum pe_status status;

    if (!ex->target.query || ex->target.query_len == 0)
        return pages_answer(ex);
    pe_errors_clear(ex->problem.errors);
    status = openapi_write_part(&text, response_base(config), ex->target.query,
                                ex->target.query_len, ex->problem.errors);
    if (status != PE_OK)
        return exchange_fail_status(ex, status);
    return document_answer(ex, &text);
}

enum next pages_answer(struct exchange *ex)
{
    struct page *page = find(ex);
    const struct variant *plain;

    if (!page)
        return fail_unknown(ex);
    if (ex->target.query && ex->target.query_len > 0)
        return exchange_fail(ex, PROBLEM_UNKNOWN_PARAMETER,
                             "this path takes no parameters; ask for %.*s alone",
                             path_shown(ex), ex->target.path);
    if (!make_plain(page, ex->state->pages->config))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    plain = &page->variants[CONTENT_CODING_IDENTITY];
    if (compress_suits_page(ex, plain->len) && make_gzip(ex, page))
        return answer(ex, page, has(ex, plain) ? plain : &page->variants[CONTENT_CODING_GZIP]);
    return compress_refuses_identity(ex) ? MORE : answer(ex, page, plain);
}
