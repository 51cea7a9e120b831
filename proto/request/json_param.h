/* SPDX-License-Identifier: Apache-2.0
 * json_param.h - reads one member of a JSON body as the value of a parameter or an option. */
#pragma once

#include "core/posenc.h"
#include "proto/text/json_body.h"

enum { JSON_PARAM_SLICE_SIZE = 80, JSON_PARAM_NAMES_SIZE = 512 };
struct json_param {
    struct pe_given given; /* its text points into the body, or below */
    union {
        char slice[JSON_PARAM_SLICE_SIZE]; /* positions as text: "0:128:4" */
        char names[JSON_PARAM_NAMES_SIZE]; /* choices as text: "cos,sin" */
    };
};

/* Reads the value that the member gives a parameter or option: a number, a boolean, text, an
 * array of numbers or of names of choices, or positions as {"start": a, "stop": b, "step":
 * s}. */
enum pe_status json_param_read(struct json_param *read, const struct pe_param *param,
                               const struct json_body *body,
                               const struct json_body_value *value, struct pe_errors *errors);

/* Replaces the problem's parameter by the JSON pointer of the array's number that the
 * parameter's row forbids, or of the array if no number alone is wrong. */
void json_param_mark_item(const struct pe_param *param, const struct json_body *body,
                          const struct json_body_value *value, struct pe_problem *problem);
/* Replaces the parameter's name by the JSON pointer of the value, in the problems from index
 * `before` on; a problem that has a pointer keeps it. */
void json_param_mark(const struct json_body *body, const struct json_body_value *value,
                     struct pe_errors *errors, size_t before);
/* Replaces the parameter's name by its JSON pointer in the problem: "dim" becomes "#/dim". */
void json_param_mark_name(struct pe_problem *problem);
