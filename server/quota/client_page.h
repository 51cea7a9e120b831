/* SPDX-License-Identifier: Apache-2.0
 * client_page.h - what /metrics shows of clients: the CLIENT_TABLE_SHOWN with most requests,
 * and all others as one. Used under the lock of the table. */
#pragma once

#include "server/quota/client_state.h"

struct client_page {
    unsigned generation;      /* of the file: a client that it names no longer is not shown */
    struct client_sums other; /* used by clients while they were not shown */
};

/* Writes the families of the clients of the list. */
void client_page_write(struct client_page *page, struct client *names,
                       struct metrics_page *out);
/* The client is about to be freed: what it used since the page was written is of others. */
void client_page_forget(struct client_page *page, struct client *client);
