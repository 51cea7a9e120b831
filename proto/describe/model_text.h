/* SPDX-License-Identifier: Apache-2.0
 * model_text.h - models as JSON: what /v1/models, /v1/models/{id} and /v1/models/resolve
 * answer, and the URLs that ask for a model's numbers. */
#ifndef PROTO_MODEL_TEXT_H
#define PROTO_MODEL_TEXT_H

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/text/buffer.h"

/* {"models":[{"id":...},...]} */
void model_text_list(struct buffer *out, const struct models *models);

/* One model: facts, source, and of each use the parameters as given, all of them with their
 * defaults, and URLs that work. `notes` (may be NULL, count 0) are further sentences; named:
 * the model can be asked for by its id, so there are short URLs too. */
void model_text_one(struct buffer *out, const struct model *model, bool named,
                    const char *const *notes, size_t note_count);

bool model_text_check_use(const struct model_use *use, struct pe_errors *errors);
/* Every use makes a legal request, or what is wrong is added to *errors. */
bool model_text_check(const struct model *model, struct pe_errors *errors);

#endif
