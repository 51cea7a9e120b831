/* SPDX-License-Identifier: Apache-2.0
 * traceparent.h - the value of a traceparent header (W3C Trace Context, level 1, 3.2), by which
 * a request says which trace it is a part of. */
#pragma once

#include <stdbool.h>

enum { TRACEPARENT_TRACE_LEN = 32, TRACEPARENT_SPAN_LEN = 16 };

struct traceparent {
    char trace_id[TRACEPARENT_TRACE_LEN + 1];
    char parent_id[TRACEPARENT_SPAN_LEN + 1]; /* of the client's span */
    bool is_sampled;                          /* the client records the trace */
};

/* Reads version 00, or what a later version has in common with it. False: the value is none,
 * as where an id is all zeros or a digit is not lower case, and the trace begins here. */
bool traceparent_parse(struct traceparent *parent, const char *text);
