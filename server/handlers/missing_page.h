/* SPDX-License-Identifier: Apache-2.0
 * missing_page.h - what a browser shows where there is no page. */
#pragma once

#include "server/exchange/internal.h"

/* Writes the page of a failed request (404) whose client opens pages. Returns false, and writes
 * nothing, where the problem is answered as JSON: to other clients, below /v1, with
 * --ui=off. */
bool missing_page_write(const struct exchange *ex, struct buffer *out);
