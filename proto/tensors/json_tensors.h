/* SPDX-License-Identifier: Apache-2.0
 * json_tensors.h - tensors by name in a JSON body:
 *
 *     {"tensors": [{"name": "cos", "data": [[1, 0.5]], "dtype": "f32", "shape": [1, 2]}]}
 *
 * dtype is `assumed` without the member, or bool where each number is true or false; a shape
 * replaces that of the nested arrays. Or what json.dump writes of tensors themselves:
 *
 *     {"rotary": {"cos": [[1, 0.5403023]], "sin": [[0, 0.841471]]}}        [[1, 0.5403023]]
 *
 * whose names are "rotary.cos" and "rotary.sin", or none; they are float32 where their numbers
 * have no more digits. The body is of json_body_new_arrays and finished. */
#pragma once

#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"

enum { JSON_TENSORS_WHY_SIZE = 400 };

/* Reads the tensors; the caller owns them. *set is empty unless the result is TENSOR_OK; then
 * `why` says, with the JSON pointer of the value that is wrong, what would be right. */
enum tensor_state json_tensors_read(const struct json_body *body, enum pe_dtype assumed,
                                    uint64_t max_elements, struct tensor_set *set,
                                    char why[JSON_TENSORS_WHY_SIZE]);
