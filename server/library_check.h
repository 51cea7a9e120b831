/* SPDX-License-Identifier: Apache-2.0
 * library_check.h - tries the libmicrohttpd in use before any client is served. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct log;

/* False: it is not safe to serve with it, and `why` says so. Logs each shortcut past its
 * interface that does not work with it and is left off. */
bool library_check(struct log *log, char *why, size_t why_size);
