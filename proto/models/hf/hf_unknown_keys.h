/* SPDX-License-Identifier: Apache-2.0
 * hf_unknown_keys.h - notes keys about positions that were not read. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds a note for each key about positions that no code here reads. */
void hf_unknown_keys_note(struct hf_reader *reader);
