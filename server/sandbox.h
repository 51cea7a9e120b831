/* SPDX-License-Identifier: Apache-2.0
 * sandbox.h - the system calls that the process may make from now on: those of a server that
 * has started. Others fail with EPERM, so that whoever takes it over by a bug of ours or of a
 * library can start no program, open no connection and write no file. */
#ifndef SERVER_SANDBOX_H
#define SERVER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "server/config/config.h"

/* For all threads, for ever, as --seccomp says. When nothing more is to be started. False, and
 * why the kernel would not. */
bool sandbox_process(const struct config *config, char *why, size_t size);

#endif
