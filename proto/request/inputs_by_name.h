/* SPDX-License-Identifier: Apache-2.0
 * inputs_by_name.h - parameters whose text names a stored table (table=gpt2.wpe, w1=@cpb.fc1):
 * tables as they are, lists and matrices as their numbers. */
#ifndef PROTO_INPUTS_BY_NAME_H
#define PROTO_INPUTS_BY_NAME_H

#include "proto/tensors/tables.h"
#include "proto/tensors/tensor.h"

struct input_named {
    const struct pe_param *param;
    struct table_file *file; /* owned, so that the table stays in memory */
    const struct stored_table *table;
};

struct inputs_by_name {          /* {0}: none */
    const struct tables *tables; /* the tables that may be named; NULL: none */
    struct input_named at[TENSOR_MAX];
    size_t count;
    bool movable; /* a table was named without its hash: the name may mean another later */
};

/* The text names a table, and the parameter takes one. */
bool inputs_by_name_is(const struct pe_param *param, const char *text, size_t len);
/* Gives the arguments the table that the text names, and keeps the table. */
enum pe_status inputs_by_name_read(struct inputs_by_name *named, const struct pe_param *param,
                                   const char *text, size_t len, struct pe_args *args,
                                   struct pe_errors *errors);
/* The elements of the parameter's table; NULL: the parameter names none. */
const void *inputs_by_name_find(const struct inputs_by_name *named,
                                const struct pe_param *param);
void inputs_by_name_fini(struct inputs_by_name *named);

#endif
