/* SPDX-License-Identifier: Apache-2.0
 * answer_claim.h - what a scenario (scenario.h) expects of an answer. An expectation is one of:
 *
 *     => 400 SLUG PARAMETER words      the status; then an RFC 9457 problem of this type; then
 *                                      what its error of this parameter has in it. With - as
 *                                      PARAMETER the body has the words
 *     answer: 400 SLUG ...             the same, below a request
 *     error PARAMETER: words           the detail of the error of this parameter has the words
 *     error PARAMETER hint: words      or its hint
 *     pointer: #/pos                   the only error has a pointer that begins so
 *     header NAME: value               the whole value
 *     header NAME has: part            or a part of it
 *     header NAME lacks: part          or what is not in it, in a header that is there
 *     header NAME length: 34           or how long it is
 *     no header: NAME
 *     body has: words                  also: body lacks
 *     body has in order: word word     each word stands behind the one before it
 *     length: 24                       bytes of the body; also: length below and
 *                                      length at least
 *     json POINTER: [1,2]              the value there (RFC 6901)
 *     json POINTER is: string          or its kind: string, object or array
 *     json POINTER length: 3           or the elements of an array; also: length at least
 *     same bytes as: COPY              the body of the copy
 *     same answer as: COPY             a 200 with the body, ETag and Content-Location of
 *                                      the copy
 *     304 of: COPY                     a 304 without a body, with ETag, Content-Location,
 *                                      Cache-Control and Content-Length of the copy */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/http_client.h"
#include "tests/support/row.h"

/* Whether this answer is as the row expects; if not, `why` names file, line and the difference.
 * other: the copy that the row names; NULL: it names none. */
bool answer_claim_holds(const struct row *row, struct http_answer *answer,
                        struct http_answer *other, char *why, size_t size);
