/* SPDX-License-Identifier: Apache-2.0
 * hf_beside.h - what a configuration says of windows, chunks, temperatures and vision towers.
 * Private to proto/hf_*. */
#ifndef PROTO_HF_BESIDE_H
#define PROTO_HF_BESIDE_H

#include "proto/models/hf/hf_reader.h"

/* Adds the encodings beside the uses of the language model, whose layers have been read. */
void hf_beside_add(struct hf_reader *reader);
/* The configuration is a vision tower's own: its rotation is a use. False if it is none. */
bool hf_beside_add_tower(struct hf_reader *reader);

#endif
