/* SPDX-License-Identifier: Apache-2.0
 * hf_layer_type.h - what a layer does, by the name of its type. Private to hf_*. */
#pragma once

#include <stdbool.h>

/* Returns whether layers of the type have no positions: linear attention, convolutions,
 * attention to another part's outputs. */
bool hf_layer_type_has_no_positions(const char *type);
/* Returns whether the code of a known class has layers of that type. */
bool hf_layer_type_is_known(const char *type);
