/* SPDX-License-Identifier: Apache-2.0
 * verify_config.h - a claim by the text of a Hugging Face config.json: config= in a query, in
 * the place of model=. */
#pragma once

#include "proto/models/hf/hf_config.h"
#include "proto/models/models.h"
#include "proto/request/query.h"

struct verify_config { /* {0} has none */
    struct hf_config *config;
    struct models *models; /* the embedded ones and that of the configuration */
    struct query query;    /* with model= for it; borrows from the other query */
};

/* Finds config= in a query, and reads it. False: there is none, or it adds a problem. */
bool verify_config_read(struct verify_config *config, const struct query *query,
                        struct pe_errors *errors);
void verify_config_fini(struct verify_config *config);
