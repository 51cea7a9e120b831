/* SPDX-License-Identifier: Apache-2.0
 * model_pages.c - pages of models, written for each request, since --models-dir may change. */
#include "server/handlers/model_pages.h"

#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_config.h"
#include "proto/pages/model_page.h"
#include "server/exchange/body.h"
#include "server/exchange/document.h"
#include "server/files/model_files.h"
#include "server/handlers/html_frame.h"

enum next model_pages_list(struct exchange *ex)
{
    struct model_set *set;
    struct buffer text = {0};
    struct fields_query asked;

    if (!document_fields(ex, &model_text_fields, &asked))
        return MORE;
    set = model_files_take(exchange_service(ex)->models);
    model_text_list(&text, model_files_models(set), &asked);
    model_files_drop(set);
    return document_answer(ex, &text);
}

enum next model_pages_unknown(struct exchange *ex, const struct models *models)
{
    const struct exchange_target *target = &ex->target;
    char near[MODELS_NEAR_TEXT];

    models_print_nearest(models, target->segment, target->segment_len, near, sizeof near);
    return exchange_fail(
        ex, PROBLEM_NOT_FOUND, "there is no model %.*s%s%.140s%s; /v1/models lists them",
        (int)(target->segment_len < 60 ? target->segment_len : 60), target->segment,
        near[0] != '\0' ? "; did you mean " : "", near, near[0] != '\0' ? "?" : "");
}

/* Answers with the model of the path as JSON or as HTML. */
static enum next answer_one(struct exchange *ex, bool html)
{
    struct page_frame frame = html_frame_of(&exchange_service(ex)->config);
    struct buffer text = {0};
    struct model_set *set;
    const struct model *model;
    enum next next;

    if (document_has_query(ex))
        return MORE;
    set = model_files_take(exchange_service(ex)->models);
    model = models_find(model_files_models(set), ex->target.segment, ex->target.segment_len);
    if (!model) {
        next = model_pages_unknown(ex, model_files_models(set));
    } else if (html) {
        model_page_write(&text, &frame, model);
        next = document_answer_as(ex, page_frame_type, &text);
    } else {
        model_text_one(&text, model, true, NULL, 0);
        next = document_answer(ex, &text);
    }
    model_files_drop(set);
    return next;
}

enum next model_pages_one(struct exchange *ex)
{
    return answer_one(ex, false);
}

enum next model_pages_html_one(struct exchange *ex)
{
    return answer_one(ex, true);
}

enum next model_pages_html_list(struct exchange *ex)
{
    struct page_frame frame = html_frame_of(&exchange_service(ex)->config);
    struct buffer text = {0};
    struct model_set *set;

    if (document_has_query(ex))
        return MORE;
    set = model_files_take(exchange_service(ex)->models);
    model_page_write_list(&text, &frame, model_files_models(set));
    model_files_drop(set);
    return document_answer_as(ex, page_frame_type, &text);
}

enum next model_pages_resolve(struct exchange *ex)
{
    struct buffer text = {0};
    struct hf_config *config;
    const char *const *notes;
    size_t count;

    if (document_has_query(ex))
        return MORE;
    if (!ex->body.json)
        return exchange_fail(ex, PROBLEM_MALFORMED_JSON,
                             "send a Hugging Face config.json as the body");
    if (body_finish(ex) == MORE && ex->problem.kind != PROBLEM_COUNT)
        return MORE;
    pe_errors_clear(ex->problem.errors);
    config = hf_config_read(ex->body.json, NULL, ex->problem.errors);
    if (!config)
        return exchange_fail_status(
            ex, problem_kind_of(ex->problem.errors) == PROBLEM_OVERLOADED ? PE_NO_MEMORY
                                                                          : PE_BAD_VALUE);
    notes = hf_config_notes(config, &count);
    model_text_one(&text, hf_config_model(config), false, notes, count);
    hf_config_free(config);
    return document_answer(ex, &text);
}
