/* SPDX-License-Identifier: Apache-2.0
 * verify_packed.h - claims about padding and packing by another list than the encoding has:
 * attention_mask=1,1,2,2,0 numbers documents from 1 on, lengths=7 of a padding mask says how
 * many keys of a sequence are no padding. */
#pragma once

#include "proto/request/query.h"
#include "proto/request/request.h"
#include "proto/tensors/tensor.h"

/* Sets a parameter as request_set_text does, or the list that the encoding has in its place;
 * the tensors say how many keys there are. */
void verify_packed_set(struct request *request, const struct tensor_set *tensors,
                       const struct query_parameter *at, struct pe_errors *errors);
