/* SPDX-License-Identifier: Apache-2.0
 * safetensors_text.h - the header of a safetensors: u64 length of a JSON object padded to 8
 * bytes, the object (github.com/huggingface/safetensors, README "Format"). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

void safetensors_text_begin(struct buffer *head); /* the length, set by the end */
/* Adds a JSON document, which is emptied, as a JSON string: ,"name":"{...}". */
void safetensors_text_add_document(struct buffer *head, const char *name,
                                   struct buffer *document);
/* Adds ,"prefix+output":{dtype, shape, offsets} of a tensor that starts at that byte. */
void safetensors_text_add_tensor(struct buffer *head, const char *prefix,
                                 const struct pe_tensor_info *tensor, uint64_t start);
/* Closes the object, pads it and sets its length. False: out of memory. */
bool safetensors_text_end(struct buffer *head);
