/* SPDX-License-Identifier: Apache-2.0
 * http_row.h - requests over HTTP and what must be answered, as rows of text files (row.h). A
 * request is written as curl's arguments, with GET as the default method:
 *
 *     /v1/rope?dim=7&pos=0:4 => 400 invalid-parameter dim 7
 *     QUERY /v1/rope -H 'Content-Type: application/json' -d '{"dim":8,"pos":"0:4"}'
 *       header Cache-Control has: max-age
 *
 * Words in '...' have no escapes; \n, \r, \t, \' and \\ are escapes in $'...'. In a header
 * {ETag} stands for the entity tag that HEAD of the same target answers. An expectation is one
 * of:
 *
 *     => 400 SLUG PARAMETER words      the status; then an RFC 9457 problem of this type; then
 *                                      what its error of this parameter has in it. With - as
 *                                      PARAMETER the body has the words
 *     answer: 400 SLUG ...            the same, below a request
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
 *     same answer as: REQUEST          both are 200 and have the same body, ETag and
 *                                      Content-Location. With {Content-Location} as REQUEST,
 *                                      the answer at this header's value
 *     304 of: REQUEST                  a 304 without a body, with ETag, Content-Location,
 *                                      Cache-Control and Content-Length of the other answer */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/row.h"
#include "tests/support/web.h"

/* Whether the server answers as the row expects; if not, `why` names file, line and the
 * difference. Fails the test if there is no answer. */
bool http_row_holds(struct web *web, const struct row *row, char *why, size_t size);
/* Whether this answer is as the row expects. web may be NULL: the row must not name another
 * request then. */
bool http_row_answer_holds(struct web *web, const struct row *row, const struct answer *answer,
                           char *why, size_t size);
