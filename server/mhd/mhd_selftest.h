/* SPDX-License-Identifier: Apache-2.0
 * mhd_selftest.h - tries the request check with the libmicrohttpd in use, before any client is
 * served. */
#pragma once

#include <stddef.h>

/* NULL when every case went as it must; else a sentence on the first that did not (static, or
 * in `why`). */
const char *mhd_selftest_run(char *why, size_t why_size);

/* The number of cases; for tests. */
size_t mhd_selftest_count(void);
