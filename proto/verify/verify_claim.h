/* SPDX-License-Identifier: Apache-2.0
 * verify_claim.h - the names and values of a claim, read into a request for its encoding. */
#pragma once

#include "core/posenc.h"
#include "proto/request/request.h"
#include "proto/verify/verify_body.h"
#include "proto/verify/verify_config.h"
#include "proto/verify/verify_source.h"

/* Says what the body of the source is: JSON, whose member "claim" is found and kept in *claim,
 * or tensors of a format. json or format is NULL. *claim must outlive the source. */
void verify_claim_set_body(struct verify_source *source, const struct json_body *json,
                           const struct tensor_format *format, struct json_body_value *claim);

struct verify_claim {
    struct request *request; /* NULL: there is no claim */
    bool complete; /* the settings of its model are known, and so are the tensors' names */
    struct verify_body body;     /* what the query says about the body */
    struct verify_config config; /* of a claim by a configuration; its models outlive the
                                  * request */
    struct json_body *beside;    /* a claim beside tensors, which outlives the request */
};

/* Reads every name and value of the source, of which *errors gets all problems. Without a
 * problem claim->request is what the sender claims, with the settings of its model, and its
 * arguments are not checked. The caller frees it, the configuration and the claim
 * beside tensors in any case. */
void verify_claim_read(struct verify_claim *claim, const struct verify_source *source,
                       struct pe_errors *errors);
