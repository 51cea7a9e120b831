/* SPDX-License-Identifier: Apache-2.0
 * request_id.h - the field X-Request-Id of a response. A ready-made response is queued for one
 * request after the other; the value is written over that of the request before, in the
 * response's own memory, and libmicrohttpd copies it before the call of the handler that queued
 * the response is followed by another one. The self-test at start proves that it does. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

#define REQUEST_ID_NAME "X-Request-Id"
enum { REQUEST_ID_LEN = 16, REQUEST_ID_SIZE = 65 }; /* a made id; the longest one and its NUL */

/* Sets the field; the id is valid. A value of the same length is overwritten in place, which
 * needs no memory and cannot fail. False: out of memory, and the response may have no field. */
bool request_id_set(struct MHD_Response *response, const char *id);
/* Returns true if the client's X-Request-Id is valid: [A-Za-z0-9._-]{1,64}. */
bool request_id_is_valid(const char *id);
/* Prints the number as REQUEST_ID_LEN digits. */
void request_id_print(uint64_t number, char id[REQUEST_ID_SIZE]);
