/* SPDX-License-Identifier: Apache-2.0
 * base64.h - RFC 4648 base64 with padding. */
#pragma once

#include <stddef.h>

/* Writes 4 characters for every 3 bytes begun; returns the end. The texts of consecutive pieces
 * join into one text if all pieces but the last have a length that is a multiple of 3. */
char *base64_print(char *out, const unsigned char *in, size_t len);
