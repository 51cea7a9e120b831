/* SPDX-License-Identifier: Apache-2.0
 * json_body.h - a JSON body read as it arrives: number arrays are decoded at once, the rest (at
 * most 256 KiB) is parsed by jansson at the end. Bytes, depth and memory are bounded. Its calls
 * are, in order: new, add (many), finish, then walk and next over the members, all on one
 * thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct json_body;

enum json_body_state {
    JSON_BODY_OK,
    JSON_BODY_MALFORMED,
    JSON_BODY_TOO_LARGE,
    JSON_BODY_NO_MEMORY
};

enum {
    JSON_BODY_MAX_DEPTH = 16,         /* levels of nested arrays and objects */
    JSON_BODY_MAX_REST = 256 << 10,   /* bytes left after long number arrays are cut out */
    JSON_BODY_MAX_ARRAY = 4 << 20,    /* most numbers of one array */
    JSON_BODY_MAX_NUMBERS = 16 << 20, /* most numbers of all arrays together */
    JSON_BODY_FEW = 64,               /* longer arrays of numbers never reach jansson */
    JSON_BODY_POINTER_SIZE = 160,     /* bytes of the text of json_body_pointer */
};

/* Makes a body of at most max_bytes; NULL when out of memory. */
struct json_body *json_body_new(uint64_t max_bytes);
/* Makes a body as json_body_new does, for files that Python wrote: NaN, Infinity and -Infinity
 * are read as strings, a byte order mark is skipped, and a member with one of the `skipped`
 * names (NULL-terminated, at any depth; they must outlive the body) is null, however long its
 * value is. */
struct json_body *json_body_new_python(uint64_t max_bytes, const char *const *skipped);
/* Makes a body as json_body_new_python does, in whose arrays of numbers true, false, NaN,
 * Infinity and -Infinity are numbers, and which has null for members with a `skipped` name only
 * in the values of members with the name `within` (NULL: everywhere). It may be an array in
 * place of an object: then it is read as an object whose one member has the name "". */
struct json_body *json_body_new_arrays(uint64_t max_bytes, const char *const *skipped,
                                       const char *within);
/* Makes a body as json_body_new does, in whose arrays of numbers true is 1 and false 0. */
struct json_body *json_body_new_truths(uint64_t max_bytes);
void json_body_free(struct json_body *body);

/* Adds the next bytes, which are ignored once the state is not JSON_BODY_OK. */
enum json_body_state json_body_add(struct json_body *body, const char *bytes, size_t len);
/* Ends and parses the body. Returns JSON_BODY_MALFORMED if it is not one JSON object. */
enum json_body_state json_body_finish(struct json_body *body);
/* Returns whether the body is an array, as json_body_new_arrays reads it. */
bool json_body_is_array(const struct json_body *body);
/* Returns the number of bytes that arrived. */
uint64_t json_body_len(const struct json_body *body);
/* Returns the memory held now, for the in-flight budget. */
size_t json_body_held(const struct json_body *body);
/* Returns the error ("line 3, column 14: ..."), or the limit that was exceeded; "" if there is
 * none. The text is borrowed. */
const char *json_body_error(const struct json_body *body);

/* ---- the members of a finished body ------------------------------------------------ */

enum json_body_kind {
    JSON_BODY_NUMBER,
    JSON_BODY_BOOL,
    JSON_BODY_STRING,
    /* An array of numbers, nested as deep as its rank; [] has rank 1 and 0 items. */
    JSON_BODY_NUMBERS,
    JSON_BODY_OBJECT, /* see json_body_walk(body, &value, ...) */
    JSON_BODY_NULL,
    JSON_BODY_OTHER, /* an array that contains a value other than numbers */
};

/* A member of an object. Pointers are borrowed from the body; the struct may be copied. */
struct json_body_value {
    const char *name; /* UTF-8, NUL-terminated, holds no NUL */
    size_t name_len;
    enum json_body_kind kind;
    double number;    /* JSON_BODY_NUMBER: correctly rounded, whole numbers exact to 2^53 */
    bool flag;        /* JSON_BODY_BOOL */
    const char *text; /* JSON_BODY_STRING: UTF-8, NUL-terminated, holds no NUL */
    size_t text_len;
    const double *numbers;      /* JSON_BODY_NUMBERS: row-major */
    const int16_t *rests;       /* of the number, or each of the numbers, as json_whole.h says;
                                 * NULL: nothing */
    size_t rank;                /* JSON_BODY_NUMBERS: 1 for a list, 2 for a matrix ... */
    uint64_t dims[PE_MAX_RANK]; /* JSON_BODY_NUMBERS */
    bool digits;       /* JSON_BODY_NUMBERS, at most JSON_BODY_FEW: as in struct json_array */
    bool truths;       /* JSON_BODY_NUMBERS: as in struct json_array */
    size_t rows, cols; /* JSON_BODY_NUMBERS: cols is the last axis, rows all others */
    /* The depth at which pointers begin (0: at the body). A value below takes it over, so that
     * the members of an object with base = depth have the pointers of a body's own. */
    size_t base;
    void *node, *parent, *at; /* private, as are all fields below */
    size_t depth;
    uint32_t path[JSON_BODY_MAX_DEPTH];
};

/* Begins a walk over members in the order of the body: over those of the body's own object
 * (parent NULL) or of a value of kind JSON_BODY_OBJECT, which may be *value. json_body_next
 * goes on to the first one, then to the next; false at the end. The body must have been
 * finished with JSON_BODY_OK.
 *
 *     for (json_body_walk(body, NULL, &v); json_body_next(body, &v);)
 */
void json_body_walk(const struct json_body *body, const struct json_body_value *parent,
                    struct json_body_value *value);
bool json_body_next(const struct json_body *body, struct json_body_value *value);
/* Returns the number of items in an array of kind JSON_BODY_OTHER, and one item's text (NULL if
 * the item is not a string). */
size_t json_body_item_count(const struct json_body_value *value);
const char *json_body_item_text(const struct json_body_value *value, size_t i);
/* Gives the item i of an array of kind JSON_BODY_OTHER, which has no name; false unless it is
 * an object. *objects: the objects before item i, 0 for the first item; it counts the item, so
 * that it is right for the next one. */
bool json_body_item(const struct json_body_value *array, size_t i, size_t *objects,
                    struct json_body_value *item);
/* Finds the member with that name; false if there is none. */
bool json_body_find(const struct json_body *body, const struct json_body_value *parent,
                    const char *name, struct json_body_value *value);

/* Writes the JSON pointer of a value, for errors: "#/pos", or "#/pos/3" for item 3 of a number
 * array ("#/matrix/1/0" at rank 2). Names are escaped as JSON pointers require, long ones are
 * cut. The pointer begins at value->base. Returns text. */
enum { JSON_BODY_NO_ITEM = -1 };
const char *json_body_pointer(const struct json_body *body, const struct json_body_value *value,
                              int64_t item, char text[JSON_BODY_POINTER_SIZE]);
