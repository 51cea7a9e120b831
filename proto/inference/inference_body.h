/* SPDX-License-Identifier: Apache-2.0
 * inference_body.h - the body of a request for inference, read as it arrives: JSON, and
 * behind it the bytes of binary tensors in the order of the inputs. Its calls are, in order:
 * new, add (many), finish, then message, all on one thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "proto/inference/inference_message.h"

struct inference_body;

enum inference_state {
    INFERENCE_OK,
    INFERENCE_MALFORMED,
    INFERENCE_TOO_LARGE,
    INFERENCE_OVER_BUDGET, /* reserve returned false */
    INFERENCE_NO_MEMORY
};

#define INFERENCE_LENGTH_UNKNOWN UINT64_MAX

struct inference_source {
    uint64_t head;      /* bytes of the JSON; 0: the whole body is JSON */
    uint64_t length;    /* bytes of the body, or INFERENCE_LENGTH_UNKNOWN */
    uint64_t max_bytes; /* most bytes of the body */
    bool (*reserve)(void *context,
                    uint64_t bytes); /* reserves memory as it is used, or false */
    void *context;
};

/* Reads the value of Inference-Header-Content-Length; false if it is no such number. */
bool inference_body_read_length(const char *text, uint64_t *length);

struct inference_body *inference_body_new(const struct inference_source *source); /* NULL: no
                                                                                    * memory */
void inference_body_free(struct inference_body *body); /* NULL: nothing */
/* Sets the model that the request is for: its name, as in the path, and the model of
 * proto/models whose settings are defaults (NULL: none). Both are copied; false: out of
 * memory. */
bool inference_body_set_model(struct inference_body *body, const char *name, size_t name_len,
                              const char *preset);
const char *inference_body_model(const struct inference_body *body);
const char *inference_body_preset(const struct inference_body *body);
/* Adds the next bytes. A state other than OK is final; the memory of the tensors is freed
 * then. */
enum inference_state inference_body_add(struct inference_body *body, const char *bytes,
                                        size_t len);
/* Ends the body; a body without a byte is that of {}. */
enum inference_state inference_body_finish(struct inference_body *body);
const char *inference_body_error(const struct inference_body *body);
/* Returns the bytes of memory reserved. */
uint64_t inference_body_held(const struct inference_body *body);
/* Returns the bytes of JSON, and of lists in binary, that must be looked at one by one. */
uint64_t inference_body_work(const struct inference_body *body);

/* Returns the parts of a body that has ended well; borrowed. The caller may take the data of an
 * input, and sets it to NULL then. */
struct inference_message *inference_body_message(struct inference_body *body);
const struct json_body *inference_body_json(const struct inference_body *body);
