/* SPDX-License-Identifier: Apache-2.0
 * room.h - how long the head of an answer may be. libmicrohttpd has 16 KiB for the head of a
 * request, its own notes on each line and the head of the answer; when they do not fit it
 * closes the connection without a word. */
#ifndef SERVER_ROOM_H
#define SERVER_ROOM_H

#include <microhttpd.h>
#include <stddef.h>

enum { ROOM_ENOUGH = 1792 }; /* for any answer without a long Content-Location */

/* Bytes that are surely left for the head of the answer. */
size_t room_for_head(struct MHD_Connection *mhd);

#endif
