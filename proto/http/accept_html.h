/* SPDX-License-Identifier: Apache-2.0
 * accept_html.h - whether a client is a browser that opens a page. */
#pragma once

#include <stdbool.h>

/* Returns whether the value of an Accept header (may be NULL) names text/html, with a weight
 * that is not below application/json's. A range such as any type does not name it. */
bool accept_html(const char *accept);
