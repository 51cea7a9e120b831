/* SPDX-License-Identifier: Apache-2.0
 * hf_qwen.h - what the first Qwen models say by keys of their own. Private to hf_*. */
#ifndef PROTO_HF_QWEN_H
#define PROTO_HF_QWEN_H

#include "proto/models/hf/hf_reader.h"

/* use_dynamic_ntk scales the use of rope that was added; use_logn_attn is a use of logn. */
void hf_qwen_add(struct hf_reader *reader);

#endif
