/* SPDX-License-Identifier: Apache-2.0
 * crowd.h - a service in this process and more clients than it admits. */
#pragma once

#include "tests/support/http_client.h"
#include "tests/support/served.h"

enum { CROWD = 40 };

struct crowd {
    struct service *service;
    struct http_client *clients[CROWD];
    struct http_answer answer; /* to the last request */
};

/* Closes the connections and stops the service. */
void crowd_stop(struct crowd *crowd);
/* Connects a client, which sends no request. */
void crowd_connect(struct crowd *crowd, int client);
/* Connects a client to one of the service's listeners, and fails the test unless its GET has
 * this status. */
void crowd_ask_at(struct crowd *crowd, int client, size_t listener, const char *target,
                  int status);
void crowd_ask(struct crowd *crowd, int client, const char *target, int status);
void crowd_leave(struct crowd *crowd, int client); /* closes the client's connection */
/* Waits until the service has so many connections. */
void crowd_await(const struct crowd *crowd, unsigned connections);
/* Makes the service believe that its memory is used up, or that none of it is used, and waits
 * for the level of overload that follows. */
void crowd_overload(struct crowd *crowd, bool overload);
/* Fails the test unless the last answer refuses the client for this reason and closes. */
void crowd_expect_refusal(struct crowd *crowd, int client, const char *reason);
