/* SPDX-License-Identifier: Apache-2.0
 * emergency.c - see emergency.h. */
#include "server/exchange/emergency.h"

#include <string.h>

#include "proto/http/problem.h"
#include "proto/http/sentences.h"
#include "server/exchange/response_body.h"

static struct transport_response *make(unsigned shortcuts, bool inference)
{
    static const char problem[] =
        "{\"type\":\"/problems/overloaded\",\"title\":\"Overloaded\",\"status\":503,"
        "\"detail\":\"" SENTENCE_NO_MEMORY "\"}\n";
    static const char error[] = "{\"error\":\"" SENTENCE_NO_MEMORY "\"}";
    const char *text = inference ? error : problem;
    const struct transport_body body = response_of_program(text, strlen(text));
    struct header_block head;

    header_block_init(&head);
    header_block_add(&head, "Content-Type",
                     inference ? "application/json" : PROBLEM_MEDIA_TYPE);
    header_block_add(&head, "Cache-Control", "no-store");
    header_block_add(&head, "Retry-After", "1");
    head.closes = true;
    head.request_id = "0123456789abcdef"; /* any other needs no memory */
    return transport_response_new(shortcuts, &body, &head);
}

bool emergency_begin(struct emergency *emergency, unsigned shortcuts)
{
    emergency->shortcuts = shortcuts;
    for (int i = 0; i < 2; i++)
        emergency->ready[i] = make(shortcuts, i == 1);
    return emergency->ready[0] && emergency->ready[1];
}

void emergency_end(struct emergency *emergency)
{
    for (int i = 0; i < 2; i++)
        transport_response_free(emergency->ready[i]);
}

bool emergency_send(struct emergency *emergency, struct transport_connection *connection,
                    bool inference, const char *request_id)
{
    struct transport_response **ready = &emergency->ready[inference];
    bool sent;

    if (!*ready)
        *ready = make(emergency->shortcuts, inference);
    sent = *ready &&
           transport_response_send(emergency->shortcuts, connection, 503, *ready, request_id);
    if (sent && !transport_shares_responses(emergency->shortcuts)) {
        transport_response_free(*ready); /* from here on it is the connection's */
        *ready = make(emergency->shortcuts, inference);
    }
    return sent;
}
