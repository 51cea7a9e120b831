/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.h - configurations whose queries and keys do not rotate, whatever else they say
 * of RoPE. Private to proto/hf_*. */
#ifndef PROTO_HF_NO_ROPE_H
#define PROTO_HF_NO_ROPE_H

#include "proto/models/hf/hf_reader.h"

/* True after adding the problem. To be asked when it is known that there is no ALiBi. */
bool hf_no_rope_refuse(struct hf_reader *reader);

#endif
