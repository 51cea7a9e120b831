/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.h - refuses configurations whose queries and keys do not rotate, whatever other
 * keys they have for RoPE. Private to hf_*. */
#ifndef PROTO_HF_NO_ROPE_H
#define PROTO_HF_NO_ROPE_H

#include "proto/models/hf/hf_reader.h"

/* Adds the problem and returns true if nothing rotates. There must be no ALiBi. */
bool hf_no_rope_refuse(struct hf_reader *reader);

#endif
