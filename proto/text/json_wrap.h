/* SPDX-License-Identifier: Apache-2.0
 * json_wrap.h - a document that is an array, scanned as an object whose one member has the name
 * "". Errors keep the lines and columns of the array. */
#pragma once

#include "proto/text/json_scan.h"

struct json_wrap {
    bool takes_array; /* an array is wrapped; set before the first byte */
    bool begun;       /* a byte that is no space has arrived */
    bool is_array;
};

/* Looks at the next bytes, before they are scanned. */
enum json_scan_state json_wrap_begin(struct json_wrap *wrap, struct json_scan *scan,
                                     const char *bytes, size_t len);
/* Closes the object behind the last byte. */
enum json_scan_state json_wrap_end(const struct json_wrap *wrap, struct json_scan *scan);
