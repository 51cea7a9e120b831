/* SPDX-License-Identifier: Apache-2.0
 * hf_beside.h - windows, chunks, temperatures, scales and caps of a configuration. Private to
 * hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds the encodings beside the uses of the language model, whose layers have been read. */
void hf_beside_add(struct hf_reader *reader);
/* Removes the encoding added last, with a note, unless it makes a legal request. */
void hf_beside_keep_if_legal(struct hf_reader *reader, const struct model_use *use);
