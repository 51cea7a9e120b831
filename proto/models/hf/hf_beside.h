/* SPDX-License-Identifier: Apache-2.0
 * hf_beside.h - windows, chunks, temperatures and vision towers of a configuration. Private to
 * hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds the encodings beside the uses of the language model, whose layers have been read. */
void hf_beside_add(struct hf_reader *reader);
/* Adds the rotation as a use if the configuration is a vision tower's; false if it is not. */
bool hf_beside_add_tower(struct hf_reader *reader);
