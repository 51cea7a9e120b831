/* SPDX-License-Identifier: Apache-2.0
 * warm.h - the targets of --warm, one a line, asked of the service itself over a pair of
 * sockets, so that they take the same steps as a client's. */
#ifndef SERVER_WARM_H
#define SERVER_WARM_H

#include <stdio.h>

struct service;
struct warm;

/* The list, at its begin; NULL when it cannot be read: a folder can be opened, but not that. */
FILE *warm_open(const char *path);
/* Starts; when every line was asked, a service that is still loading becomes ready. NULL when
 * the file cannot be read or there are no resources. */
struct warm *warm_new(struct service *service, const char *path);
/* Gives up what is left, waits for its thread. May be NULL. */
void warm_free(struct warm *warm);

#endif
