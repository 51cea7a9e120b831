/* SPDX-License-Identifier: Apache-2.0
 * response_header.h - header fields of a response, added to it one by one, or written to a
 * block of them. response_add* return false when there is no memory. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

#include "proto/http/content_coding.h"
#include "server/http/header_block.h"
#include "server/http/range.h"

bool response_add(struct MHD_Response *response, const char *name, const char *value);
bool response_add_coding(struct MHD_Response *response, enum content_coding coding);
/* Writes Content-Range of a 206. */
void response_write_range(struct header_block *block, const struct range *range);
/* Writes Server-Timing: the result of the cache and, if ms > 0, the duration of the
 * computation. */
void response_write_timing(struct header_block *block, const char *cache_result, double ms);
