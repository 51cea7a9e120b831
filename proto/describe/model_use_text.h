/* SPDX-License-Identifier: Apache-2.0
 * model_use_text.h - one use of a model as JSON. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/models/model.h"
#include "proto/text/buffer.h"

/* Writes a use. from: the key of the configuration that names an encoding beside the uses;
 * NULL: a use of the model. named: requests can name the model. */
void model_use_text(struct buffer *out, const struct model *model, const struct model_use *use,
                    const char *from, bool named);
/* Writes the members "source" and "sources", as far as the sources are known. */
void model_use_text_sources(struct buffer *out, const struct model_source *source,
                            const struct model_fact_source *sources, size_t count);

/* Returns whether the use makes a legal request, but for what the client must bring; if not,
 * *errors has the problems. */
bool model_use_text_check(const struct model_use *use, struct pe_errors *errors);
