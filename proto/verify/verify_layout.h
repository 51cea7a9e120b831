/* SPDX-License-Identifier: Apache-2.0
 * verify_layout.h - tables of a model as a library lays them out that reorders vectors: each
 * angle in two columns, half a row apart or beside each other, in another way than the model's
 * own parameters say. */
#pragma once

#include "proto/request/request.h"
#include "proto/tensors/tensor.h"

/* Sets the parameters of such a layout of the model's use, if the claim of a model does not say
 * them and the tensors show it. */
void verify_layout_set(struct request *request, const struct models *models,
                       const struct tensor_set *tensors);
