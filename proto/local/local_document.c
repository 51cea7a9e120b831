/* SPDX-License-Identifier: Apache-2.0
 * local_document.c - what there is: encodings, models, the description of the interface. */
#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "proto/describe/model_text.h"
#include "proto/describe/openapi.h"
#include "proto/http/sentences.h"
#include "proto/local/local_state.h"
#include "proto/models/hf/hf_config.h"
#include "proto/models/models.h"

static bool has_query(const struct local *local)
{
    return local->asked->query && local->asked->query_len > 0;
}

/* Reads fields= and q=; false after a problem. */
static bool read_fields(struct local *local, const struct fields *fields,
                        struct fields_query *asked)
{
    const enum pe_status status =
        fields_parse_query(fields, local->asked->query ? local->asked->query : "",
                           local->asked->query_len, asked, &local->errors);

    if (status != PE_OK)
        local_fail_status(local, status);
    return status == PE_OK;
}

void local_encodings(struct local *local)
{
    struct fields_query asked;

    if (!has_query(local))
        catalog_write(&local->answer->body);
    else if (read_fields(local, &catalog_fields, &asked))
        catalog_write_some(&local->answer->body, asked.set);
}

void local_schema(struct local *local)
{
    const struct pe_encoding *enc = pe_find(local->segment, local->segment_len);
    const char **names, *near;

    if (enc) {
        if (!local_refuses_query(local))
            catalog_write_encoding(&local->answer->body, enc);
        return;
    }
    names = malloc(pe_count() * sizeof *names);
    for (size_t i = 0; names && i < pe_count(); i++)
        names[i] = pe_name(pe_at(i));
    near = pe_suggest(local->segment, local->segment_len, names, names ? pe_count() : 0);
    free(names);
    local_fail(local, PROBLEM_NOT_FOUND, SENTENCE_NO_DOCUMENT, local_path_shown(local),
               local->asked->path, near ? "; did you mean " : "", near ? near : "",
               near ? "?" : "");
}

void local_openapi(struct local *local)
{
    struct openapi_part part;
    enum pe_status status = PE_OK;

    memset(part.wanted, true, sizeof part.wanted);
    if (has_query(local))
        status = openapi_part_read(&part, local->asked->query, local->asked->query_len,
                                   &local->errors);
    if (status == PE_OK)
        openapi_write_part(&local->answer->body, "", &part);
    else
        local_fail_status(local, status);
}

void local_models(struct local *local)
{
    struct fields_query asked;

    if (read_fields(local, &model_text_fields, &asked))
        model_text_list(&local->answer->body, models_embedded(), &asked);
}

void local_model(struct local *local)
{
    const struct models *models = models_embedded();
    const struct model *model = models_find(models, local->segment, local->segment_len);
    char near[MODELS_NEAR_TEXT];

    if (local_refuses_query(local))
        return;
    if (model) {
        model_text_one(&local->answer->body, model, true, NULL, 0);
        return;
    }
    models_print_nearest(models, local->segment, local->segment_len, near, sizeof near);
    local_fail(local, PROBLEM_NOT_FOUND, SENTENCE_NO_MODEL,
               (int)(local->segment_len < 60 ? local->segment_len : 60), local->segment,
               near[0] != '\0' ? "; did you mean " : "", near, near[0] != '\0' ? "?" : "");
}

void local_resolve(struct local *local)
{
    struct hf_config *config;
    const char *const *notes;
    size_t count;

    if (local_refuses_query(local))
        return;
    if (!local->asked->type) {
        local_fail(local, PROBLEM_MALFORMED_JSON, SENTENCE_CONFIG_BODY);
        return;
    }
    if (!local_read_body(local, false, NULL))
        return;
    config = hf_config_read(local->json, NULL, NULL, &local->errors);
    if (!config) {
        local_fail_status(local, local->errors.count == 0 ? PE_NO_MEMORY : PE_BAD_VALUE);
        return;
    }
    notes = hf_config_notes(config, &count);
    model_text_one(&local->answer->body, hf_config_model(config), false, notes, count);
    hf_config_free(config);
}
