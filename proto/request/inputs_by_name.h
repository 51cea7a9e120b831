/* SPDX-License-Identifier: Apache-2.0
 * inputs_by_name.h - parameters whose text names a stored table (table=gpt2.wpe, w1=@cpb.fc1):
 * tables as they are, lists and matrices as their numbers. */
#ifndef PROTO_INPUTS_BY_NAME_H
#define PROTO_INPUTS_BY_NAME_H

#include "proto/request/inputs.h"

/* The text names a table, of which the parameter takes one. */
bool inputs_by_name_is(const struct pe_param *param, const char *text, size_t len);
/* Gives the arguments the table that the text names; it is kept with the inputs. */
enum pe_status inputs_by_name_read(struct inputs *inputs, const struct input_text *text,
                                   struct pe_args *args, struct pe_errors *errors);
/* The elements of the parameter's table; NULL: it names none. */
const void *inputs_by_name_find(const struct inputs *inputs, const struct pe_param *param);
void inputs_by_name_fini(struct inputs *inputs);

#endif
