/* SPDX-License-Identifier: Apache-2.0
 * safetensors_head.h - the JSON header of a safetensors file: its tensors and their places, for
 * bodies that arrive in pieces (safetensors_in.c) and whole files (tables.h). */
#pragma once

#include "proto/tensors/tensor_layout.h"
#include "proto/text/json_body.h"
#include "proto/text/why.h"

enum {
    SAFETENSORS_PREFIX = 8,          /* bytes of the header's length */
    SAFETENSORS_HEADER_MAX = 1 << 20 /* a hundredth of what the format's own reader allows */
};

struct safetensors_entry {
    const char *name; /* borrowed from the header */
    struct tensor_layout layout;
    uint64_t begin, end; /* bytes of the data, counted from the header's end */
};

/* Reads the length from the first bytes; false after writing the fault to `why`. */
bool safetensors_head_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t *length,
                             char why[WHY_SIZE]);
/* Lists the tensors of a finished header, 1 to `most`, in the order of their data, which has
 * neither gap nor overlap. Their types must be accepted: by element_type_accept, or where enc
 * is NULL by `accept`. Unless any are, their axes are 0 to PE_MAX_RANK. Returns false and
 * writes the reason to `why` if the header is wrong. */
bool safetensors_head_read(const struct json_body *json, enum element_accept accept,
                           const struct pe_encoding *enc, struct safetensors_entry *entries,
                           size_t most, size_t *count, char why[WHY_SIZE]);
/* Returns the text of a header's metadata under that key, borrowed from the header; NULL: there
 * is none. */
const char *safetensors_head_text(const struct json_body *json, const char *key);
