/* SPDX-License-Identifier: Apache-2.0
 * hf_no_rope.h - refuses configurations whose queries and keys do not rotate, whatever other
 * keys they have for RoPE, and names the encoding that computes their positions. Private to
 * hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds the problem and returns true if nothing rotates. There must be no ALiBi. */
bool hf_no_rope_refuse(struct hf_reader *reader);
/* Adds the problem of a configuration that belongs to another encoding (hf_redirect.def), and
 * names that encoding; returns whether it added one. value: the member that the problem is
 * about, NULL for the whole configuration. */
bool hf_no_rope_redirect(struct hf_reader *reader, const struct json_body_value *value);
