/* SPDX-License-Identifier: Apache-2.0
 * hf_component.h - the parts of a model that its configuration names: text, vision, audio,
 * draft and others. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds each part that the configuration names to the model, and the encodings of its tower
 * beside the uses; a part of which nothing is answered says why. A configuration of one part
 * adds none. */
void hf_component_add(struct hf_reader *reader);
