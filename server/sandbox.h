/* SPDX-License-Identifier: Apache-2.0
 * sandbox.h - restricts the process to the system calls of a server that has started. Other
 * calls fail with EPERM, so that an attacker who takes the process over through a bug can start
 * no program, open no connection and write no file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "server/config/config.h"

/* Restricts all threads for good, as --seccomp says; called when everything has started. False,
 * and in `why` the reason, if the kernel refuses. */
bool sandbox_process(const struct config *config, char *why, size_t size);
