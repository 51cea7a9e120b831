/* SPDX-License-Identifier: Apache-2.0
 * model_text.h - models as JSON: the responses of /v1/models, /v1/models/{model} and
 * /v1/models/resolve, with the URLs that ask for a model's numbers. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/describe/fields.h"
#include "proto/models/models.h"
#include "proto/text/buffer.h"

extern const struct fields model_text_fields; /* the members of a model's entry */
/* Writes {"models":[{"id":...},...]} with the members that are asked for, of the models that
 * the words are about. */
void model_text_list(struct buffer *out, const struct models *models,
                     const struct fields_query *asked);

/* Writes one model: facts, source, and for each use its settings, all parameters with their
 * defaults, the names of its tables, and URLs that work. `notes` (may be NULL, count 0) are
 * further sentences; named: requests can name the model by its id, so that there are short URLs
 * too. */
void model_text_one(struct buffer *out, const struct model *model, bool named,
                    const char *const *notes, size_t note_count);

/* Returns whether every use makes a legal request; if not, *errors has the problems. */
bool model_text_check(const struct model *model, struct pe_errors *errors);
