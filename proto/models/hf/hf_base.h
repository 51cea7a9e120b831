/* SPDX-License-Identifier: Apache-2.0
 * hf_base.h - what a configuration says of positions outside its dictionaries of RoPE
 * parameters. Private to proto/hf_*. */
#ifndef PROTO_HF_BASE_H
#define PROTO_HF_BASE_H

#include "proto/models/hf/hf_reader.h"

struct hf_base { /* NaN: nothing */
    double dim, rotary_dim, partial_rotary_factor, theta;
    double max_position_embeddings, original_max_position_embeddings;
};

/* Sets the model's max_position_embeddings, too. */
void hf_base_read(struct hf_reader *reader, struct hf_base *outside);
/* The theta of layers that see a window, where it differs; false if there is none. */
bool hf_base_local_theta(struct hf_reader *reader, double *theta);

#endif
