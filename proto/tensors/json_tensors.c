/* SPDX-License-Identifier: Apache-2.0
 * json_tensors.c - the tensors of a JSON body: a list of objects, or the members of an object
 * that are arrays of numbers. json_item.h reads one of them. */
#include "proto/tensors/json_tensors.h"

#include <stdio.h>
#include <string.h>

#include "proto/tensors/decimals.h"
#include "proto/tensors/json_item.h"

_Static_assert((int)JSON_TENSORS_WHY_SIZE == (int)JSON_ITEM_WHY_SIZE, "one sentence");

static enum tensor_state read_members(const struct json_reading *reading,
                                      const struct json_body_value *object,
                                      struct json_item *item)
{
    const struct {
        const char *name;
        bool *has;
        struct json_body_value *value;
    } members[] = {{"name", &item->has_name, &item->name},
                   {"data", &item->has_data, &item->data},
                   {"shape", &item->has_shape, &item->shape},
                   {"dtype", &item->has_dtype, &item->dtype}};
    enum { MEMBERS = sizeof members / sizeof members[0] };
    struct json_body_value value;

    *item = (struct json_item){0};
    for (json_body_walk(reading->body, object, &value);
         json_body_next(reading->body, &value);) {
        size_t i = 0;

        while (i < MEMBERS && strcmp(members[i].name, value.name) != 0)
            i++;
        if (i == MEMBERS)
            return json_item_refuse(reading, &value, JSON_BODY_NO_ITEM,
                                    "is unknown: a tensor has name, data, dtype and shape");
        *members[i].has = true;
        *members[i].value = value;
    }
    return TENSOR_OK;
}

static enum tensor_state read_item(struct json_reading *reading,
                                   const struct json_body_value *object)
{
    struct json_item item;
    enum tensor_state state = read_members(reading, object, &item);

    if (state == TENSOR_OK && (!item.has_name || !item.has_data))
        return json_item_refuse(
            reading, object, JSON_BODY_NO_ITEM,
            "must have a name and data, as in {\"name\": \"cos\", \"data\": [[1, 0]]}");
    return state == TENSOR_OK ? json_item_add(reading, &item) : state;
}

/* ---- the body ---------------------------------------------------------------------------- */

static enum tensor_state read_items(struct json_reading *reading,
                                    const struct json_body_value *list)
{
    const size_t count = json_body_item_count(list);
    enum tensor_state state = TENSOR_OK;
    struct json_body_value object;
    size_t objects = 0;

    if (count == 0)
        return json_item_refuse(
            reading, list, JSON_BODY_NO_ITEM,
            "must be an array of 1 to %d tensors, as in [{\"name\": \"cos\", \"data\": "
            "[[1, 0]]}]",
            TENSOR_MAX);
    if (count > TENSOR_MAX)
        return json_item_refuse(reading, list, JSON_BODY_NO_ITEM,
                                "has %zu tensors: at most %d are read", count, TENSOR_MAX);
    for (size_t i = 0; i < count && state == TENSOR_OK; i++)
        state = json_body_item(list, i, &objects, &object)
                    ? read_item(reading, &object)
                    : json_item_refuse(reading, list, JSON_BODY_NO_ITEM,
                                       "must have an object of name and data as item %zu", i);
    return state;
}

/* ---- tensors as members ------------------------------------------------------------------ */

/* Writes the name of a member within its objects, "rotary.cos"; false: it is too long. */
static bool join(char name[TENSOR_NAME_SIZE], const char *outer, const char *inner)
{
    return snprintf(name, TENSOR_NAME_SIZE, "%s%s%s", outer, *outer ? "." : "", inner) <
           TENSOR_NAME_SIZE;
}

/* Reads a member that is an array of numbers, of the type that its numbers have. */
static enum tensor_state read_member(struct json_reading *reading,
                                     const struct json_body_value *value, const char *name)
{
    struct json_item item = {.name = *value,
                             .data = *value,
                             .has_name = true,
                             .has_data = true};
    const enum pe_dtype assumed = reading->assumed;

    item.name.kind = JSON_BODY_STRING;
    item.name.text = name;
    if (reading->set->count == TENSOR_MAX)
        return json_item_refuse(reading, value, JSON_BODY_NO_ITEM,
                                "is one tensor too many: at most %d are read", TENSOR_MAX);
    if (assumed == PE_F64)
        reading->assumed = decimals_type(value->numbers, value->rows * value->cols);
    enum tensor_state state = json_item_add(reading, &item);
    reading->assumed = assumed;
    return state;
}

