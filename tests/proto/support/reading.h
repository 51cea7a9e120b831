/* SPDX-License-Identifier: Apache-2.0
 * reading.h - reads bodies of tensors in one call, for the suites of the readers. The encoding
 * is core_vectors: x, q and k. */
#pragma once

#include "proto/tensors/tensor_reader.h"

enum { READING_MAX = 4096, READING_ELEMENTS = 1000000 };

struct reading {
    struct tensor_source source; /* filled by reading_init, changed by the test */
    uint64_t budget, reserved;
    enum tensor_state state; /* the result of tensor_reader_finish */
    struct tensor_set set;
    char error[256];
};

void reading_init(struct reading *reading);
/* Reads for no encoding: any names and types, at most READING_ELEMENTS elements. */
void reading_any(struct reading *reading);
/* Reads the body in chunks of `chunk` bytes. */
void reading_run(struct reading *reading, const char *media_type, const char *body, size_t len,
                 size_t chunk);
void reading_fini(struct reading *reading);

/* Writes an NPY body: version, dictionary as given, bytes. Returns its length. */
size_t reading_npy(char body[READING_MAX], unsigned version, const char *dictionary,
                   const void *data, size_t len);
/* Writes a safetensors body: header as given, bytes. Returns its length. */
size_t reading_safetensors(char body[READING_MAX], const char *header, const void *data,
                           size_t len);
