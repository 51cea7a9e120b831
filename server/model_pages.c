/* SPDX-License-Identifier: Apache-2.0
 * model_pages.c - models as they are now, written for each request: names are few and the
 * folder may change. A tag of the bytes makes them cheap to ask for again. */
#include "server/model_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "proto/hf_config.h"
#include "proto/model_text.h"
#include "server/answer.h"
#include "server/condition.h"
#include "server/model_files.h"
#include "server/upload.h"

/* The text as JSON; it is emptied. */
static enum next answer_json(struct exchange *ex, struct buffer *text)
{
    bool post = exchange_head(ex)->method == METHOD_POST;
    struct answer_terms terms = {
        .control =
            post ? "no-store" : answer_control(&exchange_service(ex)->config, ANSWER_MINUTE)};
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

static bool has_query(struct exchange *ex)
{
    if (!ex->query || ex->query_len == 0)
        return false;
    exchange_fail(ex, PROBLEM_UNKNOWN_PARAMETER,
                  "this path takes no parameters; ask for %.*s alone",
                  (int)(ex->path_len < 100 ? ex->path_len : 100), ex->path);
    return true;
}

enum next model_pages_list(struct exchange *ex)
{
    struct model_set *set;
    struct buffer text = {0};

    if (has_query(ex))
        return MORE;
    set = model_files_take(exchange_service(ex)->models);
    model_text_list(&text, model_files_models(set));
    model_files_drop(set);
    return answer_json(ex, &text);
}

static enum next fail_unknown(struct exchange *ex, const struct models *models)
{
    const char *near = models_suggest(models, ex->segment, ex->segment_len);

    return exchange_fail(ex, PROBLEM_NOT_FOUND,
                         "there is no model %.*s%s%.64s%s; /v1/models lists them",
                         (int)(ex->segment_len < 60 ? ex->segment_len : 60), ex->segment,
                         near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

enum next model_pages_one(struct exchange *ex)
{
    struct buffer text = {0};
    struct model_set *set;
    const struct model *model;
    enum next next;

    if (has_query(ex))
        return MORE;
    set = model_files_take(exchange_service(ex)->models);
    model = models_find(model_files_models(set), ex->segment, ex->segment_len);
    if (model) {
        model_text_one(&text, model, true, NULL, 0);
        next = answer_json(ex, &text);
    } else {
        next = fail_unknown(ex, model_files_models(set));
    }
    model_files_drop(set);
    return next;
}

enum next model_pages_resolve(struct exchange *ex)
{
    struct buffer text = {0};
    struct hf_config *config;
    const char *const *notes;
    size_t count;

    if (has_query(ex))
        return MORE;
    if (!ex->body)
        return exchange_fail(ex, PROBLEM_MALFORMED_JSON,
                             "send a Hugging Face config.json as the body");
    if (upload_finish(ex) == MORE && ex->problem != PROBLEM_COUNT)
        return MORE;
    pe_errors_clear(ex->errors);
    config = hf_config_read(ex->body, NULL, ex->errors);
    if (!config)
        return exchange_fail_status(ex, problem_kind_of(ex->errors) == PROBLEM_OVERLOADED
                                            ? PE_NO_MEMORY
                                            : PE_BAD_VALUE);
    notes = hf_config_notes(config, &count);
    model_text_one(&text, hf_config_model(config), false, notes, count);
    hf_config_free(config);
    return answer_json(ex, &text);
}

enum next model_pages_key(struct exchange *ex, exchange_step *step)
{
    struct model_set *set = model_files_take(exchange_service(ex)->models);
    enum next next;

    request_set_models(ex->request, model_files_models(set));
    next = step(ex);
    model_files_drop(set);
    return next;
}
