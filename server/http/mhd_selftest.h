/* SPDX-License-Identifier: Apache-2.0
 * mhd_selftest.h - the gate against this very libmicrohttpd, before anybody is served. */
#ifndef SERVER_MHD_SELFTEST_H
#define SERVER_MHD_SELFTEST_H

#include <stddef.h>

/* NULL when every case went as it must; else which did not, and how (static or in `why`). */
const char *mhd_selftest_run(char *why, size_t why_size);

/* Cases there are; for tests. */
size_t mhd_selftest_count(void);

#endif
