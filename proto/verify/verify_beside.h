/* SPDX-License-Identifier: Apache-2.0
 * verify_beside.h - a claim that came as a text beside tensors, as the metadata of a
 * safetensors file or a member of an npz have it, where that text is an object of JSON. */
#pragma once

#include "core/posenc.h"
#include "proto/text/json_body.h"

/* Returns whether the text of a claim is an object; otherwise it is as a query. */
bool verify_beside_is_object(const char *text);
/* Reads such a text as the member "claim" of a body of JSON, which the caller frees, and which
 * *claim borrows from. NULL after adding a problem. */
struct json_body *verify_beside_read(const char *text, struct json_body_value *claim,
                                     struct pe_errors *errors);
