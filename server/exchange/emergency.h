/* SPDX-License-Identifier: Apache-2.0
 * emergency.h - the answer for which no memory is asked: 503, kept ready by each loop and used
 * on its thread only, as a problem document and in the form of the Open Inference Protocol. */
#pragma once

#include <stdbool.h>

#include "server/http/transport.h"

struct emergency {
    unsigned shortcuts;                  /* of the connections that it is sent to */
    struct transport_response *ready[2]; /* [1]: of inference; NULL: no memory after the last */
};

/* False: out of memory; emergency_end frees what there is. */
bool emergency_begin(struct emergency *emergency, unsigned shortcuts);
void emergency_end(struct emergency *emergency);
/* Sends the answer with this X-Request-Id, of REQUEST_ID_LEN. Where a response may not be sent
 * to two connections at the same time, each has its own: the one that is ready is given away,
 * and the next is made behind it, or when it is wanted if there is no memory yet. False:
 * nothing is sent. */
bool emergency_send(struct emergency *emergency, struct transport_connection *connection,
                    bool inference, const char *request_id);
