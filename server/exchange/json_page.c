/* SPDX-License-Identifier: Apache-2.0
 * json_page.c - see json_page.h. */
#include "server/exchange/json_page.h"

#include <stdlib.h>

#include "server/exchange/answer.h"
#include "server/exchange/cors.h"
#include "server/exchange/packing.h"
#include "server/http/condition.h"
#include "server/http/page_tag.h"

struct page {
    char *bytes;
    size_t len;
    struct page_tag tag;
    enum coding coding;
};

/* The text and its tag: packed where that is wanted, unless the client has it as it is. False
 * when there is no memory. */
static bool make(struct exchange *ex, struct buffer *text, struct page *page)
{
    const char *known = exchange_head(ex)->if_none_match;
    char *packed;
    size_t len;

    page->bytes = buffer_take(text, &page->len);
    if (!page->bytes)
        return false;
    page->tag = page_tag_of(page->bytes, page->len, CODING_PLAIN);
    if (!packing_suits_page(ex, page->len) ||
        condition_check(known, page->tag.text) != CONDITION_NONE ||
        !packing_page(ex, page->bytes, page->len, &packed, &len))
        return true;
    page->tag = page_tag_of(page->bytes, page->len, CODING_GZIP);
    free(page->bytes);
    *page = (struct page){packed, len, page->tag, CODING_GZIP};
    return true;
}

static struct MHD_Response *full(const struct exchange *ex, const struct page *page,
                                 const struct answer_terms *terms)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(page->len, page->bytes, MHD_RESPMEM_MUST_FREE);

    if (!response) {
        free(page->bytes);
        return NULL;
    }
    if (answer_add(response, "Content-Type", "application/json") &&
        answer_add(response, "X-Content-Type-Options", "nosniff") &&
        answer_add_coding(response, page->coding) &&
        answer_add_link(response, &exchange_service(ex)->config) &&
        answer_add_terms(response, terms))
        return response;
    MHD_destroy_response(response);
    return NULL;
}

enum next json_page_answer(struct exchange *ex, struct buffer *text)
{
    bool post = exchange_head(ex)->method == METHOD_POST;
    struct answer_terms terms = {
        .control =
            post ? "no-store" : answer_control(&exchange_service(ex)->config, ANSWER_MINUTE),
        .by_coding = true,
        .by_origin = cors_of(&exchange_service(ex)->config) == CORS_LISTED};
    struct page page = {0};

    if (!make(ex, text, &page))
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (page.coding == CODING_PLAIN && packing_refuses_plain(ex)) {
        free(page.bytes);
        return MORE;
    }
    if (!post)
        terms.etag = page.tag.text;
    if (!post &&
        condition_check(exchange_head(ex)->if_none_match, page.tag.text) != CONDITION_NONE) {
        free(page.bytes);
        return answer_not_modified(ex, &terms, page.len);
    }
    return answer_queue(ex, 200, full(ex, &page, &terms), page.len);
}

bool json_page_has_query(struct exchange *ex)
{
    if (!ex->query || ex->query_len == 0)
        return false;
    exchange_fail(ex, PROBLEM_UNKNOWN_PARAMETER,
                  "this path takes no parameters; ask for %.*s alone",
                  (int)(ex->path_len < 100 ? ex->path_len : 100), ex->path);
    return true;
}
