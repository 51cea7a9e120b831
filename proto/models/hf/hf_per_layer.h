/* SPDX-License-Identifier: Apache-2.0
 * hf_per_layer.h - lists that have a number for each layer. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

enum { HF_LAYERS_MAX = 4096 };

struct hf_per_layer {
    struct json_body_value value;
    const double *numbers; /* NULL: there is no list */
};

/* Finds a member that is a list, and checks that it has a number for each layer: numbers after
 * the last layer belong to layers that predict further tokens. Returns whether the member is a
 * list. */
bool hf_per_layer_find(struct hf_reader *reader, const char *name, struct hf_per_layer *list);
/* Finds a member that may be such a list alone: another value is a problem. */
void hf_per_layer_read(struct hf_reader *reader, const char *name, struct hf_per_layer *list);
/* Reads the number of the layers of a type, which must be one; false after adding a problem. */
bool hf_per_layer_of(struct hf_reader *reader, const struct hf_per_layer *list,
                     const char *type, double *number);
/* Checks that a list has one number a layer, and each is 0 or 1; false after adding a
 * problem. */
bool hf_per_layer_flags(struct hf_reader *reader, const struct json_body_value *value);
