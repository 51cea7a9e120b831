/* SPDX-License-Identifier: Apache-2.0
 * load_shedding.h - ends connections whose memory other clients want. */
#ifndef SERVER_LOAD_SHEDDING_H
#define SERVER_LOAD_SHEDDING_H

#include "server/shared.h"

struct connection;

/* Ends connections of a daemon (a list from `first`; NULL: it is empty) until they have held
 * the bytes that are wanted: bodies of peers beyond their eighth, then bodies that arrive
 * slowest; responses read slowest; and the largest plan when a computation finds no memory. */
void load_shedding(struct service *service, struct connection *first);
/* Ends at once the slowest readers of responses among the connections of this connection's
 * daemon, before a request is refused for want of memory. A connection whose response is not
 * queued yet is not ended. */
void load_shedding_beside(struct connection *connection);

#endif
