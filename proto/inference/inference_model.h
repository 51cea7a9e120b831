/* SPDX-License-Identifier: Apache-2.0
 * inference_model.h - models as the Open Inference Protocol names them: an encoding, "rope" or
 * "rope.apply", alone or with a model of proto/models behind it, "rope.apply.llama-3.1-8b". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/text/buffer.h"

struct inference_model {
    const struct pe_encoding *enc;
    const struct model *preset; /* the model whose settings are defaults; NULL: none */
    bool other_version;         /* not found: there is this model, but of another version */
};

enum { INFERENCE_MODEL_WHY_SIZE = 360 };

/* Finds the model of a name and version (NULL: any). Returns false, and writes a sentence to
 * `why`, if there is none. */
bool inference_model_find(struct inference_model *found, const struct models *models,
                          const char *name, size_t len, const char *version, size_t version_len,
                          char why[INFERENCE_MODEL_WHY_SIZE]);
/* Writes the name of a model: that of the encoding with dots, and the preset's id. */
void inference_model_write_name(struct buffer *out, const struct inference_model *model);

/* Walks over all models, sorted by encoding: begin with {0}. Returns false at the end. */
struct inference_model_walk {
    size_t encoding, preset; /* of the next one; preset 0 is none, 1 the first of `models` */
};
bool inference_model_next(struct inference_model_walk *walk, const struct models *models,
                          struct inference_model *model);
