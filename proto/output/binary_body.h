/* SPDX-License-Identifier: Apache-2.0
 * binary_body.h - size, read and seek of npy, safetensors and raw: a response of a header and
 * the tensors' bytes, any of which can be computed without the bytes before it. */
#pragma once

#include "proto/output/encoder.h"

uint64_t binary_body_size(const struct encoder *encoder);
size_t binary_body_read(struct encoder *encoder, char *out, size_t capacity);
void binary_body_seek(struct encoder *encoder, uint64_t at);
