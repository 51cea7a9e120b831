/* SPDX-License-Identifier: Apache-2.0
 * json_item.c - see json_item.h. The numbers of the body are float64 and are checked and
 * rounded once to the type that a tensor has. */
#include "proto/tensors/json_item.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/tensors/tensor_layout.h"
#include "proto/text/json_whole.h"

enum { BOUNDS_SIZE = 64 };

enum tensor_state json_item_refuse(const struct json_reading *reading,
                                   const struct json_body_value *value, int64_t place,
                                   const char *format, ...)
{
    char pointer[JSON_BODY_POINTER_SIZE];
    va_list args;
    const int len = snprintf(reading->why, JSON_ITEM_WHY_SIZE, "%s ",
                             json_body_pointer(reading->body, value, place, pointer));

    va_start(args, format);
    vsnprintf(reading->why + len, JSON_ITEM_WHY_SIZE - (size_t)len, format, args);
    va_end(args);
    return TENSOR_MALFORMED;
}

/* ---- members of a tensor ----------------------------------------------------------------- */

enum tensor_state json_item_check_name(const struct json_reading *reading,
                                       const struct json_body_value *name)
{
    const bool nameless = reading->body && json_body_is_array(reading->body);

    if (name->kind != JSON_BODY_STRING || (!nameless && !tensor_is_name(name->text)))
        return json_item_refuse(reading, name, JSON_BODY_NO_ITEM,
                                "must be a text of 1 to %d printable characters of ASCII",
                                TENSOR_NAME_SIZE - 1);
    for (size_t i = 0; i < reading->set->count; i++)
        if (strcmp(reading->set->at[i].name, name->text) == 0)
            return json_item_refuse(reading, name, JSON_BODY_NO_ITEM,
                                    "must be another name: two tensors have the name %s",
                                    name->text);
    return TENSOR_OK;
}

static enum tensor_state read_dtype(const struct json_reading *reading,
                                    const struct json_item *item,
                                    const struct element_type **type)
{
    const struct json_body_value *data = &item->data;
    const bool truths = data->truths && data->rows * data->cols > 0;

    *type = element_type_of(truths ? PE_BOOL8 : reading->assumed);
    if (item->has_dtype)
        *type =
            item->dtype.kind == JSON_BODY_STRING ? element_type_find(item->dtype.text) : NULL;
    if (!*type || (*type)->parts > 1)
        return json_item_refuse(
            reading, &item->dtype, JSON_BODY_NO_ITEM,
            "must be f64, f32, f16, bf16, bool or an integer type from i8 to u64; "
            "complex numbers are a last axis of 2");
    return TENSOR_OK;
}

/* Reads the shape, which replaces that of the nested arrays. */
static enum tensor_state read_shape(const struct json_reading *reading,
                                    const struct json_item *item, struct tensor_layout *layout)
{
    const struct json_body_value *shape = &item->shape, *data = &item->data;
    const uint64_t count = (uint64_t)data->rows * data->cols;
    uint64_t bytes;

    layout->rank = item->has_shape ? shape->cols : data->rank;
    if (!item->has_shape) {
        memcpy(layout->dims, data->dims, sizeof data->dims);
        return TENSOR_OK;
    }
    bool right = shape->kind == JSON_BODY_NUMBERS && shape->rank == 1 && shape->digits &&
                 shape->cols <= TENSOR_LAYOUT_RANK;
    for (size_t i = 0; right && i < shape->cols; i++)
        right = json_whole_length(shape, i, &layout->dims[i]);
    if (!right)
        return json_item_refuse(
            reading, shape, JSON_BODY_NO_ITEM,
            "must be an array of 0 to %d whole numbers, written as 2, not as 2.0",
            TENSOR_LAYOUT_RANK);
    if (!tensor_layout_bytes(layout, &bytes) || bytes / layout->type->size != count)
        return json_item_refuse(reading, shape, JSON_BODY_NO_ITEM,
                                "must have as many elements as data has numbers, %" PRIu64,
                                count);
    return TENSOR_OK;
}

/* ---- elements ---------------------------------------------------------------------------- */

/* Returns whether number i of the data is one of the type, which reals are unless they are
 * finite and too large. */
static bool is_of(const struct element_type *type, const struct json_body_value *data, size_t i)
{
    double least, most;
    int64_t whole;

    if (tensor_holds_reals(type->dtype))
        return !isfinite(data->numbers[i]) ||
               fabs(data->numbers[i]) <= -pe_dtype_lowest(type->dtype);
    if (!json_whole_get(data, i, &whole))
        return false;
    element_type_range(type, &least, &most);
    return type->size == 8 ? least < 0 || whole >= 0
                           : (double)whole >= least && (double)whole <= most;
}

