/* SPDX-License-Identifier: Apache-2.0
 * json_tensors.h - tensors by name in a JSON body, and a claim about them:
 *
 *     {"tensors": [{"name": "cos", "data": [[1, 0.5]], "dtype": "f32", "shape": [1, 2]}],
 *      "claim": "encoding=rope&dim=4"}
 *
 * dtype is `assumed` without the member, or bool where each number is true or false; a shape
 * replaces that of the nested arrays. The body is of json_body_new_arrays and finished. */
#pragma once

#include "proto/tensors/tensor_reader.h"
#include "proto/text/buffer.h"
#include "proto/text/json_body.h"

enum { JSON_TENSORS_WHY_SIZE = 400 };

/* Reads the tensors; the caller owns them. *set is empty unless the result is TENSOR_OK; then
 * `why` says, with the JSON pointer of the value that is wrong, what would be right. */
enum tensor_state json_tensors_read(const struct json_body *body, enum pe_dtype assumed,
                                    uint64_t max_elements, struct tensor_set *set,
                                    char why[JSON_TENSORS_WHY_SIZE]);
/* Adds the claim as a query, percent-encoded: a text as it is, {"base": 1e4, "pos": [0, 1]} as
 * base=10000&pos=0,1. Adds nothing if the body has no claim. Returns false after writing the
 * reason to `why`; query->failed is the lack of memory. */
bool json_tensors_claim(const struct json_body *body, struct buffer *query,
                        char why[JSON_TENSORS_WHY_SIZE]);
