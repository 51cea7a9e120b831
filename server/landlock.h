/* SPDX-License-Identifier: Apache-2.0
 * landlock.h - restricts which files the process can change, by Landlock (Linux 5.13 and
 * later), where a filter of system calls cannot: it cannot read paths. Files can then be made,
 * written, renamed and removed in --learned-tables-dir alone, if tables may be uploaded;
 * sockets can be made, and files removed, in the folders of unix sockets. Reading is not
 * restricted, since the files of keys and certificates may be links that lead to other folders
 * after a renewal. */
#pragma once

#include <stddef.h>

#include "server/config/config.h"

enum landlock_result {
    LANDLOCK_RESTRICTED,
    LANDLOCK_MISSING, /* the kernel, or a filter around the process, has no Landlock */
    LANDLOCK_FAILED,
};

/* Restricts the calling thread and those that it starts from now on, for good. `why` is the
 * reason of another result than LANDLOCK_RESTRICTED. */
enum landlock_result landlock_process(const struct config *config, char *why, size_t size);
