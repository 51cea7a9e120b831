/* SPDX-License-Identifier: Apache-2.0
 * hf_layers_dense.h - first layers whose network is dense, in classes with HF_DENSE_FIRST.
 * Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_layers_listed.h"

/* Names the dense layers that have full attention and rotate "dense_full_attention" in the
 * pattern that has been read; makes a pattern of all layers if there is none. */
void hf_layers_dense_read(struct hf_reader *reader, hf_layers_set *set);
