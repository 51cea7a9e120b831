/* SPDX-License-Identifier: Apache-2.0
 * mhd_selftest.h - tries the request check with the libmicrohttpd in use, before any client is
 * served, and finds the shortcuts (mhd_shortcut.h) that work with it. */
#pragma once

#include <stddef.h>

#include "server/mhd/mhd_shortcut.h"

enum { MHD_SELFTEST_WHY = 320 };

/* The verdict of the self-test on the library. */
struct mhd_selftest {
    char wrong[MHD_SELFTEST_WHY]; /* the first case that makes serving unsafe; empty: none */
    unsigned shortcuts;           /* the set of those that are on */
    char off[SHORTCUT_COUNT][MHD_SELFTEST_WHY]; /* why a shortcut is off; empty: it is on */
};

/* Requests are read by the bytes of their heads or by libmicrohttpd's own strict reader,
 * whichever passes every case; if neither does, .wrong is set. Any other shortcut that fails
 * is off, and so is one that is not in the set `allowed`. Servers that run meanwhile keep
 * theirs. */
void mhd_selftest_run(unsigned allowed, struct mhd_selftest *found);

/* The number of cases; for tests. */
size_t mhd_selftest_count(void);
