/* SPDX-License-Identifier: Apache-2.0
 * crowd_requests.h - the requests that a crowd sends, in turn, from a file: for each its length
 * and the length of its answer's body (UINT32_MAX where that is unknown), both as uint32_t,
 * then its bytes. "{n}" and "{n+128}" in its first line are numbers that count up, so that no
 * request comes twice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CROWD_UNKNOWN = UINT32_MAX };

struct crowd_request {
    char *bytes;
    uint32_t len, line_len; /* of all, and of the first line */
    uint32_t body;          /* length of the answer's body, or CROWD_UNKNOWN */
    bool is_head;
};

struct crowd_requests {
    struct crowd_request *all;
    size_t count, next;
    long long number;
};

/* Bytes that wait to be sent. */
struct crowd_output {
    char *bytes;
    size_t len, sent, size;
};

/* Reads the file; false if it is none. Numbers count from `first`. */
bool crowd_requests_read(struct crowd_requests *requests, const char *path, long long first);

/* Adds the next request to the output. */
const struct crowd_request *crowd_requests_write(struct crowd_requests *requests,
                                                 struct crowd_output *output);
