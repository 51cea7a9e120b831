/* SPDX-License-Identifier: Apache-2.0
 * core_tensor.h - the client's tensors in tests of core: given by a query's text, drawn, or
 * written out; and answers made of them. */
#pragma once

#include "core/posenc.h"

enum { CORE_TENSOR_MAX = 8 };

/* Reads the text of a tensor in a query: "1,0,0,1" is one float32 vector, "1,2;3,5" two rows,
 * "bf16:5x2x128" a shape, as is "bf16[5,2,128]", which canonical form has. */
bool core_tensor_parse(const char *text, size_t len, struct pe_tensor *tensor);
/* The text is numbers, not a shape. */
bool core_tensor_is_numbers(const char *text, size_t len);

/* The tensors of a plan, input of pe_fill: the numbers of the query where it has some, else
 * numbers drawn in [-2, 2), which depend on the shape alone. core_tensor_free_inputs frees. */
void core_tensor_draw_inputs(const struct pe_plan *plan, void *inputs[CORE_TENSOR_MAX]);
void core_tensor_free_inputs(void *inputs[CORE_TENSOR_MAX]);

/* All of the plan's output number `tensor` from these inputs, as bytes or as doubles; the
 * caller frees. */
void *core_tensor_bytes(const struct pe_plan *plan, size_t tensor,
                        void *const inputs[CORE_TENSOR_MAX]);
double *core_tensor_doubles(const struct pe_plan *plan, size_t tensor,
                            void *const inputs[CORE_TENSOR_MAX]);
