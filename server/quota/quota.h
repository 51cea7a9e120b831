/* SPDX-License-Identifier: Apache-2.0
 * quota.h - what one client may use: the limits behind a key of --api-keys-file. Its words are
 * rows of quota_words.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUOTA_NAME_MAX = 64, QUOTA_SUBJECT_MAX = 128 };

/* The kinds of rows of the file, by their first word: a key, `certificate`, `address`. */
enum quota_row { QUOTA_ROW_KEY = 1, QUOTA_ROW_CERTIFICATE = 2, QUOTA_ROW_ADDRESS = 4 };

struct quota {          /* 0: there is no such limit */
    uint64_t requests;  /* a second */
    uint64_t bytes;     /* a second, of bodies and answers */
    uint64_t inflight;  /* requests at once */
    uint64_t work_ms;   /* a minute */
    uint64_t endpoints; /* the set of those that may be asked: bit i is for the i-th */
};

enum quota_limit {
#define QUOTA_NUMBER(ID, WORD, FIELD, KIND, LOW, HIGH, OF) QUOTA_##ID,
#include "server/quota/quota_words.def"
    QUOTA_ENDPOINTS,
    QUOTA_LIMITS
};
const char *quota_limit_name(enum quota_limit limit); /* its word: "requests" */

/* The greatest limits that could be reached. */
struct quota_bounds {
    uint64_t inflight, work_ms;
};

/* The limits, the expiry and the name that a line of the key file gives its client. */
struct quota_line {
    struct quota quota;
    int64_t expires; /* seconds since 1970; 0: never */
    char name[QUOTA_NAME_MAX + 1], subject[QUOTA_SUBJECT_MAX + 1]; /* "": none */
};

/* Reads the words behind the first one of a row of that kind, parted by blanks. False, and in
 * `why` what would be right, which never quotes the line: a word of it may be a key. bounds:
 * NULL: the row may have a name alone. */
bool quota_parse(struct quota_line *line, enum quota_row row, const struct quota_bounds *bounds,
                 const char *words, size_t len, char *why, size_t size);
/* Returns whether the limits are the same. */
bool quota_equal(const struct quota *a, const struct quota *b);
