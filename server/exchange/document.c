/* SPDX-License-Identifier: Apache-2.0
 * document.c - see document.h. */
#include "server/exchange/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/http/gzip.h"
#include "proto/pages/page_frame.h"
#include "server/exchange/compress.h"
#include "server/exchange/cors.h"
#include "server/exchange/response.h"
#include "server/http/if_none_match.h"

/* JSON may load nothing, run nothing and be shown in no frame. */
#define JSON_POLICY                                                                            \
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

bool document_add_type(struct MHD_Response *response, const char *type)
{
    bool html = strcmp(type, page_frame_type) == 0;

    return response_add(response, "Content-Type", type) &&
           response_add(response, "X-Content-Type-Options", "nosniff") &&
           response_add(response, "Content-Security-Policy",
                        html ? page_frame_policy : JSON_POLICY) &&
           response_add(response, "Referrer-Policy", "no-referrer");
}

struct document_tag document_tag_of(const char *bytes, size_t len, enum content_coding coding)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, len);
    struct document_tag tag;

    snprintf(tag.text, sizeof tag.text, "\"%016llx%016llx%s\"", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, coding == CONTENT_CODING_GZIP ? "-" GZIP_TAG : "");
    return tag;
}

struct page {
    char *bytes;
    size_t len;
    struct document_tag tag;
    enum content_coding coding;
};

/* Makes the page of the text: compressed where that is wanted, unless the client has the
 * uncompressed page. False when there is no memory. */
static bool make(struct exchange *ex, struct buffer *text, struct page *page)
{
    const char *known = exchange_head(ex)->if_none_match;
    char *compressed;
    size_t len;

    page->bytes = buffer_take(text, &page->len);
    if (!page->bytes)
        return false;
    page->tag = document_tag_of(page->bytes, page->len, CONTENT_CODING_IDENTITY);
    if (!compress_suits_page(ex, page->len) ||
        if_none_match_check(known, page->tag.text) != IF_NONE_MATCH_NONE ||
        !compress_page(ex, page->bytes, page->len, &compressed, &len))
        return true;
    page->tag = document_tag_of(page->bytes, page->len, CONTENT_CODING_GZIP);
    free(page->bytes);
    *page = (struct page){compressed, len, page->tag, CONTENT_CODING_GZIP};
    return true;
}

static struct MHD_Response *full(const struct exchange *ex, const char *type,
                                 const struct page *page, const struct response_meta *meta)
{
    struct MHD_Response *response = response_of_bytes(page->bytes, page->len);

    return response_if(response && document_add_type(response, type) &&
                           response_add_coding(response, page->coding) &&
                           response_add_link(response, &exchange_service(ex)->config) &&
                           response_add_meta(response, meta),
                       response);
}

/* Returns whether the answer may be asked for again, with its tag. */
static bool is_kept(const struct exchange *ex)
{
    return exchange_head(ex)->method != METHOD_POST &&
           ex->target.endpoint->id != ENDPOINT_VERIFY;
}

enum next document_answer_as(struct exchange *ex, const char *type, struct buffer *text)
{
    bool kept = is_kept(ex);
    struct response_meta meta = {
        .control = kept ? response_cache_control(&exchange_service(ex)->config, RESPONSE_MINUTE)
                        : "no-store",
        .by_accept = (ex->target.endpoint->access & ENDPOINT_TWOFOLD) != 0,
        .by_coding = true,
        .by_origin = cors_of(&exchange_service(ex)->config) == CORS_LISTED,
        .old_names = ex->request ? request_old_names(ex->request) : NULL};
    struct page page = {0};

    if (!make(ex, text, &page))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (page.coding == CONTENT_CODING_IDENTITY && compress_refuses_identity(ex)) {
        free(page.bytes);
        return MORE;
    }
    if (kept)
        meta.etag = page.tag.text;
    if (kept && if_none_match_check(exchange_head(ex)->if_none_match, page.tag.text) !=
                    IF_NONE_MATCH_NONE) {
        free(page.bytes);
        return response_not_modified(ex, &meta, page.len);
    }
    return response_queue(ex, 200, full(ex, type, &page, &meta), page.len);
}

enum next document_answer(struct exchange *ex, struct buffer *text)
{
    return document_answer_as(ex, DOCUMENT_JSON, text);
}

bool document_fields(struct exchange *ex, const struct fields *fields,
                     struct fields_query *asked)
{
    enum pe_status status;

    pe_errors_clear(ex->problem.errors);
    status = fields_parse_query(fields, ex->target.query, ex->target.query_len, asked,
                                ex->problem.errors);
    if (status != PE_OK)
        exchange_fail_status(ex, status);
    return status == PE_OK;
}

bool document_has_query(struct exchange *ex)
{
    if (!ex->target.query || ex->target.query_len == 0)
        return false;
    exchange_fail(
        ex, PROBLEM_UNKNOWN_PARAMETER, "this path takes no parameters; ask for %.*s alone",
        (int)(ex->target.path_len < 100 ? ex->target.path_len : 100), ex->target.path);
    return true;
}
