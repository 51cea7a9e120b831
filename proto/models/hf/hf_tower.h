/* SPDX-License-Identifier: Apache-2.0
 * hf_tower.h - the encodings of towers: of images, videos and sound. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds the encodings of a part of the configuration beside the uses. Returns what is left out
 * of the part, as half a sentence; NULL: nothing. */
const char *hf_tower_add(struct hf_reader *reader, const struct json_body_value *part);
/* Adds the rotation as a use if the whole configuration is a tower's; false if it is not. */
bool hf_tower_add_whole(struct hf_reader *reader);
