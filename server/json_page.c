/* SPDX-License-Identifier: Apache-2.0
 * json_page.c - see json_page.h. */
#include "server/json_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "server/answer.h"
#include "server/condition.h"
#include "server/cors.h"

enum next json_page_answer(struct exchange *ex, struct buffer *text)
{
    bool post = exchange_head(ex)->method == METHOD_POST;
    struct answer_terms terms = {
        .control =
            post ? "no-store" : answer_control(&exchange_service(ex)->config, ANSWER_MINUTE),
        .by_origin = cors_of(&exchange_service(ex)->config) == CORS_LISTED};
    struct MHD_Response *response;
    XXH128_hash_t hash;
    char etag[36];
    size_t len = 0;
    char *bytes = buffer_take(text, &len);

    if (!bytes)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    hash = XXH3_128bits(bytes, len);
    snprintf(etag, sizeof etag, "\"%016llx%016llx\"", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    if (!post)
        terms.etag = etag;
    if (!post && condition_check(exchange_head(ex)->if_none_match, etag) != CONDITION_NONE) {
        free(bytes);
        return answer_not_modified(ex, &terms, len);
    }
    response = MHD_create_response_from_buffer(len, bytes, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(bytes);
    if (response && (!answer_add(response, "Content-Type", "application/json") ||
                     !answer_add(response, "X-Content-Type-Options", "nosniff") ||
                     !answer_add_link(response, &exchange_service(ex)->config) ||
                     !answer_add_terms(response, &terms))) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return answer_queue(ex, 200, response, len);
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
