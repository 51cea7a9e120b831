/* SPDX-License-Identifier: Apache-2.0
 * hf_width.h - heads of a configuration: how many, and how wide. Private to proto/hf_*. */
#ifndef PROTO_HF_WIDTH_H
#define PROTO_HF_WIDTH_H

#include "proto/models/hf/hf_reader.h"

bool hf_width_heads(struct hf_reader *reader,
                    double *heads); /* false: the configuration does not tell */
/* "use_mla": false (DeepSeek-VL2 tiny): qk_rope_head_dim is 0, and halves of a head rotate. */
bool hf_width_is_whole(struct hf_reader *reader);
/* Width of what rotates: qk_rope_head_dim, head_dim, or hidden_size / num_attention_heads.
 * False after adding a problem. */
bool hf_width_read(struct hf_reader *reader, double *dim);

#endif