/* Writes the bounds of the type's numbers, "-128 to 127", as an error names them. */
static void print_bounds(const struct element_type *type, char text[BOUNDS_SIZE])
{
    double least, most;

    element_type_range(type, &least, &most);
    if (tensor_holds_reals(type->dtype))
        snprintf(text, BOUNDS_SIZE, "%.17g to %.17g", pe_dtype_lowest(type->dtype),
                 -pe_dtype_lowest(type->dtype));
    else if (type->size == 8) /* core has integers up to int64's greatest */
        snprintf(text, BOUNDS_SIZE, "%" PRId64 " to %" PRId64, least < 0 ? INT64_MIN : 0,
                 INT64_MAX);
    else
        snprintf(text, BOUNDS_SIZE, "%.0f to %.0f", least, most);
}

static enum tensor_state check_numbers(const struct json_reading *reading,
                                       const struct json_body_value *data,
                                       const struct element_type *type)
{
    const size_t count = data->rows * data->cols;
    char bounds[BOUNDS_SIZE], got[JSON_WHOLE_TEXT_SIZE];

    for (size_t i = 0; i < count; i++) {
        if (is_of(type, data, i))
            continue;
        print_bounds(type, bounds);
        return json_item_refuse(reading, data, (int64_t)i,
                                "must be a %snumber from %s, as %s has them; got %s",
                                tensor_holds_reals(type->dtype) ? "" : "whole ", bounds,
                                type->name, json_whole_print(data, i, got));
    }
    return TENSOR_OK;
}

/* Writes the numbers into a tensor, rounded once to its type; whole ones of 64 bits have all of
 * their digits. */
static void put_numbers(enum pe_dtype dtype, void *out, const struct json_body_value *data,
                        size_t count)
{
    int64_t *whole = out;

    if (dtype != PE_I64)
        pe_dtype_from_f64(dtype, out, data->numbers, count);
    for (size_t i = 0; dtype == PE_I64 && i < count; i++)
        (void)json_whole_get(data, i, &whole[i]); /* check_numbers has found it right */
}

static enum tensor_state add_tensor(struct json_reading *reading, const struct json_item *item,
                                    const struct tensor_layout *layout)
{
    const size_t count = item->data.rows * item->data.cols;
    char why[TENSOR_LAYOUT_WHY_SIZE];
    struct pe_tensor info;

    if (!tensor_layout_info(layout, &info, why))
        return json_item_refuse(reading, item->has_shape ? &item->shape : &item->data,
                                JSON_BODY_NO_ITEM, "is wrong: %s", why);
    reading->elements += count;
    if (reading->max_elements > 0 && reading->elements > reading->max_elements) {
        json_item_refuse(reading, &item->data, JSON_BODY_NO_ITEM,
                         "is too long: all tensors together have at most %" PRIu64 " elements",
                         reading->max_elements);
        return TENSOR_TOO_LARGE;
    }
    struct tensor *tensor = tensor_set_add(reading->set, item->name.text, &info);
    if (!tensor || !tensor_set_allocate(reading->set)) {
        snprintf(reading->why, JSON_ITEM_WHY_SIZE, "out of memory");
        return TENSOR_NO_MEMORY;
    }
    tensor->type = layout->type->name;
    tensor->text = !item->has_dtype;
    put_numbers(info.dtype, tensor->data, &item->data, count);
    return TENSOR_OK;
}

/* A number alone is a tensor without axes. */
static void take_scalar(struct json_body_value *data)
{
    data->kind = JSON_BODY_NUMBERS;
    data->numbers = &data->number;
    data->rank = 0;
    data->rows = data->cols = 1;
}

enum tensor_state json_item_add(struct json_reading *reading, struct json_item *item)
{
    struct tensor_layout layout = {0};
    enum tensor_state state = json_item_check_name(reading, &item->name);

    if (item->data.kind == JSON_BODY_NUMBER)
        take_scalar(&item->data);
    if (state == TENSOR_OK && item->data.kind != JSON_BODY_NUMBERS)
        state = json_item_refuse(reading, &item->data, JSON_BODY_NO_ITEM,
                                 "must be nested arrays of numbers, with rows of one length");
    if (state == TENSOR_OK)
        state = read_dtype(reading, item, &layout.type);
    if (state == TENSOR_OK)
        state = read_shape(reading, item, &layout);
    if (state == TENSOR_OK)
        state = check_numbers(reading, &item->data, layout.type);
    return state == TENSOR_OK ? add_tensor(reading, item, &layout) : state;
}
