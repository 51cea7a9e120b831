/* SPDX-License-Identifier: Apache-2.0
 * json_body.c - sets the scanner's limits, gives the rest to jansson, and lists the members:
 * names and small values from jansson, arrays of numbers from the scanner. */
#include "proto/text/json_body.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_array.h"
#include "proto/text/json_fault.h"
#include "proto/text/json_grammar.h"
#include "proto/text/json_memory.h"
#include "proto/text/json_wrap.h"

_Static_assert((int)JSON_BODY_MAX_DEPTH == (int)JSON_SCAN_DEPTH, "one depth");

struct json_body {
    struct json_scan scan;
    uint64_t len, max_bytes;
    enum json_body_state state;
    struct json_wrap wrap; /* of an array */
    json_t *root;          /* set once json_body_finish was OK */
    size_t root_bytes;
    char error[JSON_SCAN_ERROR_SIZE];
};

static const struct json_scan_limits limits = {
    .few = JSON_BODY_FEW,
    .max_array = JSON_BODY_MAX_ARRAY,
    .max_numbers = JSON_BODY_MAX_NUMBERS,
    .max_rest = JSON_BODY_MAX_REST,
};

static struct json_body *make(uint64_t max_bytes, bool python, bool words,
                              const char *const *skipped)
{
    struct json_body *body = calloc(1, sizeof(*body));

    if (!body)
        return NULL;
    body->max_bytes = max_bytes;
    json_scan_init(&body->scan, &limits);
    body->scan.limits.python = python;
    body->scan.limits.words = words;
    body->scan.limits.skipped = skipped;
    return body;
}

struct json_body *json_body_new(uint64_t max_bytes)
{
    return make(max_bytes, false, false, NULL);
}

struct json_body *json_body_new_python(uint64_t max_bytes, const char *const *skipped)
{
    return make(max_bytes, true, false, skipped);
}

struct json_body *json_body_new_arrays(uint64_t max_bytes, const char *const *skipped,
                                       const char *within)
{
    struct json_body *body = make(max_bytes, true, true, skipped);

    if (body) {
        body->scan.limits.within = within;
        body->wrap.takes_array = true;
    }
    return body;
}

struct json_body *json_body_new_truths(uint64_t max_bytes)
{
    return make(max_bytes, false, true, NULL);
}

void json_body_free(struct json_body *body)
{
    if (!body)
        return;
    json_decref(body->root);
    json_scan_fini(&body->scan);
    free(body);
}

static enum json_body_state judge(struct json_body *body, enum json_scan_state verdict)
{
    static const enum json_body_state states[] = {
        [JSON_SCAN_OK] = JSON_BODY_OK,
        [JSON_SCAN_MALFORMED] = JSON_BODY_MALFORMED,
        [JSON_SCAN_TOO_LARGE] = JSON_BODY_TOO_LARGE,
        [JSON_SCAN_NO_MEMORY] = JSON_BODY_NO_MEMORY,
    };

    if (verdict != JSON_SCAN_OK)
        memcpy(body->error, body->scan.error, sizeof(body->error));
    body->state = states[verdict];
    return body->state;
}

enum json_body_state json_body_add(struct json_body *body, const char *bytes, size_t len)
{
    if (body->state != JSON_BODY_OK)
        return body->state;
    const uint64_t left = body->max_bytes - body->len;
    const size_t within = len < left ? len : (size_t)left;
    body->len += within;
    if (judge(body, json_wrap_begin(&body->wrap, &body->scan, bytes, within)) != JSON_BODY_OK)
        return body->state;
    if (judge(body, json_grammar_add(&body->scan, bytes, within)) == JSON_BODY_OK &&
        within < len) {
        snprintf(body->error, sizeof(body->error), "a body has at most %ju bytes",
                 (uintmax_t)body->max_bytes);
        body->state = JSON_BODY_TOO_LARGE;
    }
    return body->state;
}

static enum json_body_state refuse(struct json_body *body, const json_error_t *error,
                                   enum json_memory memory)
{
    if (memory == JSON_MEMORY_OUT)
        return JSON_BODY_NO_MEMORY;
    if (memory == JSON_MEMORY_OVER_BUDGET) {
        snprintf(body->error, sizeof(body->error),
                 "the body needs more than %d bytes of memory", JSON_MEMORY_BUDGET);
        return JSON_BODY_TOO_LARGE;
    }
    const char *sentence = json_fault_says(json_error_code(error));
    if (!sentence)
        return JSON_BODY_NO_MEMORY;
    const struct json_place place =
        json_scan_place(&body->scan, json_fault_find(&body->scan.rest, error));
    snprintf(body->error, sizeof(body->error), "line %ju, column %ju: %s",
             (uintmax_t)place.line, (uintmax_t)place.column, sentence);
    return JSON_BODY_MALFORMED;
}

