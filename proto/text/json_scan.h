/* SPDX-License-Identifier: Apache-2.0
 * json_scan.h - JSON pushed in pieces: the grammar is checked with its places, arrays of
 * numbers are decoded, the long ones are cut out of what is left for a parser. */
#ifndef PROTO_TEXT_JSON_SCAN_H
#define PROTO_TEXT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"
#include "proto/text/json_numbers.h"
#include "proto/text/number_array.h"

enum { JSON_SCAN_DEPTH = 16, JSON_SCAN_ERROR_SIZE = 240 };

enum json_scan_state {
    JSON_SCAN_OK,
    JSON_SCAN_MALFORMED,
    JSON_SCAN_TOO_LARGE,
    JSON_SCAN_NO_MEMORY
};

struct json_scan_limits {
    size_t few;         /* arrays of more numbers are cut out */
    size_t max_array;   /* numbers of one array */
    size_t max_numbers; /* numbers of all arrays together */
    size_t max_rest;    /* bytes of the rest */
    /* For documents that Python wrote: NaN, Infinity and -Infinity become texts of these
     * letters, and a byte order mark is passed over. */
    bool python;
    const char *const *skipped; /* names whose values become null, ended by NULL; or NULL */
};

/* A place in the document, from 1; columns count characters. */
struct json_place {
    uint64_t line, column;
};

/* An array of numbers that is reached by names alone: path[i] is the place among the members
 * of the object at depth i, from 0. (Names may be escaped in many ways, places not.) */
struct json_array {
    uint32_t path[JSON_SCAN_DEPTH];
    size_t depth;
    size_t first; /* in the store */
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
    bool digits; /* every number is written as digits alone: 2, not 2.0, 2e0 or -0; never of an
                  * array that was cut out */
};

/* The place where the document goes on behind an array that was cut out. */
struct json_cut {
    size_t rest;
    struct json_place place;
};

struct json_scan {
    /* The result, good after json_grammar_finish was OK. */
    struct buffer rest;        /* the document, `null` for long arrays */
    struct json_array *arrays; /* in the order of the document */
    size_t array_count;
    struct number_store numbers;
    char error[JSON_SCAN_ERROR_SIZE]; /* "line 3, column 14: ..."; "" if none */

    /* The rest is private. */
    struct json_scan_limits limits;
    enum json_scan_state verdict;
    unsigned step; /* what is expected next: enum step in json_grammar.c */
    uint64_t offset, line, line_start;
    size_t depth;
    bool is_object[JSON_SCAN_DEPTH];
    uint32_t members[JSON_SCAN_DEPTH]; /* members begun so far */
    bool in_name;                      /* the string that is being read is a name */
    size_t text_first;                 /* behind the first quote of a string, in .rest */
    bool skip_next, skipping; /* a value that is skipped comes next, or is being read */
    size_t skip_depth;        /* the depth of its object */
    uint64_t mark;            /* bytes of a byte order mark so far */
    unsigned hex_left, code;  /* the state of a \u escape */
    bool half;                /* a surrogate whose second half is missing */
    char token[JSON_NUMBERS_MAX_LEN + 2]; /* a number or word that is being read */
    size_t token_len;
    struct json_place token_place;
    bool in_array, reachable, cut, digits; /* about .array */
    struct number_array array;
    size_t array_depth, array_rest; /* depth and rest before its [ */
    size_t array_capacity;
    struct json_cut *cuts;
    size_t cut_count, cut_capacity;
};

void json_scan_init(struct json_scan *scan, const struct json_scan_limits *limits);
void json_scan_fini(struct json_scan *scan);

/* The place in the document of the byte .rest[rest]. */
struct json_place json_scan_place(const struct json_scan *scan, size_t rest);
/* The bytes of memory held. */
size_t json_scan_held(const struct json_scan *scan);

/* ---- for json_grammar.c, json_array.c and json_python.c ---------------------------- *
 * Functions that return bool have failed with false. The next byte is the one that the grammar
 * looks at; it is not yet kept or passed. */

/* The place of the next byte. */
struct json_place json_scan_here(const struct json_scan *scan);
/* Sets the verdict and the error. Always false. */
bool json_scan_fail(struct json_scan *scan, enum json_scan_state verdict,
                    struct json_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool json_scan_fail_memory(struct json_scan *scan);
/* Adds the byte to the rest, unless its array is cut out. */
bool json_scan_keep(struct json_scan *scan, char byte);
/* Goes on to the place behind the byte. */
void json_scan_pass(struct json_scan *scan, char byte);
/* A line ended; the next one begins at that offset. */
void json_scan_pass_line(struct json_scan *scan, uint64_t behind);
/* Keeps and passes the text of a string: to its first quote, backslash or control byte, or the
 * limit of the rest. Returns how many bytes. */
size_t json_scan_put_text(struct json_scan *scan, const char *at, const char *end);
/* What comes next in the rest stands at the place of the next byte, though the bytes before it
 * are not in the rest. */
bool json_scan_add_cut(struct json_scan *scan);
/* One more element at the end of a growing array; NULL when out of memory. */
void *json_scan_add_element(void **elements, size_t *capacity, size_t count, size_t size);

#endif
