/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.h - reads configurations whose queries and keys do not rotate, whatever other keys
 * they have for RoPE. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds the uses of the model (or the problem that it cannot be computed) and returns true if
 * nothing rotates. */
bool hf_no_rope_add(struct hf_reader *reader);
