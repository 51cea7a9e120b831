/* SPDX-License-Identifier: Apache-2.0
 * verify_source.h - tensors, and where what their sender says of them stands. */
#pragma once

#include "proto/models/models.h"
#include "proto/request/query.h"
#include "proto/tensors/tensor.h"
#include "proto/text/json_body.h"

struct verify_source {
    const struct query *query;           /* names and values, decoded */
    const struct json_body *body;        /* NULL: the body is not JSON */
    const struct json_body_value *claim; /* the body's member "claim"; NULL: none */
    const struct tensor_set *tensors;    /* must outlive the request */
    const struct models *models;         /* must outlive the request */
    bool headerless;   /* the body has neither dtype nor shape: they are in the query */
    bool named;        /* the body has names of tensors */
    bool takes_config; /* the configuration of the set is the claim, where there is no other */
    const char *role;  /* what the only tensor is, NULL: its name and the query say it */
};