enum json_body_state json_body_finish(struct json_body *body)
{
    assert(!body->root);
    if (body->state == JSON_BODY_OK)
        judge(body, json_wrap_end(&body->wrap, &body->scan));
    if (body->state != JSON_BODY_OK ||
        judge(body, json_grammar_finish(&body->scan)) != JSON_BODY_OK)
        return body->state;
    json_error_t error = {0};
    enum json_memory memory;
    json_memory_begin(JSON_MEMORY_BUDGET);
    body->root = json_loadb(body->scan.rest.bytes, body->scan.rest.len,
                            JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    body->root_bytes = json_memory_end(&memory);
    if (body->root && memory != JSON_MEMORY_GIVEN) {
        json_decref(body->root);
        body->root = NULL;
        body->root_bytes = 0;
    }
    if (!body->root)
        body->state = refuse(body, &error, memory);
    else
        buffer_fini(&body->scan.rest);
    return body->state;
}

bool json_body_is_array(const struct json_body *body)
{
    return body->wrap.is_array;
}

uint64_t json_body_len(const struct json_body *body)
{
    return body->len;
}

size_t json_body_held(const struct json_body *body)
{
    return sizeof(*body) + json_scan_held(&body->scan) + body->root_bytes;
}

const char *json_body_error(const struct json_body *body)
{
    return body->error;
}

/* ---- members ------------------------------------------------------------------------ */

static void set_numbers(const struct json_body *body, const struct json_array *array,
                        struct json_body_value *value)
{
    static const double none = 0; /* only empty arrays have no numbers in the store */
    const struct number_store *store = &body->scan.numbers;

    value->rests = store->rests ? store->rests + array->first : NULL;
    if (array->rank == 0)
        return;
    value->kind = JSON_BODY_NUMBERS;
    value->numbers = store->values ? store->values + array->first : &none;
    value->rank = array->rank;
    value->digits = array->digits;
    value->truths = array->truths;
    memcpy(value->dims, array->dims, sizeof(value->dims));
    value->cols = (size_t)array->dims[array->rank - 1];
    value->rows = 1;
    for (size_t i = 0; i + 1 < array->rank; i++)
        value->rows *= (size_t)array->dims[i]; /* counted before: no overflow */
}

static void set_value(const struct json_body *body, json_t *node, struct json_body_value *value)
{
    static const enum json_body_kind kinds[] = {
        [JSON_OBJECT] = JSON_BODY_OBJECT, [JSON_ARRAY] = JSON_BODY_OTHER,
        [JSON_STRING] = JSON_BODY_STRING, [JSON_INTEGER] = JSON_BODY_NUMBER,
        [JSON_REAL] = JSON_BODY_NUMBER,   [JSON_TRUE] = JSON_BODY_BOOL,
        [JSON_FALSE] = JSON_BODY_BOOL,    [JSON_NULL] = JSON_BODY_NULL,
    };
    const struct json_array *array = NULL;

    value->kind = kinds[json_typeof(node)];
    value->node = node;
    value->number = json_number_value(node);
    value->flag = json_is_true(node);
    value->text = json_string_value(node);
    value->text_len = json_string_length(node);
    value->numbers = NULL;
    value->rests = NULL;
    value->rank = value->rows = value->cols = 0;
    value->digits = value->truths = false;
    if (value->kind == JSON_BODY_NULL || value->kind == JSON_BODY_OTHER ||
        (value->kind == JSON_BODY_NUMBER && body->scan.numbers.rests))
        array = json_array_find(&body->scan, value->path, value->depth);
    if (array)
        set_numbers(body, array, value);
}

/* Reads the member at an iterator, number value->path[depth - 1] of its object. */
static bool set_member(const struct json_body *body, void *at, struct json_body_value *value)
{
    if (!at)
        return false;
    value->name = json_object_iter_key(at);
    value->name_len = json_object_iter_key_len(at);
    value->at = at;
    set_value(body, json_object_iter_value(at), value);
    return true;
}

void json_body_walk(const struct json_body *body, const struct json_body_value *parent,
                    struct json_body_value *value)
{
    struct json_body_value before = parent ? *parent : (struct json_body_value){.depth = 0};

