/* SPDX-License-Identifier: Apache-2.0
 * batch_answer.h - the answers to a batch, joined in the order of its requests: one JSON object
 * with a status each,
 *
 *     {"responses":[{"status":200,"result":{...}},{"id":"q","status":400,"problem":{...}}]}
 *
 * or one safetensors file whose tensors and metadata have the names of the answers' own behind
 * the request's id, or its index where it has none: "q.cos", "0.cos", "0.params". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/http/problem.h"
#include "proto/text/buffer.h"

struct format;

enum { BATCH_ANSWER_SIZES = 4 }; /* sizes of elements: 8, 4, 2 and 1 bytes */

struct batch_answer {
    const struct batch_writer *writer;
    struct buffer text;                     /* JSON: the answer. safetensors: the head */
    struct buffer metadata, places;         /* safetensors: for the head */
    struct buffer data[BATCH_ANSWER_SIZES]; /* safetensors: elements, the largest first */
    struct buffer entries;                  /* of "errors" of the problem of the batch */
    size_t count;                           /* answers added so far */
    size_t failed;                          /* of them, those that are no 200 */
    enum problem_kind worst; /* of the failed: a kind that they share, or one of status 503 */
};

/* The formats of batches, of which the first is the default. */
const struct format *const *batch_answer_formats(size_t *count);

void batch_answer_init(struct batch_answer *answer, const struct format *format);
void batch_answer_fini(struct batch_answer *answer);
/* Adds the answer to the next request: bytes in the format, or a problem. id may be NULL. When
 * out of memory, batch_answer_failed is true from then on. */
void batch_answer_add(struct batch_answer *answer, const char *id, const char *bytes,
                      size_t len);
void batch_answer_add_problem(struct batch_answer *answer, const char *id,
                              const struct problem *problem);
/* Ends the answer. */
void batch_answer_finish(struct batch_answer *answer);
bool batch_answer_failed(const struct batch_answer *answer);
/* Returns whether a problem, .worst with .entries, takes the place of the answer. */
bool batch_answer_is_problem(const struct batch_answer *answer);
/* Returns the bytes so far, and those of memory that the buffers have. */
uint64_t batch_answer_len(const struct batch_answer *answer);
uint64_t batch_answer_held(const struct batch_answer *answer);

/* The version of what a batch adds to its answers, which its entity tag depends on. */
enum { BATCH_ANSWER_VERSION = 1 };
