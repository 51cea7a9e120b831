/* SPDX-License-Identifier: Apache-2.0
 * hf_outside.h - what a configuration says of positions outside its dictionaries of RoPE
 * parameters. Private to proto/hf_*. */
#ifndef PROTO_HF_OUTSIDE_H
#define PROTO_HF_OUTSIDE_H

#include "proto/models/hf/hf_reader.h"

struct hf_outside { /* NaN: nothing */
    double dim, rotary_dim, partial_rotary_factor, theta;
    double max_position_embeddings, original_max_position_embeddings;
};

/* Also sets the model's max_position_embeddings. */
void hf_outside_read(struct hf_reader *reader, struct hf_outside *outside);
/* The theta of layers that see a window, where it differs; false if there is none. */
bool hf_outside_local_theta(struct hf_reader *reader, double *theta);

#endif
