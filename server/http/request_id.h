/* SPDX-License-Identifier: Apache-2.0
 * request_id.h - the values of the field X-Request-Id. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define REQUEST_ID_NAME "X-Request-Id"
enum { REQUEST_ID_LEN = 16, REQUEST_ID_SIZE = 65 }; /* a made id; the longest one and its NUL */

/* Returns true if the client's X-Request-Id is valid: [A-Za-z0-9._-]{1,64}. */
bool request_id_is_valid(const char *id);
/* Prints the number as REQUEST_ID_LEN digits. */
void request_id_print(uint64_t number, char id[REQUEST_ID_SIZE]);
