/* SPDX-License-Identifier: Apache-2.0
 * verify_config.h - a claim by a Hugging Face config.json, in the place of model=. */
#pragma once

#include "proto/models/hf/hf_config.h"
#include "proto/models/models.h"

struct verify_config { /* {0} has none */
    struct hf_config *config;
    struct models *models; /* the one of the configuration, called VERIFY_CONFIG_MODEL */
};

#define VERIFY_CONFIG_MODEL "config.json"

/* Reads the text of a configuration, or one that is an object of a JSON body. False after
 * adding a problem. */
bool verify_config_read_text(struct verify_config *config, const char *text, size_t len,
                             struct pe_errors *errors);
bool verify_config_read_object(struct verify_config *config, const struct json_body *body,
                               const struct json_body_value *object, struct pe_errors *errors);
void verify_config_fini(struct verify_config *config);
