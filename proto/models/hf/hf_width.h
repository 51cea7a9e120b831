/* SPDX-License-Identifier: Apache-2.0
 * hf_width.h - how many columns of a head rotate. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_base.h"

/* Sets dim of `rope`, and rotary_dim or partial_rotary_factor where a part of dim rotates.
 * dict: the parameters of these layers, may be NULL; partial: partial_rotary_factor, NaN if it
 * is not given. Columns that rotate by themselves, beside others of the head
 * (qk_rope_head_dim), are dim. */
void hf_width_set(struct hf_reader *reader, struct model_use *use,
                  const struct hf_base *outside, const struct json_body_value *dict,
                  double partial);
