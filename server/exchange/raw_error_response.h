/* SPDX-License-Identifier: Apache-2.0
 * raw_error_response.h - writes a problem on the socket itself where libmicrohttpd allows no
 * response: while a body is coming, or when the head has used up its memory. */
#pragma once

#include "server/exchange/internal.h"

/* Writes the connection's last bytes; the caller drops the bytes that still come, or closes. */
void raw_error_response_problem(struct exchange *ex, enum problem_kind kind,
                                const char *detail);
