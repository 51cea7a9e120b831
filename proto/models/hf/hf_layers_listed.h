/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_listed.h - reads types of layers from lists of numbers. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Allocates a pattern of `count` names in the model; NULL after adding a problem. */
typedef const char **hf_layers_set(struct hf_reader *reader, size_t count);

/* Returns whether a list gives the types (or is wrong). num_hidden_layers is read before. */
bool hf_layers_listed_read(struct hf_reader *reader, hf_layers_set *set);
