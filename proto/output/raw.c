/* SPDX-License-Identifier: Apache-2.0
 * raw.c - one tensor as little-endian bytes in C order; shape, dtype and byte order are in
 * the Posenc- headers. */
#include "proto/output/payload.h"

static const char *const accepts[] = {"application/octet-stream", NULL};

const struct format format_raw = {
    .name = "raw",
    .media_type = "application/octet-stream",
    .accepts = accepts,
    .extension = "bin",
    .summary = "one tensor as little-endian bytes in C order, shape and dtype in headers",
    .wire_version = 1,
    .binary = true,
    .single = true,
    .endian = true,
    .size = payload_size,
    .read = payload_read,
    .seek = payload_seek,
};
