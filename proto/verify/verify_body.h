/* SPDX-License-Identifier: Apache-2.0
 * verify_body.h - the names of a query that describe tensors which came without a header:
 * tensor=NAME of a body with one tensor and no names, in_dtype and shape of raw bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/request/query.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"

enum { VERIFY_BODY_NAME_SIZE = 256 };

enum verify_body_word {
    VERIFY_BODY_TENSOR,
    VERIFY_BODY_IN_DTYPE,
    VERIFY_BODY_SHAPE,
    VERIFY_BODY_WORDS
};

struct verify_body {                  /* {0} has no words */
    char name[VERIFY_BODY_NAME_SIZE]; /* "" if it was not given */
    struct pe_tensor info;            /* the rank is 0 if the shape was not given */
    bool given[VERIFY_BODY_WORDS];
};

/* Finds the word of a name; VERIFY_BODY_WORDS if it is no such word. */
enum verify_body_word verify_body_find(const char *name, size_t len);
/* Reads the value of a word, once. */
enum pe_status verify_body_set(struct verify_body *body, enum verify_body_word word,
                               const char *text, size_t len, struct pe_errors *errors);
/* Adds the problem of each word that is missing for raw bytes (headerless), or has no effect
 * because the body says it itself. JSON takes in_dtype, the dtype of tensors that have none. */
void verify_body_check(const struct verify_body *body, bool headerless, bool named, bool json,
                       struct pe_errors *errors);
/* Most elements of all tensors: of a body, and of a file on the command line. */
enum { VERIFY_ELEMENTS = 64 << 20, VERIFY_FILE_ELEMENTS = 1 << 30 };

/* Makes a body of JSON with tensors, and perhaps a claim and a configuration, of at most so
 * many bytes; NULL when out of memory. */
struct json_body *verify_body_new(uint64_t max_bytes);

/* Reads the tensors of a finished body of verify_body_new, which the caller owns then. A
 * tensor without a dtype has that of the words. The problem of a wrong value has its JSON
 * pointer. */
enum pe_status verify_body_read_json(const struct json_body *body,
                                     const struct verify_body *words, struct tensor_set *set,
                                     struct pe_errors *errors);
/* Returns whether bodies of the format name their tensors. */
bool verify_body_is_named(const struct tensor_format *format);

/* Returns the words of a query, as far as they can be read, for a reader that needs them before
 * the request is checked. */
struct verify_body verify_body_of(const struct query *query);
struct verify_body verify_body_of_text(const char *query, size_t len); /* a raw query */
