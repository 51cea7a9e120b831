/* SPDX-License-Identifier: Apache-2.0
 * hf_layers.h - which type each layer of a configuration has, from any of the keys that say
 * it. Private to proto/hf_*. */
#ifndef PROTO_HF_LAYERS_H
#define PROTO_HF_LAYERS_H

#include "proto/models/hf/hf_reader.h"

/* Fills the model's layers, pattern and pattern_len; leaves the pattern empty when all layers
 * are alike, or adds problems. */
void hf_layers_read(struct hf_reader *reader);
/* The pattern has layers of that type. */
bool hf_layers_have(const struct model *model, const char *type);
/* Layers of full_attention rotate as the others do. */
bool hf_layers_full_rotate(struct hf_reader *reader);
/* Types that have no positional encoding at all: linear attention, convolutions. */
bool hf_layers_without_positions(const char *type);

#endif
