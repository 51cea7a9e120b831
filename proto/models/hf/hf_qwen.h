/* SPDX-License-Identifier: Apache-2.0
 * hf_qwen.h - keys that only the first Qwen models have. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Scales the use of rope for use_dynamic_ntk; adds a use of logn for use_logn_attn. */
void hf_qwen_add(struct hf_reader *reader);
