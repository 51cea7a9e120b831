/* SPDX-License-Identifier: Apache-2.0
 * private_memory.h - all that reads or writes memory of libmicrohttpd's own, as version 0.9.75
 * has it. The self-test at start (mhd_selftest.h) proves that each of these works, and refuses
 * any other version. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

#include "server/http/head.h"

/* Reads the head that has arrived from libmicrohttpd's read buffer, in the first call of the
 * handler, which is given its method and version. A proxy before us may see one request where
 * libmicrohttpd sees two; what libmicrohttpd hands on no longer shows the difference, and the
 * bytes do. */
struct head_bytes private_memory_head(struct MHD_Connection *mhd, const char *method,
                                      const char *version);
/* Cuts the query off the raw target, which is in the read buffer: libmicrohttpd would parse it
 * too, and 2,000 arguments would exhaust its pool and hang the connection. */
void private_memory_cut_query(const char *raw);
/* Writes a value over that of a field, in the response's own memory, if both have the same
 * length. False: the field is not there, or its value has another length. */
bool private_memory_set_value(struct MHD_Response *response, const char *name,
                              const char *value, size_t len);
