/* SPDX-License-Identifier: Apache-2.0
 * safetensors_head.h - the JSON header of a safetensors file: which tensors it holds and where,
 * for bodies that arrive in pieces (safetensors_in.c) and files that are whole (tables.h). */
#ifndef PROTO_READERS_SAFETENSORS_HEAD_H
#define PROTO_READERS_SAFETENSORS_HEAD_H

#include "core/posenc.h"
#include "proto/text/json_body.h"

enum {
    SAFETENSORS_PREFIX = 8,           /* bytes that hold the header's length */
    SAFETENSORS_HEADER_MAX = 1 << 20, /* the format's own reader allows a hundred times that */
    SAFETENSORS_WHY_SIZE = 240
};

struct safetensors_entry {
    const char *name; /* borrowed from the header */
    struct pe_tensor info;
    uint64_t begin, end; /* bytes of the data behind the header */
};

/* The length that the first bytes say; false after saying in why what it should be. */
bool safetensors_head_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t *length,
                             char why[SAFETENSORS_WHY_SIZE]);
/* All tensors of a finished header, in the order of their data, which has neither gap nor
 * overlap: 1 to `most` of them. false after saying why not. */
bool safetensors_head_read(const struct json_body *json, struct safetensors_entry *entries,
                           size_t most, size_t *count, char why[SAFETENSORS_WHY_SIZE]);

#endif
