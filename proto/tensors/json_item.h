/* SPDX-License-Identifier: Apache-2.0
 * json_item.h - one tensor of a JSON body: its name, numbers, shape and dtype, whose problems
 * have a JSON pointer. For json_tensors.c. */
#pragma once

#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"

enum { JSON_ITEM_WHY_SIZE = 400 };

/* The reading of one body. */
struct json_reading {
    enum pe_dtype assumed; /* of a tensor that does not say its dtype */
    const struct json_body *body;
    uint64_t elements, max_elements;
    struct tensor_set *set;
    char *why; /* JSON_ITEM_WHY_SIZE bytes */
};

/* The members of one tensor. */
struct json_item {
    struct json_body_value name, data, shape, dtype;
    bool has_name, has_data, has_shape, has_dtype;
};

/* Writes "#/tensors/0/data/3 must ..." and returns TENSOR_MALFORMED. */
enum tensor_state json_item_refuse(const struct json_reading *reading,
                                   const struct json_body_value *value, int64_t place,
                                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Returns TENSOR_OK for a name of a tensor that no other tensor has. */
enum tensor_state json_item_check_name(const struct json_reading *reading,
                                       const struct json_body_value *name);
/* Checks the members and adds the tensor. */
enum tensor_state json_item_add(struct json_reading *reading, struct json_item *item);
