/* SPDX-License-Identifier: Apache-2.0
 * problem.h - errors as RFC 9457 problem+json. Its table (problems.def) is the only one from
 * kinds of error to HTTP statuses, titles and slugs; it alone writes error bodies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* A pe_problem whose parameter starts with "#/" is about a member of a JSON body: the text is a
 * JSON pointer (RFC 6901), which the entry has as "pointer" instead of "parameter". The request
 * writes the pointers. */

enum problem_kind {
#define PROBLEM(ID, STATUS, SLUG, TITLE) PROBLEM_##ID,
#include "proto/http/problems.def"
#undef PROBLEM
    PROBLEM_COUNT
};

struct problem {
    enum problem_kind kind;
    const char *detail;     /* a sentence that says what would be right; may be NULL */
    const char *request_id; /* may be NULL */
    const char *base;       /* prefix of the type's path; may be NULL */
    const char *at; /* pointer of the part of the body where pointers begin; NULL: the body */
    const char *entries;            /* of "errors", written already; NULL: those of .errors */
    const struct pe_errors *errors; /* one entry for each parameter; may be NULL */
    const char *limited_by;         /* too-many-requests: the name of the limit; or NULL */
    const char *const *available;   /* not-acceptable: media types, NULL-terminated; or NULL */
};

unsigned problem_status(enum problem_kind kind);
const char *problem_slug(enum problem_kind kind);
const char *problem_title(enum problem_kind kind);
const char *problem_advice(enum problem_kind kind); /* sentences for the client */
/* Returns the kind of the problems in *errors: unknown-parameter only if all are, and so on;
 * unknown-revision if one is, a PE_UNKNOWN_NAME of "rev" whose limit is the revision served. */
enum problem_kind problem_kind_of(const struct pe_errors *errors);
/* The media type of the body that problem_write writes. */
#define PROBLEM_MEDIA_TYPE "application/problem+json"
/* Writes an entry of "errors". pointer: the place that the entry names instead of its
 * parameter, which the detail then names; or NULL. */
void problem_write_entry(struct buffer *out, const struct pe_problem *error,
                         const char *pointer);
/* Writes the body, one line of JSON. When detail is NULL it is made from *errors. */
void problem_write(struct buffer *out, const struct problem *problem);
