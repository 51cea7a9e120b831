/* SPDX-License-Identifier: Apache-2.0
 * hf_width.h - the number and the width of a configuration's heads. Private to hf_*. */
#ifndef PROTO_HF_WIDTH_H
#define PROTO_HF_WIDTH_H

#include "proto/models/hf/hf_reader.h"

bool hf_width_heads(struct hf_reader *reader, double *heads); /* false: not given */
/* Returns whether "use_mla" is false (DeepSeek-VL2 tiny): qk_rope_head_dim is 0, and halves of
 * a head rotate. */
bool hf_width_is_whole(struct hf_reader *reader);
/* Reads the width of the coordinates that rotate: qk_rope_head_dim, head_dim, or hidden_size /
 * num_attention_heads. Returns false after adding a problem. */
bool hf_width_read(struct hf_reader *reader, double *dim);

#endif
