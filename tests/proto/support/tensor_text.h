/* SPDX-License-Identifier: Apache-2.0
 * tensor_text.h - binary bodies of tests, written as text:
 *
 *     safetensors cos:f32[2,2]=1,1,1,1 sin:f64[4]=0,0,0,0
 *     npy f32[2,2]=1,1,1,1
 *     octets f16=1,1,1,1      in_dtype and shape are in the query
 */
#pragma once

#include "core/posenc.h"
#include "proto/request/request.h"

/* Makes the bytes of the body, reads them as a server would, and gives them to the request.
 * False: the reader has refused the body, and its sentence is a problem without a parameter.
 * query may be NULL. */
bool tensor_text_give(struct request *request, const char *query, const char *text,
                      struct pe_errors *errors);
