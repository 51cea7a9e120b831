/* SPDX-License-Identifier: Apache-2.0
 * response_head_space.h - how long the head of a response may be. libmicrohttpd has 16 KiB for
 * the head of a request, a record of each line and the head of the response; when they do not
 * fit, it closes the connection without a response. */
#pragma once

#include <microhttpd.h>
#include <stddef.h>

enum {
    RESPONSE_HEAD_SPACE_ENOUGH = 1792
}; /* for any response without a long Content-Location */

/* Bytes that are left at least for the head of the response. */
size_t response_head_space_for_head(struct MHD_Connection *mhd);
