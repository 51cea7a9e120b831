/* SPDX-License-Identifier: Apache-2.0
 * response_header.h - adds header fields to a response of libmicrohttpd. Each function returns
 * false when there is no memory. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>

#include "proto/http/content_coding.h"
#include "server/http/range.h"

bool response_add(struct MHD_Response *response, const char *name, const char *value);
/* Adds a field for each line "Name: value\n" of the text. */
bool response_add_lines(struct MHD_Response *response, const char *lines);
bool response_add_coding(struct MHD_Response *response, enum content_coding coding);
/* Content-Range of a 206. */
bool response_add_range(struct MHD_Response *response, const struct range *range);
/* Server-Timing: the result of the cache and, if ms > 0, the duration of the computation. */
bool response_add_timing(struct MHD_Response *response, const char *cache_result, double ms);
