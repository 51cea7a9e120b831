/* SPDX-License-Identifier: Apache-2.0
 * hf_config.h - reads a Hugging Face config.json as a model: its positional settings, under our
 * names, from old rope_scaling and new rope_parameters (also one for each layer type), `type`
 * and `rope_type`, nested text_config. Nothing is guessed: a contradictory or unknown key is a
 * problem that names it; a note says what was assumed. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/models/model.h"
#include "proto/text/json_body.h"

struct hf_config;

/* Makes a body of at most max_bytes for hf_config_read: JSON as Python writes it, without the
 * lists of quantised modules that are most of some configurations. NULL when out of memory. */
struct json_body *hf_config_body(uint64_t max_bytes);

/* Members whose values hf_config_body leaves out, for other bodies that have a configuration
 * as an object; NULL-terminated. */
extern const char *const hf_config_skipped[];

/* Reads a finished body, which may be freed afterwards, or (not NULL) an object of it. id: the
 * model's (NULL: the configuration's own name). Returns NULL after adding the problems to
 * *errors. */
struct hf_config *hf_config_read(const struct json_body *body,
                                 const struct json_body_value *object, const char *id,
                                 struct pe_errors *errors);
void hf_config_free(struct hf_config *config);

const struct model *hf_config_model(const struct hf_config *config); /* borrowed */
/* Returns sentences on assumed values and keys that were not read; borrowed. */
const char *const *hf_config_notes(const struct hf_config *config, size_t *count);
