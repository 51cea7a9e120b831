/* SPDX-License-Identifier: Apache-2.0
 * payload.h - answers that are a head and then the tensors' bytes: any byte of them can be
 * computed without those before it. size, read and seek of npy, safetensors and raw. */
#ifndef PROTO_PAYLOAD_H
#define PROTO_PAYLOAD_H

#include "proto/output/encoder.h"

uint64_t payload_size(const struct encoder *encoder);
size_t payload_read(struct encoder *encoder, char *out, size_t room);
void payload_seek(struct encoder *encoder, uint64_t at);

#endif
