/* SPDX-License-Identifier: Apache-2.0
 * hf_body.h - the reader of a config.json, which is JSON as Python writes it, and may be mostly
 * lists of what is quantised. */
#ifndef PROTO_HF_BODY_H
#define PROTO_HF_BODY_H

#include "proto/text/json_body.h"

/* A body for hf_config_read of at most max_bytes. NULL when out of memory. */
struct json_body *hf_body_new(uint64_t max_bytes);

#endif
