/* SPDX-License-Identifier: Apache-2.0
 * verify_request.h - tensors and what their sender claims about them, read into arguments that
 * the library checks: the query of /v1/verify, or the words of posencd verify, and the member
 * "claim" of a JSON body. Its calls are, in order: read, run, fini. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc_verify.h"
#include "proto/models/models.h"
#include "proto/request/request.h"
#include "proto/tensors/tensor.h"
#include "proto/verify/verify_claim.h"
#include "proto/verify/verify_config.h"
#include "proto/verify/verify_words.h"

enum { VERIFY_REQUEST_NAMES = 16 }; /* most models that an answer names */

struct verify_request {
    struct request *request; /* the claim; NULL: none */
    struct pe_args *args;    /* checked; those of the claim, or identified by the run */
    const struct tensor_set *set;
    const struct models *models;
    struct pe_verify_tensor tensors[PE_VERIFY_TENSORS]; /* of the set */
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    size_t count, judged;             /* tensors of the body; with those that the claim has */
    bool wrong_body;                  /* on failure: the tensors are wrong, not the claim */
    char name[VERIFY_BODY_NAME_SIZE]; /* of the tensor of a body without names */
    struct verify_words words;        /* roles and the tolerance */
    struct verify_config config;      /* of a claim by config= */
    struct json_body *beside;         /* of a claim beside the tensors; NULL: none is JSON */
    void *bits[PE_VERIFY_TENSORS];  /* numbers of a tensor that came as bits of another type */
    const char *model, *layer_type; /* of the claim; NULL: none */
    /* Models that have the parameters that were identified, the most used first. */
    const char *named[VERIFY_REQUEST_NAMES];
    size_t named_count; /* of all; the first of them are named */
    char unknown[320];  /* why nothing was identified */
};

/* Reads the claim and the roles of the tensors. On failure there is nothing to free.
 * *request must not be moved afterwards. */
enum pe_status verify_request_read(struct verify_request *request,
                                   const struct verify_source *source,
                                   struct pe_errors *errors);
void verify_request_fini(struct verify_request *request);
/* Returns the type of a tensor's elements, as an answer names it: "f32", "bf16 as u16". */
const char *verify_request_type(const struct verify_request *request, size_t i);
/* An answer says this of a tensor whose name the claim does not know, and leaves it out. */
#define VERIFY_REQUEST_LEFT_OUT "is not judged: its name is no output's"
/* Returns whether tensor number i is left out. */
bool verify_request_leaves_out(const struct verify_request *request, size_t i);

/* Hands the claim to the caller, who may ask it for its old names; NULL: there is none. */
struct request *verify_request_take_claim(struct verify_request *request);

/* Judges the tensors by their claim without a search; *verdict is NULL where only a search can
 * tell, which takes *search operations at most. The claim must be given. */
enum pe_status verify_request_run_quickly(struct verify_request *request,
                                          struct pe_verdict **verdict, double *search,
                                          const struct pe_limits *limits,
                                          struct pe_errors *errors);
/* Returns the operations of that; infinite without a claim. */
double verify_request_operations(const struct verify_request *request,
                                 const struct pe_limits *limits);

/* Returns the operations of the search for a claim, where there is none; else 0. */
double verify_request_identify_operations(const struct verify_request *request);

/* Judges the tensors. Without a claim it is identified first; if nothing has these numbers
 * *verdict is NULL, and request->unknown says so. The caller frees *verdict. */
enum pe_status verify_request_run(struct verify_request *request, struct pe_verdict **verdict,
                                  const struct pe_limits *limits, struct pe_errors *errors);
