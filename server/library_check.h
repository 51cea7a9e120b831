/* SPDX-License-Identifier: Apache-2.0
 * library_check.h - tries the libmicrohttpd in use before any client is served. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct log;

/* Sets *shortcuts to those past its interface that work with it and are not refused
 * (transport.h), and logs each other. False: it is not safe to serve with it, and `why` says
 * so. */
bool library_check(struct log *log, unsigned refused, unsigned *shortcuts, char *why,
                   size_t why_size);
