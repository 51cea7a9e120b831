/* SPDX-License-Identifier: Apache-2.0
 * raw.c - writes one tensor as little-endian bytes in C order; shape, dtype and byte order are
 * in the Posenc- headers. */
#include "proto/output/binary_body.h"

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
    .size = binary_body_size,
    .read = binary_body_read,
    .seek = binary_body_seek,
};
