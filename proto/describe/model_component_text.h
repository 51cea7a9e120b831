/* SPDX-License-Identifier: Apache-2.0
 * model_component_text.h - the parts of a model as JSON. */
#pragma once

#include "proto/models/model.h"
#include "proto/text/buffer.h"

/* Writes the member "parts": each part with its encodings and what is left out of it; nothing
 * for a model that is one part. */
void model_component_text(struct buffer *out, const struct model *model);
