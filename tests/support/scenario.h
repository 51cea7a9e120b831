/* SPDX-License-Identifier: Apache-2.0
 * scenario.h - requests over HTTP and what must be answered, as rows of text files
 * (tests/support/row.h). The input is the name of the scenario, a sentence; its steps stand
 * below it:
 *
 *     the second answer is a hit
 *         flags: --threads=1
 *         times: 2
 *         ask: /v1/rope?pos=0:4&dim=8
 *         answer: 200
 *         then:
 *         metric posencd_compute_seconds_count: 1
 *
 * An input that is a request is asked before the steps; "=>" may follow it:
 *
 *     /v1/rope?dim=7&pos=0:4 => 400 invalid-parameter dim 7
 *     QUERY /v1/rope -H 'Content-Type: application/json' -d '{"dim":8,"pos":"0:4"}'
 *         header Cache-Control has: max-age
 *
 * A request is written as curl's arguments, with GET as the default method. Words in '...' have
 * no escapes; \n, \r, \t, \' and \\ are escapes in $'...'. A step is one of these, or an
 * expectation of answer_claim.h about the last answer:
 *
 *     flags: WORDS             flags of the server, besides those of served.h; the first step,
 *                              or none
 *     ask: REQUEST             sends the request and reads the answer
 *     send: $'BYTES'           sends these bytes instead, which are a request
 *     ask admin: REQUEST       on a new connection to the admin listener; also: send admin
 *     connect:                 continues on a new connection
 *     restart:                 ends the server and starts another with the same flags
 *     reload:                  reloads as after SIGHUP
 *     keep NAME: HEADER        {NAME} stands for this header of the last answer from here on
 *     copy NAME: REQUEST       keeps the answer to this request, a 200 that is not compressed
 *     gzip of: NAME            the last answer is the gzip variant of a copy (variant.h)
 *     gunzip has: words        what the body inflates to has the words
 *     gunzip is: NAME          or it is the copy
 *     metric SAMPLE: 1         a sample of /metrics becomes this value; also: metric at least
 *     connection: open         it serves /livez; or closed
 *     overload: 96             reserves so many percent of --max-inflight, which sets the
 *                              overload level
 *     reserve all but: 1000    reserves --max-inflight but these bytes
 *     release:                 gives back what was reserved
 *     times: 3                 the steps below are done so often
 *     each A ; B: 1 ; 2 | 3 ; 4
 *                              they are done for each group of values, for which {A} and {B}
 *                              stand
 *     then:                    ends the steps of the last "times" or "each" that has not
 *                              ended; the end of the scenario ends all
 *
 * The scenarios whose names end with "before 1.0.0" or "since 1.0.0" are for those versions of
 * libmicrohttpd (library.h).
 *
 * A server that is another process takes no step that reaches into it: flags, restart, reload,
 * admin, metric, overload, reserve and release. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/row.h"

/* The number of rows from the first on that are of its scenario. */
size_t scenario_rows(const struct row *first, const struct row *end);
/* Finds the rows of the scenario of this number, and how many they are; none: there are fewer
 * scenarios. */
const struct row *scenario_find(const struct rows *rows, size_t number, size_t *count);
/* The number of scenarios. */
size_t scenario_count(const struct rows *rows);
/* Whether every step of the scenario holds; if not, `why` names file, line and the difference.
 * The server listens on this port, or is started in this process if it is 0. Fails the test if
 * it cannot be started. */
bool scenario_holds(const struct row *rows, size_t count, unsigned port, char *why,
                    size_t size);
