/* SPDX-License-Identifier: Apache-2.0
 * hf_layers.h - the type of each layer of a configuration, from any of the keys for it. Private
 * to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Fills the model's layers, pattern and pattern_len; leaves the pattern empty when all layers
 * are alike, or adds problems. */
void hf_layers_read(struct hf_reader *reader);
/* Returns whether the pattern has layers of that type. */
bool hf_layers_have(const struct model *model, const char *type);
/* Returns whether layers of full_attention rotate as other layers do. */
bool hf_layers_full_rotate(struct hf_reader *reader);