    assert(body->root && (!parent || parent->kind == JSON_BODY_OBJECT));
    before.parent = parent ? parent->node : body->root;
    before.at = NULL;
    before.path[before.depth++] = UINT32_MAX; /* the first member is number 0 */
    *value = before;
}

bool json_body_next(const struct json_body *body, struct json_body_value *value)
{
    value->path[value->depth - 1]++;
    return set_member(body,
                      value->at ? json_object_iter_next(value->parent, value->at)
                                : json_object_iter(value->parent),
                      value);
}

bool json_body_find(const struct json_body *body, const struct json_body_value *parent,
                    const char *name, struct json_body_value *value)
{
    struct json_body_value member;

    assert(body->root && (!parent || parent->kind == JSON_BODY_OBJECT));
    json_t *object = parent ? parent->node : body->root;
    void *found = json_object_iter_at(object, name); /* the look-up by hash is fast */
    if (!found)
        return false;
    json_body_walk(body, parent, &member);
    uint32_t place = 0; /* the member's index for a path is found by walking */
    for (void *at = json_object_iter(object); at != found; place++)
        at = json_object_iter_next(object, at);
    member.path[member.depth - 1] = place;
    *value = member;
    return set_member(body, found, value);
}

size_t json_body_item_count(const struct json_body_value *value)
{
    return value->kind == JSON_BODY_OTHER ? json_array_size(value->node) : 0;
}

const char *json_body_item_text(const struct json_body_value *value, size_t i)
{
    return json_string_value(json_array_get(value->node, i));
}

bool json_body_item(const struct json_body_value *array, size_t i, size_t *objects,
                    struct json_body_value *item)
{
    json_t *node = json_array_get(array->node, i);

    if (!json_is_object(node))
        return false;
    *item = (struct json_body_value){.name = "",
                                     .kind = JSON_BODY_OBJECT,
                                     .node = node,
                                     .depth = array->depth + 1,
                                     .base = array->base};
    memcpy(item->path, array->path, sizeof(item->path));
    item->path[array->depth] = (uint32_t)(*objects)++;
    return true;
}

/* Appends to a text of JSON_BODY_POINTER_SIZE, and cuts at its end. */
static size_t add_text(char *text, size_t len, const char *more, size_t more_len)
{
    const size_t left = JSON_BODY_POINTER_SIZE - 1 - len;
    const size_t count = more_len < left ? more_len : left;

    memcpy(text + len, more, count);
    text[len + count] = '\0';
    return len + count;
}

/* Appends "/name", escaped as in RFC 6901. */
static size_t add_name(char *text, size_t len, const char *name)
{
    len = add_text(text, len, "/", 1);
    for (const char *at = name; *at != '\0'; at++)
        if (*at == '~' || *at == '/')
            len = add_text(text, len, *at == '~' ? "~0" : "~1", 2);
        else
            len = add_text(text, len, at, 1);
    return len;
}

static size_t add_index(char *text, size_t len, uint64_t index)
{
    char digits[24];
    const int count = snprintf(digits, sizeof(digits), "/%ju", (uintmax_t)index);

    return add_text(text, len, digits, (size_t)count);
}

/* Goes on to the object number `index` of an array, and appends its place among all items. */
static size_t add_item(char *text, size_t len, json_t **node, uint32_t index)
{
    size_t i = 0;

    for (uint32_t left = index; left > 0 || !json_is_object(json_array_get(*node, i)); i++) {
        assert(i < json_array_size(*node)); /* the value is of this body */
        left -= json_is_object(json_array_get(*node, i));
    }
    *node = json_array_get(*node, i);
    return add_index(text, len, i);
}

const char *json_body_pointer(const struct json_body *body, const struct json_body_value *value,
                              int64_t item, char text[JSON_BODY_POINTER_SIZE])
{
    size_t len = add_text(text, 0, "#", 1);
    json_t *object = body->root;

    assert(value->depth <= JSON_BODY_MAX_DEPTH);
    for (size_t i = 0; i < value->depth; i++) {
        if (i == value->base)
            len = add_text(text, 0, "#", 1);
        if (json_is_array(object)) {
            len = add_item(text, len, &object, value->path[i]);
            continue;
        }
        void *at = json_object_iter(object);
        for (uint32_t skip = value->path[i]; skip > 0 && at; skip--)
            at = json_object_iter_next(object, at);
        assert(at);
        len = add_name(text, len, json_object_iter_key(at));
        object = json_object_iter_value(at);
    }
    if (value->kind != JSON_BODY_NUMBERS || item < 0 ||
        (uint64_t)item >= value->rows * value->cols)
        return text;
    uint64_t inner = 1;
    for (size_t axis = 1; axis < value->rank; axis++)
        inner *= value->dims[axis];
    for (size_t axis = 0; axis < value->rank; axis++) {
        const uint64_t index = (uint64_t)item / inner;

        len = add_index(text, len, axis > 0 ? index % value->dims[axis] : index);
        inner /= axis + 1 < value->rank ? value->dims[axis + 1] : 1;
    }
    return text;
}
