/* SPDX-License-Identifier: Apache-2.0
 * warm.h - requests the targets of --warm, one a line, before the service becomes ready. The
 * requests go over a pair of sockets, so that they take the steps of a client's request. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct service;
struct warm;

/* The list can be read: a regular file of at most 16 MiB, so that neither a device nor a pipe
 * can make the service wait. False, and in `why` the path and what would be right. */
bool warm_check(const char *path, char *why, size_t size);
/* Reads the list and starts a thread that calls `done` when every line was asked. It ends early
 * when the service drains. NULL, and in `why` what would be right, when the list cannot be read
 * or no thread can be started. */
struct warm *warm_new(struct service *service, void (*done)(struct service *service), char *why,
                      size_t size);
/* Skips the rest of the list and waits for the thread. NULL is ignored. */
void warm_free(struct warm *warm);
