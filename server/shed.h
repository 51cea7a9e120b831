/* SPDX-License-Identifier: Apache-2.0
 * shed.h - who gives way when others want the memory that he holds. */
#ifndef SERVER_SHED_H
#define SERVER_SHED_H

#include "server/service.h"

struct connection;

/* Ends so many of a daemon's connections, the first and those that follow it (NULL: there are
 * none), as hold what others want: bodies of peers beyond their eighth, then those that arrive
 * slowest. */
void shed(struct service *service, struct connection *first);

#endif
