/* SPDX-License-Identifier: Apache-2.0
 * local_state.h - a request while it is answered; private to proto/local. */
#pragma once

#include "core/posenc.h"
#include "proto/http/problem.h"
#include "proto/local/local.h"
#include "proto/request/request.h"
#include "proto/tensors/tensor.h"
#include "proto/text/json_body.h"

struct encoder;
struct format;

/* Most bytes of a body, and elements of an answer: so that every size, of elements of eight
 * bytes, fits the 32 bits of a module's addresses. */
enum { LOCAL_MAX_BODY = 1 << 30, LOCAL_MAX_ELEMENTS = 1 << 27 };

struct local {
    const struct local_request *asked;
    struct local_answer *answer;
    const char *segment; /* the part of the path matched by {...} */
    size_t segment_len;
    bool (*read_json)(struct local *local); /* of the endpoint; NULL: it takes no JSON */
    struct json_body *json;                 /* the body, if it is JSON */
    const struct tensor_format *format; /* of the body's tensors; NULL: it is JSON, or none */
    struct tensor_set tensors;
    /* The answer is a problem unless `kind` is PROBLEM_COUNT. */
    enum problem_kind kind;
    bool with_errors;
    char *entries; /* of "errors", written already and owned; NULL: those of .errors */
    const struct format *const *formats; /* PROBLEM_NOT_ACCEPTABLE: those that would do */
    size_t format_count;
    char detail[320];
    struct pe_errors errors;
};

/* Each answers at its endpoint; what is wrong becomes the problem of the request. */
void local_encoding(struct local *local);
void local_batch(struct local *local);
void local_verify(struct local *local);
void local_encodings(struct local *local);
void local_schema(struct local *local);
void local_openapi(struct local *local);
void local_models(struct local *local);
void local_model(struct local *local);
void local_resolve(struct local *local);
void local_tables(struct local *local);

/* Makes a problem the answer. */
void local_fail(struct local *local, enum problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Does so for a status other than PE_OK: a problem made of the errors, or a lack of memory. */
void local_fail_status(struct local *local, enum pe_status status);
/* Says that Accept admits none of the formats. */
void local_fail_format(struct local *local, const struct format *const *formats, size_t count);
/* Returns how many bytes of the path a sentence shows. */
int local_path_shown(const struct local *local);
/* Refuses a query where the endpoint takes none; returns whether it did. */
bool local_refuses_query(struct local *local);

/* Reads the body, as JSON or, where the endpoint takes them, as tensors of `enc` (NULL: of any
 * names). Returns false after a problem. */
bool local_read_body(struct local *local, bool takes_tensors, const struct pe_encoding *enc);
/* Reads a body of JSON into local->json; one that has arrays of truths and of what Python
 * writes; a config.json. Returns false after a problem. */
typedef bool local_read_json(struct local *local);
local_read_json local_json, local_json_arrays, local_json_config;

/* Returns the limits of a request: the service's defaults. */
struct request_limits local_limits(void);
/* Reads the encoder to its end into out, and frees it; NULL: out of memory. Returns false, and
 * *out has failed, when memory is short. */
bool local_encode(struct encoder *encoder, struct buffer *out);
