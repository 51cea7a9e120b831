/* SPDX-License-Identifier: Apache-2.0
 * annotations.h - the facts and warnings of a plan as JSON, which an answer has besides its
 * numbers. (Its parameters are canonical_write_json's.) */
#ifndef PROTO_ANNOTATIONS_H
#define PROTO_ANNOTATIONS_H

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* {"attention_factor":1.2,...}; indent as canonical_write_json. */
void annotations_write_facts(struct buffer *out, const struct pe_plan *plan, size_t indent);
/* ["factor below 1 ...",...] */
void annotations_write_warnings(struct buffer *out, const struct pe_plan *plan, size_t indent);

#endif
