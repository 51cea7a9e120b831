/* SPDX-License-Identifier: Apache-2.0
 * inputs.h - the tensors of one request: numbers in its query (x=1,0,0,1) or in a JSON body,
 * which are rounded to in_dtype, or the tensors of a binary body. Lists, matrices and positions
 * may come as tensors of a binary body too; their numbers become values of the arguments. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/request/inputs_by_name.h"
#include "proto/request/option.h"
#include "proto/tensors/tensor.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"

struct input_text {
    const struct pe_param *param;
    char *text; /* malloc'd */
    size_t len;
};

struct
    inputs { /* {0} has no tensors; inputs_init makes the same without writing to the arrays */
    struct tensor_set set;
    const struct tensor_format *format; /* the body's, if tensor_formats.def has it */
    size_t in_body;                     /* number of tensors in the body that are no lists */
    struct input_text texts[TENSOR_MAX];
    size_t text_count;
    struct inputs_by_name named;
};

void inputs_init(struct inputs *inputs);
void inputs_fini(struct inputs *inputs); /* frees what they own; they are not used again */

/* Keeps a tensor as text, or a stored table's name, which inputs_finish reads when shape,
 * in_dtype and the tables are known. */
enum pe_status inputs_put_text(struct inputs *inputs, const struct pe_param *param,
                               const char *text, size_t len, struct pe_errors *errors);
/* Adds the tensor that a member of a JSON body holds, as nested arrays or {"shape": [...],
 * "data": [...]}. Its numbers were read as float64 and are rounded to in_dtype. */
enum pe_status inputs_put_json(struct inputs *inputs, struct pe_args *args,
                               const struct pe_param *param, enum pe_dtype in_dtype,
                               const struct json_body *body,
                               const struct json_body_value *value, struct pe_errors *errors);
/* Adds a tensor of a binary body: takes over its memory, or gives a list, a matrix or positions
 * its numbers, which the canonical form then contains. */
enum pe_status inputs_put_tensor(struct inputs *inputs, struct pe_args *args,
                                 const struct pe_param *param, struct tensor *tensor,
                                 struct pe_errors *errors);

/* Reads the texts when everything is given, checks that in_dtype and shape are given where they
 * are needed and only there, and notes in *values which of them the canonical form has. */
enum pe_status inputs_finish(struct inputs *inputs, struct pe_args *args,
                             struct option_values *values, struct pe_errors *errors);

/* Lists the elements of the encoding's tensor parameters, in order; NULL: not given. */
void inputs_list(const struct inputs *inputs, const struct pe_encoding *enc,
                 const void *input[TENSOR_MAX]);
