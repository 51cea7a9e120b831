/* SPDX-License-Identifier: Apache-2.0
 * json_param.h - one member of a JSON body as the value of a parameter or an option. */
#ifndef PROTO_JSON_PARAM_H
#define PROTO_JSON_PARAM_H

#include "core/posenc.h"
#include "proto/request/option.h"
#include "proto/text/json_body.h"

/* A parameter of the encoding: number, boolean, text, array of numbers, or positions as
 * {"start": a, "stop": b, "step": s}. */
enum pe_status json_param_set(struct pe_args *args, const struct json_body *body,
                              const struct json_body_value *value, struct pe_errors *errors);
enum pe_status json_param_set_option(struct option_values *values, enum option_id id,
                                     const struct json_body_value *value,
                                     struct pe_errors *errors);

/* Gives the problems from number `before` on the JSON pointer of the value in place of the
 * parameter's name; those that have a pointer keep it. */
void json_param_mark(const struct json_body *body, const struct json_body_value *value,
                     struct pe_errors *errors, size_t before);
/* The same for a parameter's name alone: "dim" becomes "#/dim". */
void json_param_mark_name(struct pe_problem *problem);

#endif