/* Returns whether a member of the body is what it says about its tensors. */
static bool is_beside(const struct json_body_value *value)
{
    return strcmp(value->name, "claim") == 0 || strcmp(value->name, "config") == 0;
}

/* Checks the configuration of the body, if it has one. */
static enum tensor_state check_config(const struct json_reading *reading)
{
    struct json_body_value config;

    if (!json_body_find(reading->body, NULL, "config", &config) ||
        config.kind == JSON_BODY_OBJECT || config.kind == JSON_BODY_NULL)
        return TENSOR_OK;
    return json_item_refuse(reading, &config, JSON_BODY_NO_ITEM,
                            "must be an object, that of a config.json");
}

/* Returns whether an object is a tensor with its numbers, {"data": [1, 0], "shape": [2, 1]}. */
static bool is_described(const struct json_body *body, const struct json_body_value *object)
{
    struct json_body_value data;

    return json_body_find(body, object, "data", &data) && data.kind == JSON_BODY_NUMBERS;
}

static enum tensor_state read_described(struct json_reading *reading,
                                        const struct json_body_value *object, const char *name)
{
    struct json_item item;
    enum tensor_state state = read_members(reading, object, &item);

    item.name = *object; /* the place of an error about the name */
    item.name.kind = JSON_BODY_STRING;
    item.name.text = name;
    return state == TENSOR_OK ? json_item_add(reading, &item) : state;
}

/* Reads the members of an object as tensors, each under the names that lead to it. What holds
 * no array of numbers is passed over, such as a title or a number; an object that has "data"
 * is one tensor. */
static enum tensor_state read_members_of(struct json_reading *reading,
                                         const struct json_body_value *object,
                                         const char *outer)
{
    enum tensor_state state = TENSOR_OK;
    struct json_body_value value;

    for (json_body_walk(reading->body, object, &value);
         state == TENSOR_OK && json_body_next(reading->body, &value);) {
        char name[TENSOR_NAME_SIZE];

        if (!object && is_beside(&value))
            continue;
        if (!join(name, outer, value.name))
            return json_item_check_name(reading, &value); /* which refuses it */
        if (value.kind == JSON_BODY_NUMBERS)
            state = read_member(reading, &value, name);
        else if (value.kind == JSON_BODY_OBJECT && is_described(reading->body, &value))
            state = read_described(reading, &value, name);
        else if (value.kind == JSON_BODY_OBJECT)
            state = read_members_of(reading, &value, name);
        else if (value.kind == JSON_BODY_OTHER)
            state =
                json_item_refuse(reading, &value, JSON_BODY_NO_ITEM,
                                 "must be nested arrays of numbers, with rows of one length");
    }
    return state;
}

/* Reads a body {"tensors": [...], "claim": ...}. */
static enum tensor_state read_listed(struct json_reading *reading)
{
    enum tensor_state state = TENSOR_OK;
    struct json_body_value value;

    for (json_body_walk(reading->body, NULL, &value);
         state == TENSOR_OK && json_body_next(reading->body, &value);) {
        if (strcmp(value.name, "tensors") == 0)
            state = read_items(reading, &value);
        else if (!is_beside(&value))
            state = json_item_refuse(reading, &value, JSON_BODY_NO_ITEM,
                                     "is unknown: a body has tensors, a claim and a config");
    }
    return state;
}

enum tensor_state json_tensors_read(const struct json_body *body, enum pe_dtype assumed,
                                    uint64_t max_elements, struct tensor_set *set,
                                    char why[JSON_TENSORS_WHY_SIZE])
{
    struct json_reading reading = {.body = body,
                                   .assumed = assumed,
                                   .max_elements = max_elements,
                                   .set = set,
                                   .why = why};
    struct json_body_value tensors;
    const bool has_tensors = json_body_find(body, NULL, "tensors", &tensors);
    const bool nested = has_tensors && tensors.kind == JSON_BODY_OBJECT;

    *set = (struct tensor_set){0};
    enum tensor_state state = check_config(&reading);
    if (state == TENSOR_OK)
        state = has_tensors && !nested
                    ? read_listed(&reading)
                    : read_members_of(&reading, nested ? &tensors : NULL, "");
    if (state == TENSOR_OK && set->count == 0) {
        state = TENSOR_MALFORMED;
        snprintf(why, JSON_TENSORS_WHY_SIZE,
                 "the body has no tensors: it must be as {\"cos\": [[1, 0]]}, or as "
                 "{\"tensors\": [{\"name\": \"cos\", \"data\": [[1, 0]]}]}");
    }
    if (state != TENSOR_OK)
        tensor_set_fini(set);
    return state;
}
