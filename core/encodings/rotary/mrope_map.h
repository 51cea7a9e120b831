/* SPDX-License-Identifier: Apache-2.0
 * mrope_map.h - which axis turns each pair of a multimodal RoPE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum mrope_variant {
    MROPE_CHUNKED,
    MROPE_INTERLEAVED,
    MROPE_OPENPANGU,
    MROPE_ERNIE,
    MROPE_XDROPE,
    MROPE_VIDEOROPE,
    MROPE_HOPE,
};

enum { MROPE_T, MROPE_H, MROPE_W, MROPE_EXTRA, MROPE_AXES };

/* Fills axis[pairs] from the sections, numbers of pairs that add up to pairs. extra:
 * interleaved pairs that are left over go to the fourth axis, as ggml has it, and not to T. */
void mrope_map(enum mrope_variant variant, bool extra, const size_t section[MROPE_AXES],
               unsigned char *axis, size_t pairs);
