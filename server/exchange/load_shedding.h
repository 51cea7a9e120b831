/* SPDX-License-Identifier: Apache-2.0
 * load_shedding.h - who gives way when others want the memory that he holds. */
#ifndef SERVER_LOAD_SHEDDING_H
#define SERVER_LOAD_SHEDDING_H

#include "server/shared.h"

struct connection;

/* Ends so many of a daemon's connections, the first and those that follow it (NULL: there are
 * none), as hold what others want: bodies of peers beyond their eighth, then those that arrive
 * slowest; answers that are read slowest; and where computing finds no room, the largest
 * plan. */
void load_shedding(struct service *service, struct connection *first);
/* The answers alone, at once: before others find no room. All connections of this one's daemon;
 * one whose answer is not queued yet stays itself. */
void load_shedding_beside(struct connection *connection);

#endif
