/* SPDX-License-Identifier: Apache-2.0
 * crowd_link.h - what a group does with one of its connections. */
#pragma once

#include "tests/campaign/crowd_group.h"

/* Begins to connect; false if the machine refuses. */
bool link_open(struct link *link);
void link_close(struct link *link);

/* Adds the next request, which was due at that time, to what the connection sends. */
void link_ask(struct link *link, double at);

/* Lets a slow reader read so many bytes. */
void link_allow(struct link *link, int64_t bytes);
