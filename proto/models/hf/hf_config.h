/* SPDX-License-Identifier: Apache-2.0
 * hf_config.h - a Hugging Face config.json as a model: what its positions need, under our
 * names. Old rope_scaling and new rope_parameters (also one a layer type), `type` and
 * `rope_type`, nested text_config. Nothing is guessed: what contradicts itself or is not known
 * is a problem that names its key; what had to be assumed is said in a note. */
#ifndef PROTO_HF_CONFIG_H
#define PROTO_HF_CONFIG_H

#include <stddef.h>

#include "core/posenc.h"
#include "proto/models/model.h"
#include "proto/text/json_body.h"

struct hf_config;

/* Reads a finished body. id: of the model (NULL: the configuration's own name). NULL after
 * adding to *errors what is wrong; the body may go afterwards. */
struct hf_config *hf_config_read(const struct json_body *body, const char *id,
                                 struct pe_errors *errors);
void hf_config_free(struct hf_config *config);

const struct model *hf_config_model(const struct hf_config *config); /* borrowed */
/* The sentences that tell what was assumed or not read; borrowed. */
const char *const *hf_config_notes(const struct hf_config *config, size_t *count);

#endif
