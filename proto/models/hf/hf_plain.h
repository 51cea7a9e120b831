/* SPDX-License-Identifier: Apache-2.0
 * hf_plain.h - the positions of models that do not rotate, and of diffusion models, as their
 * classes have them. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

bool hf_plain_has(const char *type); /* whether a model_type has encodings */
/* Adds the uses of a configuration whose class, or position_embedding_type, has encodings;
 * returns whether it has. A value that is no number adds a problem. */
bool hf_plain_add(struct hf_reader *reader);
/* Adds the encodings of a part of the configuration, whose model_type is given, beside the
 * uses; returns whether the type has any. */
bool hf_plain_add_part(struct hf_reader *reader, const struct json_body_value *part,
                       const char *type);
