/* SPDX-License-Identifier: Apache-2.0
 * inference_metadata.h - writes what the Open Inference Protocol says of a service and of its
 * models, as JSON. */
#pragma once

#include "proto/inference/inference_model.h"
#include "proto/text/buffer.h"

void inference_metadata_write_service(struct buffer *out);
/* Writes {"models":[names]}, or [{"name":...,"version":...}] with version and state. */
void inference_metadata_write_names(struct buffer *out, const struct models *models);
void inference_metadata_write_index(struct buffer *out, const struct models *models);
/* Writes the tensors of one model: as metadata, or as Triton's configuration. */
void inference_metadata_write(struct buffer *out, const struct inference_model *model,
                              const struct models *models);
void inference_metadata_write_config(struct buffer *out, const struct inference_model *model,
                                     const struct models *models);
