/* SPDX-License-Identifier: Apache-2.0
 * fuzz_hf_config.c - any bytes as a config.json. A refused file gets a problem that is JSON;
 * an accepted one is a model that has a JSON description and legal requests as URLs. Targets:
 * the functions of proto/models/hf/hf_config.c proto/models/hf/hf_rope.c
 * proto/models/hf/hf_layers.c proto/models/hf/hf_reader.c proto/models/hf/hf_base.c
 * proto/models/hf/hf_class.c proto/models/hf/hf_unknown_keys.c
 * proto/models/hf/hf_no_rope.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/describe/model_urls.h"
#include "proto/http/problem.h"
#include "proto/models/hf/hf_config.h"
#include "proto/models/model_output.h"
#include "proto/request/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json(struct buffer *text)
{
    json_t *document = json_loadb(text->bytes, text->len, JSON_REJECT_DUPLICATES, NULL);

    assert(document);
    json_decref(document);
    buffer_fini(text);
}

static void check_problem(const struct pe_errors *errors)
{
    struct problem problem = {.kind = problem_kind_of(errors), .errors = errors};
    struct buffer text = {0};

    assert(errors->count > 0);
    problem_write(&text, &problem);
    check_json(&text);
}

static void check_urls(const struct model_use *use)
{
    const struct pe_encoding *enc = model_output_encoding(use);
    struct buffer queries[MODEL_URLS_MAX] = {{0}};
    size_t count = !enc ? 0 : model_urls(use, NULL, queries);

    for (size_t i = 0; i < count; i++) {
        struct pe_errors errors = {0};
        struct request *request = request_new(enc);

        request_set_query(request, queries[i].bytes, queries[i].len, &errors);
        assert(request_finish(request, NULL, 0, &errors) == PE_OK);
        request_free(request);
        buffer_fini(&queries[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pe_errors errors = {0};
    struct json_body *body = hf_config_body(1 << 16);

    json_body_add(body, (const char *)data, size);
    if (json_body_finish(body) == JSON_BODY_OK) {
        struct hf_config *config = hf_config_read(body, NULL, NULL, &errors);
        struct buffer text = {0};
        size_t count;

        if (!config) {
            check_problem(&errors);
        } else {
            const struct model *model = hf_config_model(config);
            const char *const *notes = hf_config_notes(config, &count);

            model_text_one(&text, model, false, notes, count);
            check_json(&text);
            for (size_t i = 0; i < model->use_count; i++)
                check_urls(&model->uses[i]);
        }
        hf_config_free(config);
    }
    json_body_free(body);
    return 0;
}
