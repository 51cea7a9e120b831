/* SPDX-License-Identifier: Apache-2.0
 * served.h - a service in this process on a free port, for the tests of server/. */
#pragma once

#include <stdbool.h>

#include "server/config/config.h"
#include "server/service.h"

/* Starts a service with two loops and defaults, which `adjust` (may be NULL) may change. Fails
 * the test if that is not possible. */
struct service *served_start(void (*adjust)(struct config *config));
/* Starts such a service with a log, which may be NULL. NULL: *error tells why it does not
 * start. */
struct service *served_try(void (*adjust)(struct config *config), struct log *log,
                           struct service_error *error);
/* The services that are started from here on refuse this set of shortcuts (mhd_shortcut.h);
 * 0: none, as at first. */
void served_refuse_shortcuts(unsigned shortcuts);
void served_stop(struct service *service);
unsigned served_port(const struct service *service);

/* The value of a sample of /metrics, "posencd_x" or "posencd_x{label=\"y\"}"; without labels
 * the sum over all of them. 0 when there is none. */
double served_metric(const struct service *service, const char *sample);
/* Scrapes until the sample has the value: a request is counted when its loop notes its end,
 * which may be after the client has the answer. False if it has not
 * after 20 s. */
bool served_metric_becomes(const struct service *service, const char *sample, double value);
