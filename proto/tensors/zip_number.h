/* SPDX-License-Identifier: Apache-2.0
 * zip_number.h - the numbers of a ZIP archive: little-endian, of up to 8 bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t zip_number_read(const unsigned char *bytes, size_t len);
