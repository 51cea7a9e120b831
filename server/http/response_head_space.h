/* SPDX-License-Identifier: Apache-2.0
 * response_head_space.h - how long the head of an answer may be. libmicrohttpd has 16 KiB for
 * the head of a request, its own notes on each line and the head of the answer; when they do
 * not fit it closes the connection without a word. */
#ifndef SERVER_RESPONSE_HEAD_SPACE_H
#define SERVER_RESPONSE_HEAD_SPACE_H

#include <microhttpd.h>
#include <stddef.h>

enum { RESPONSE_HEAD_SPACE_ENOUGH = 1792 }; /* for any answer without a long Content-Location */

/* Bytes that are surely left for the head of the answer. */
size_t response_head_space_for_head(struct MHD_Connection *mhd);

#endif
