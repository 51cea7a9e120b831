/* SPDX-License-Identifier: Apache-2.0
 * annotations.h - writes the facts and warnings of a plan as JSON, a part of the response
 * besides its numbers. (canonical_write_json writes its parameters.) */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes {"attention_factor":1.2,...}; indent is as in canonical_write_json. */
void annotations_write_facts(struct buffer *out, const struct pe_plan *plan, size_t indent);
/* Writes ["factor below 1 ...",...]. */
void annotations_write_warnings(struct buffer *out, const struct pe_plan *plan, size_t indent);
