/* SPDX-License-Identifier: Apache-2.0
 * hf_redirect.h - refuses configurations of models without rotation and ALiBi, and names the
 * encoding that computes their positions. Private to hf_*. */
#ifndef PROTO_HF_REDIRECT_H
#define PROTO_HF_REDIRECT_H

#include "proto/models/hf/hf_reader.h"

/* Adds the problem of a configuration that belongs to another encoding, and names that
 * encoding; returns whether it added one. value: the member that the problem is about, NULL for
 * the whole configuration. */
bool hf_redirect_refuse(struct hf_reader *reader, const struct json_body_value *value);

#endif
