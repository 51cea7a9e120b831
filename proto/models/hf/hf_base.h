/* SPDX-License-Identifier: Apache-2.0
 * hf_base.h - the settings of positions in a configuration outside its dictionaries of RoPE
 * parameters. Private to hf_*. */
#ifndef PROTO_HF_BASE_H
#define PROTO_HF_BASE_H

#include "proto/models/hf/hf_reader.h"

struct hf_base { /* NaN: not given */
    double dim, rotary_dim, partial_rotary_factor, theta;
    double max_position_embeddings, original_max_position_embeddings;
};

/* Reads the settings, and sets the model's max_position_embeddings. */
void hf_base_read(struct hf_reader *reader, struct hf_base *outside);
/* Reads the theta of layers with a window, if they have their own; else false. */
bool hf_base_local_theta(struct hf_reader *reader, double *theta);

#endif
