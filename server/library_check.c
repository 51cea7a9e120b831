/* SPDX-License-Identifier: Apache-2.0
 * library_check.c - see library_check.h. */
#include "server/library_check.h"

#include <stdio.h>

#include "server/mhd/mhd_selftest.h"
#include "server/sys/log.h"

bool library_check(struct log *log, unsigned refused, unsigned *shortcuts, char *why,
                   size_t why_size)
{
    struct mhd_selftest found;

    mhd_selftest_run(SHORTCUTS_ALL & ~refused, &found);
    *shortcuts = found.shortcuts;
    for (int i = 0; i < SHORTCUT_COUNT; i++)
        if (found.off[i][0])
            log_event(log, LOG_INFO, "shortcut_off",
                      (struct log_field[]){
                          {.name = "shortcut", .text = mhd_shortcut_name((enum mhd_shortcut)i)},
                          {.name = "reason", .text = found.off[i]},
                          {0}});
    if (!found.wrong[0])
        return true;
    snprintf(why, why_size, "self-test of the request check: %s", found.wrong);
    return false;
}
