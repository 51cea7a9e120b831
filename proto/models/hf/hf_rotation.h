/* SPDX-License-Identifier: Apache-2.0
 * hf_rotation.h - the uses of a model whose queries and keys rotate. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds the uses of every type of layers, which have been read. */
void hf_rotation_add(struct hf_reader *reader);
