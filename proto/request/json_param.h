/* SPDX-License-Identifier: Apache-2.0
 * json_param.h - one member of a JSON body as the value of a parameter or an option. */
#ifndef PROTO_JSON_PARAM_H
#define PROTO_JSON_PARAM_H

#include "core/posenc.h"
#include "proto/text/json_body.h"

enum { JSON_PARAM_SLICE_SIZE = 80 };
struct json_param {
    struct pe_given given;             /* points into the body, or at slice */
    char slice[JSON_PARAM_SLICE_SIZE]; /* "0:128:4" */
};

/* Reads the value that the member gives a parameter or option: a number, a boolean, text, an
 * array of numbers, or positions as {"start": a, "stop": b, "step": s}. */
enum pe_status json_param_read(struct json_param *read, const struct pe_param *param,
                               const struct json_body *body,
                               const struct json_body_value *value, struct pe_errors *errors);

/* Gives the problem of an array the JSON pointer of the number that its row forbids, or of the
 * array if no number alone is wrong. */
void json_param_mark_item(const struct pe_param *param, const struct json_body *body,
                          const struct json_body_value *value, struct pe_problem *problem);
/* Gives the problems from number `before` on the JSON pointer of the value in place of the
 * parameter's name; those that have a pointer keep it. */
void json_param_mark(const struct json_body *body, const struct json_body_value *value,
                     struct pe_errors *errors, size_t before);
/* As json_param_mark, for a problem that has a parameter's name: "dim" becomes "#/dim". */
void json_param_mark_name(struct pe_problem *problem);

#endif
