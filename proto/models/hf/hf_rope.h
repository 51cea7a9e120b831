/* SPDX-License-Identifier: Apache-2.0
 * hf_rope.h - reads one dictionary of RoPE parameters (rope_scaling, rope_parameters, or its
 * entry of a layer type) as settings of `rope`. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_base.h"

/* Adds a use of rope; NULL when there are too many uses, which is a problem. dict may be NULL
 * (unscaled frequencies); scaled: its rope_type counts, else only its theta and width; own: the
 * dictionary is of one layer type, and its values replace the values outside it. */
struct model_use *hf_rope_add(struct hf_reader *reader, const struct json_body_value *dict,
                              const struct hf_base *outside, const char *layer_type,
                              bool scaled, bool own);
/* Returns whether the use has a setting of that name. */
bool hf_rope_has(const struct model_use *use, const char *name);
/* Reads use_dynamic_ntk and use_logn_attn, which begin at seq_length (Qwen's modeling_qwen.py):
 * scales the use of rope for the one, adds a use of logn for the other. */
void hf_rope_add_qwen(struct hf_reader *reader);
