/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_nope.h - layers that the configuration says do not rotate. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_layers_listed.h"

/* Lays the layers that rotate and those that do not over the pattern that has been read, and
 * returns true if the configuration says which they are. full_rotate: layers of full_attention
 * rotate as other layers do. */
bool hf_layers_nope_read(struct hf_reader *reader, bool full_rotate, hf_layers_set *set);
