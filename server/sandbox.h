/* SPDX-License-Identifier: Apache-2.0
 * sandbox.h - restricts the process to the system calls of a server that has started. Other
 * calls fail with EPERM, so that an attacker who takes the process over through a bug can start
 * no program, open no connection and write no file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "server/config/config.h"

/* Leaves the process no io_uring, whose operations are no system calls that a filter sees;
 * called before the first loop is made. Since 1.45 libuv makes a ring for each loop, and ends
 * the process when it may no longer use it; where there are no rings it uses epoll. False, and
 * in `why` the reason, if the kernel refuses. */
bool sandbox_forbid_rings(const struct config *config, char *why, size_t size);

/* Restricts all threads for good, as --seccomp says; called when everything has started. False,
 * and in `why` the reason, if the kernel refuses. */
bool sandbox_process(const struct config *config, char *why, size_t size);
