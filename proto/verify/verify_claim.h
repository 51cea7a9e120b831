/* SPDX-License-Identifier: Apache-2.0
 * verify_claim.h - the names and values of a claim, read into a request for its encoding. */
#pragma once

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/request/query.h"
#include "proto/request/request.h"
#include "proto/tensors/tensor.h"
#include "proto/text/json_body.h"
#include "proto/verify/verify_body.h"

struct verify_source {
    const struct query *query;           /* names and values, decoded */
    const struct json_body *body;        /* NULL: the body is not JSON */
    const struct json_body_value *claim; /* the body's member "claim"; NULL: none */
    const struct tensor_set *tensors;    /* must outlive the request */
    const struct models *models;         /* must outlive the request */
    bool headerless;  /* the body has neither dtype nor shape: they are in the query */
    bool named;       /* the body has names of tensors */
    const char *role; /* what the only tensor is, NULL: its name and the query say it */
};

/* Says what the body of the source is: JSON, whose member "claim" is found and kept in *claim,
 * or tensors of a format. json or format is NULL. *claim must outlive the source. */
void verify_claim_set_body(struct verify_source *source, const struct json_body *json,
                           const struct tensor_format *format, struct json_body_value *claim);

struct verify_claim {
    struct request *request; /* NULL: there is no claim */
    bool complete; /* the settings of its model are known, and so are the tensors' names */
    struct verify_body body; /* what the query says about the body */
};

/* Reads every name and value of the source, of which *errors gets all problems. Without a
 * problem claim->request is what the sender claims, with the settings of its model, and its
 * arguments are not checked. The caller frees it in any case. */
void verify_claim_read(struct verify_claim *claim, const struct verify_source *source,
                       struct pe_errors *errors);
