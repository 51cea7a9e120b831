/* SPDX-License-Identifier: Apache-2.0
 * hf_body.h - makes the body that reads a config.json: JSON as Python writes it, which may be
 * mostly lists of quantised modules. */
#ifndef PROTO_HF_BODY_H
#define PROTO_HF_BODY_H

#include "proto/text/json_body.h"

/* Makes a body of at most max_bytes for hf_config_read. NULL when out of memory. */
struct json_body *hf_body_new(uint64_t max_bytes);

#endif
