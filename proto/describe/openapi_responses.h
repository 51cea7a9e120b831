/* SPDX-License-Identifier: Apache-2.0
 * openapi_responses.h - the responses of OpenAPI that are no encoding's own: a problem for each
 * status of problems.def, and those that have no body. */
#pragma once

#include <stdint.h>

#include "proto/http/problem.h"
#include "proto/text/buffer.h"

#define OPENAPI_PROBLEM(ID) (UINT64_C(1) << PROBLEM_##ID)
/* What any request may get. */
#define OPENAPI_PROBLEMS_OF_ALL                                                                \
    (OPENAPI_PROBLEM(BAD_REQUEST) | OPENAPI_PROBLEM(METHOD_NOT_ALLOWED) |                      \
     OPENAPI_PROBLEM(TARGET_TOO_LONG) | OPENAPI_PROBLEM(HEAD_TOO_LARGE) |                      \
     OPENAPI_PROBLEM(OVERLOADED))
/* The problems that answer a request which needs a key, where keys are in use. */
#define OPENAPI_PROBLEMS_OF_KEYS                                                               \
    (OPENAPI_PROBLEM(UNAUTHORIZED) | OPENAPI_PROBLEM(FORBIDDEN) |                              \
     OPENAPI_PROBLEM(TOO_MANY_REQUESTS))
/* What clients of HTTP/1.1 do not get: operations do not list them, but have a "default". */
#define OPENAPI_PROBLEMS_UNLISTED                                                              \
    (OPENAPI_PROBLEM(EXPECTATION_FAILED) | OPENAPI_PROBLEM(MISDIRECTED) |                      \
     OPENAPI_PROBLEM(NOT_IMPLEMENTED) | OPENAPI_PROBLEM(VERSION_NOT_SUPPORTED))

/* Writes "400":{"$ref":...} for each status of a set of kinds, in rising order, and
 * "default". */
void openapi_responses_write_problems(struct buffer *out, uint64_t kinds);
/* Writes the components: "Problem400":{...},...,"NotModified":{...} */
void openapi_responses_write(struct buffer *out);
