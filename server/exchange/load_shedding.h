/* SPDX-License-Identifier: Apache-2.0
 * load_shedding.h - ends connections whose memory other clients want. */
#pragma once

struct connection;

/* Ends at once the answers of slow clients among the connections of this connection's daemon,
 * if answers that are being sent hold more than their share. */
void load_shedding_beside(struct connection *connection);
