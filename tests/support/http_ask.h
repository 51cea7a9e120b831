/* SPDX-License-Identifier: Apache-2.0
 * http_ask.h - a request that is written as curl's arguments is sent to a child posencd. */
#pragma once

#include "tests/support/web.h"

/* Sends "POST /v1/rope -H 'Content-Type: application/json' -d '{}'" (http_row.h) and receives
 * the answer. NULL, or why the text is no request. */
const char *http_ask(struct web *web, const char *request, struct answer *answer);
