/* SPDX-License-Identifier: Apache-2.0
 * verify_config.c - see verify_config.h. The configuration becomes a model of its own set,
 * which the claim names. */
#include "proto/verify/verify_config.h"

#include <string.h>

#include "proto/text/word.h"

enum { CONFIG_MOST = 1 << 20 };

static const char id[] = "config.json";

/* Reads the text as `posencd resolve` reads a file. */
static struct hf_config *read_text(const char *text, size_t len, struct pe_errors *errors)
{
    struct json_body *body = hf_config_body(CONFIG_MOST);
    struct hf_config *config = NULL;

    if (!body) {
        pe_fail(errors, PE_NO_MEMORY, "config", "out of memory");
        return NULL;
    }
    (void)json_body_add(body, text, len); /* its state is kept */
    switch (json_body_finish(body)) {
    case JSON_BODY_OK:
        config = hf_config_read(body, id, errors);
        break;
    case JSON_BODY_NO_MEMORY:
        pe_fail(errors, PE_NO_MEMORY, "config", "out of memory");
        break;
    case JSON_BODY_MALFORMED:
    case JSON_BODY_TOO_LARGE:
        pe_fail(errors, PE_BAD_VALUE, "config", "must be the text of a config.json: %s",
                json_body_error(body));
        break;
    }
    json_body_free(body);
    return config;
}

bool verify_config_read(struct verify_config *config, const struct query *query,
                        struct pe_errors *errors)
{
    size_t i = 0;

    *config = (struct verify_config){.config = NULL};
    while (i < query->count && !word_is("config", query->at[i].name, query->at[i].name_len))
        i++;
    if (i == query->count)
        return false;
    config->query = *query;
    config->query.at[i] = (struct query_parameter){.name = "model",
                                                   .name_len = strlen("model"),
                                                   .value = id,
                                                   .value_len = strlen(id)};
    config->config = read_text(query->at[i].value, query->at[i].value_len, errors);
    if (!config->config)
        return false;
    const struct model *model = hf_config_model(config->config);
    config->models = models_new(&model, 1);
    if (!config->models)
        pe_fail(errors, PE_NO_MEMORY, "config", "out of memory");
    return config->models != NULL;
}

void verify_config_fini(struct verify_config *config)
{
    models_free(config->models);
    hf_config_free(config->config);
    *config = (struct verify_config){.config = NULL};
}
