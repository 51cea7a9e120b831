/* SPDX-License-Identifier: Apache-2.0
 * hf_base.h - the settings of positions in a configuration outside its dictionaries of RoPE
 * parameters; the number and the width of its heads. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_per_layer.h"
#include "proto/models/hf/hf_reader.h"

struct hf_base { /* NaN: not given */
    double dim, rotary_dim, partial_rotary_factor, theta;
    double max_position_embeddings, original_max_position_embeddings;
    /* Of latent attention whose partial_rotary_factor may be of the whole head (hf_width.h):
     * qk_rope_head_dim, and the width of the whole head. */
    double rope_part, head;
    struct hf_per_layer thetas, factors; /* in the place of theta, partial_rotary_factor */
};

/* Reads the length of the context, by any of its names, into the reader and the model. */
void hf_base_read_length(struct hf_reader *reader);
/* Reads the settings. */
void hf_base_read(struct hf_reader *reader, struct hf_base *outside);
/* Reads the theta of layers with a window, if they have their own; else false. */
bool hf_base_local_theta(struct hf_reader *reader, double *theta);

/* Reads the number of heads; false if it is not given. */
bool hf_base_heads(struct hf_reader *reader, double *heads);
/* Returns whether attention is multi-head though the keys of latent attention are there:
 * "use_mla" is false (DeepSeek-VL2 tiny), qk_rope_head_dim is 0, and halves of a head
 * rotate. */
bool hf_base_is_multi_head(struct hf_reader *reader);
/* Reads the width of the coordinates that rotate: qk_rope_head_dim, head_dim, or hidden_size /
 * num_attention_heads. Returns false after adding a problem. */
bool hf_base_width(struct hf_reader *reader, double *dim);
