/* SPDX-License-Identifier: Apache-2.0
 * gguf_type.h - the types that numbers of a GGUF file may have (gguf_types.def). */
#pragma once

#include <stdint.h>

#include "proto/tensors/element_type.h"

struct gguf_type {
    uint32_t number;
    const char *name;    /* "Q4_K" */
    const char *element; /* the name of element_type_find; NULL: quantised in blocks */
};

/* Finds a type by its number in a file; NULL: the number is of none that is known. */
const struct gguf_type *gguf_type_find(uint32_t number);
