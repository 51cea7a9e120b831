/* SPDX-License-Identifier: Apache-2.0
 * mhd_0_9_75.h - all that holds for version 0.9.75 of libmicrohttpd alone: what reads or writes
 * memory of its own, or acts on the text of its log. The self-test at start (mhd_selftest.h)
 * proves that each of these works, and refuses any other version. */
#pragma once

#include <microhttpd.h>
#include <stdarg.h>
#include <stdbool.h>

#include "server/http/head.h"

/* Reads the head that has arrived from libmicrohttpd's read buffer, in the first call of the
 * handler, which is given its method and version. A proxy before us may see one request where
 * libmicrohttpd sees two; what libmicrohttpd hands on no longer shows the difference, and the
 * bytes do. */
struct head_bytes mhd_0_9_75_head(struct MHD_Connection *mhd, const char *method,
                                  const char *version);
/* Cuts the query off the raw target, which is in the read buffer: libmicrohttpd would parse it
 * too, and 2,000 arguments would exhaust its pool and hang the connection. */
void mhd_0_9_75_cut_query(const char *raw);
/* Writes a value over that of a field, in the response's own memory, if both have the same
 * length. False: the field is not there, or its value has another length. */
bool mhd_0_9_75_set_value(struct MHD_Response *response, const char *name, const char *value,
                          size_t len);
/* Returns the status with which libmicrohttpd refuses a request, if its message says so; 0: it
 * says something else. libmicrohttpd checks Content-Length, and counts cookies, before it calls
 * our handler. It answers a request that it refuses there by itself, and writes the head of
 * that answer twice: a client finds a head in the body, and a part of the body behind it. */
unsigned mhd_0_9_75_refusal(const char *format, va_list args);
