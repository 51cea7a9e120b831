/* SPDX-License-Identifier: Apache-2.0
 * load_shedding.h - ends connections whose memory other clients want. */
#pragma once

struct connection;

/* Ends at once the slowest readers of responses among the connections of this connection's
 * daemon, before a request is refused for want of memory. A connection whose response is not
 * queued yet is not ended. */
void load_shedding_beside(struct connection *connection);
