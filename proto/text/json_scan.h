/* SPDX-License-Identifier: Apache-2.0
 * json_scan.h - scans JSON in pieces: checks the grammar, decodes arrays of numbers, and cuts
 * long ones out of the rest that a parser reads. Errors have a line and a column. */
#pragma once

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
    size_t few;         /* longer arrays are cut out */
    size_t max_array;   /* most numbers of one array */
    size_t max_numbers; /* most numbers of all arrays together */
    size_t max_rest;    /* most bytes of the rest */
    /* For documents that Python wrote: NaN, Infinity and -Infinity become strings, and a byte
     * order mark is skipped. */
    bool python;
    /* In arrays of numbers true is 1 and false 0; with .python, NaN and infinities are numbers.
     * */
    bool words;
    const char *const *skipped; /* names whose values become null, NULL-terminated; or NULL */
    const char *within; /* .skipped are names in the values of members of this name; NULL: in
                         * all of the document */
};

/* A place in the document, counted from 1; a column is a character. */
struct json_place {
    uint64_t line, column;
};

/* An array of numbers that is a member of an object, to which names and items of arrays lead:
 * path[i] is an index from 0, among the members of the object at depth i or among the objects
 * of the array at depth i. (Names may be escaped in many ways, indices not.) */
struct json_array {
    uint32_t path[JSON_SCAN_DEPTH];
    size_t depth;
    size_t first; /* index of its first number in the store */
    size_t rank;  /* 0: a number alone, which is kept only if it has a rest */
    uint64_t dims[PE_MAX_RANK];
    /* Every number is written as digits alone: 2, not 2.0, 2e0 or -0 (false if cut out). */
    bool digits;
    bool truths; /* every number is written as true or false */
};

/* The place where the document goes on behind an array that was cut out, at .rest[rest]. */
struct json_cut {
    size_t rest;
    struct json_place place;
};

struct json_scan {
    /* The result, valid after json_grammar_finish was OK. */
    struct buffer rest;        /* the document, with `null` for long arrays */
    struct json_array *arrays; /* in the order of the document */
    size_t array_count;
    struct number_store numbers;
    char error[JSON_SCAN_ERROR_SIZE]; /* "line 3, column 14: ..."; "" if none */

    /* The fields below are private. */
    struct json_scan_limits limits;
    enum json_scan_state verdict;
    unsigned step; /* the state: enum json_step */
    uint64_t offset, line, line_start;
    size_t depth;
    bool is_object[JSON_SCAN_DEPTH];
    uint32_t members[JSON_SCAN_DEPTH];    /* members, or objects of an array, begun so far */
    bool in_name;                         /* the string that is being read is a name */
    size_t text_first;                    /* index in .rest of the string's first byte */
    bool skip_next, skipping;             /* the next value is skipped, or this one */
    size_t skip_depth;                    /* depth of the skipped value's object */
    size_t within_depth;                  /* that of the last member of .within; 0: none */
    uint64_t mark;                        /* bytes read of a byte order mark */
    unsigned hex_left, code;              /* the state of a \u escape */
    bool half;                            /* the second half of a surrogate pair is missing */
    char token[JSON_NUMBERS_MAX_LEN + 2]; /* a number or word that is being read */
    size_t token_len;
    struct json_place token_place;
    bool in_array, reachable, cut, digits, truths; /* state of .array */
    struct number_array array;
    size_t array_depth, array_rest; /* depth and length of the rest before its [ */
    size_t array_capacity;
    struct json_cut *cuts;
    size_t cut_count, cut_capacity;
};

void json_scan_init(struct json_scan *scan, const struct json_scan_limits *limits);
void json_scan_fini(struct json_scan *scan);

/* Returns the place in the document of the byte .rest[rest]. */
struct json_place json_scan_place(const struct json_scan *scan, size_t rest);
/* Returns the bytes of memory held. */
size_t json_scan_held(const struct json_scan *scan);

/* ---- for json_grammar.c, json_array.c and json_python.c ---------------------------- *
 * Functions that return bool have failed with false. The next byte is the one that the grammar
 * looks at; it is not yet kept or passed. */

/* Returns the place of the next byte. */
struct json_place json_scan_here(const struct json_scan *scan);
/* Sets the verdict and the error; always returns false. */
bool json_scan_fail(struct json_scan *scan, enum json_scan_state verdict,
                    struct json_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool json_scan_fail_memory(struct json_scan *scan);
/* Adds the byte to the rest, unless its array is cut out. */
bool json_scan_keep(struct json_scan *scan, char byte);
/* Goes on to the place behind the byte. */
void json_scan_pass(struct json_scan *scan, char byte);
/* Begins a new line at that offset. */
void json_scan_pass_line(struct json_scan *scan, uint64_t behind);
/* Keeps and passes the text of a string, up to its first quote, backslash or control byte, or
 * the limit of the rest. Returns the number of its bytes. */
size_t json_scan_put_text(struct json_scan *scan, const char *at, const char *end);
/* Records that the rest goes on at the place of the next byte, although the bytes before it are
 * not in the rest. */
bool json_scan_add_cut(struct json_scan *scan);
/* Adds an element at the end of a growing array; NULL when out of memory. */
void *json_scan_add_element(void **elements, size_t *capacity, size_t count, size_t size);
