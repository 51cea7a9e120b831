/* SPDX-License-Identifier: Apache-2.0
 * scenario.h - requests, one after the other, to a service in this process, as rows of text
 * files (tests/support/row.h). The input is the name of the scenario, a sentence; its steps
 * stand below it:
 *
 *     the second answer is a hit
 *         flags: --threads=1
 *         times: 2
 *         ask: /v1/rope?pos=0:4&dim=8
 *         answer: 200
 *         then:
 *         metric posencd_compute_seconds_count: 1
 *
 * A step is one of these, or an expectation of http_row.h about the last answer that needs no
 * other request:
 *
 *     flags: WORDS             flags of the server, besides those of served.h; the first step,
 *                              or none
 *     ask: REQUEST             sends the request as http_row.h writes it and reads the answer
 *     send: $'BYTES'           sends these bytes instead, which are a request
 *     ask admin: REQUEST       on a new connection to the admin listener; also: send admin
 *     connect:                 continues on a new connection
 *     restart:                 ends the server and starts another with the same flags
 *     reload:                  reloads as after SIGHUP
 *     keep NAME: HEADER        {NAME} stands for this header of the last answer from here on
 *     copy NAME: REQUEST       keeps bytes and entity tag of the 200 to a GET
 *     same bytes as: NAME      the last answer has the bytes of a copy
 *     gzip of: NAME            it is the gzip variant of a copy (variant.h)
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
 *                              ended; the end of the scenario ends all */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/row.h"

/* The number of rows from the first on that are of its scenario. */
size_t scenario_rows(const struct row *first, const struct row *end);
/* Whether every step of the scenario holds; if not, `why` names file, line and the difference.
 * Fails the test if the service cannot be started. */
bool scenario_holds(const struct row *rows, size_t count, char *why, size_t size);
