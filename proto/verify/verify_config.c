/* SPDX-License-Identifier: Apache-2.0
 * verify_config.c - see verify_config.h. The configuration becomes a model of its own set,
 * which the claim names. */
#include "proto/verify/verify_config.h"

#include <string.h>

enum { CONFIG_MOST = 1 << 20 };

/* Makes a set of the model of the configuration. */
static bool make_models(struct verify_config *config, struct pe_errors *errors)
{
    if (!config->config)
        return false;
    const struct model *model = hf_config_model(config->config);
    config->models = models_new(&model, 1);
    if (!config->models)
        pe_fail(errors, PE_NO_MEMORY, "config", "out of memory");
    return config->models != NULL;
}

/* Reads the text as `posencd resolve` reads a file. */
bool verify_config_read_text(struct verify_config *config, const char *text, size_t len,
                             struct pe_errors *errors)
{
    struct json_body *body = hf_config_body(CONFIG_MOST);

    *config = (struct verify_config){.config = NULL};
    if (!body) {
        pe_fail(errors, PE_NO_MEMORY, "config", "out of memory");
        return false;
    }
    (void)json_body_add(body, text, len); /* its state is kept */
    switch (json_body_finish(body)) {
    case JSON_BODY_OK:
        config->config = hf_config_read(body, NULL, VERIFY_CONFIG_MODEL, errors);
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
    return make_models(config, errors);
}

bool verify_config_read_object(struct verify_config *config, const struct json_body *body,
                               const struct json_body_value *object, struct pe_errors *errors)
{
    *config = (struct verify_config){
        .config = hf_config_read(body, object, VERIFY_CONFIG_MODEL, errors)};
    return make_models(config, errors);
}

void verify_config_fini(struct verify_config *config)
{
    models_free(config->models);
    hf_config_free(config->config);
    *config = (struct verify_config){.config = NULL};
}
