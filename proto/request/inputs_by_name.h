/* SPDX-License-Identifier: Apache-2.0
 * inputs_by_name.h - parameters whose text names a stored table (table=gpt2.wpe, w1=@cpb.fc1):
 * a tensor parameter reads the table in place, a list or matrix copies its numbers. */
#pragma once

#include "proto/tensors/tables.h"
#include "proto/tensors/tensor.h"

struct input_named {
    const struct pe_param *param;
    struct table_file *file; /* owned, so that the table stays in memory */
    const struct stored_table *table;
};

struct inputs_by_name {          /* {0} has no names */
    const struct tables *tables; /* the tables that may be named, or NULL */
    struct input_named at[TENSOR_MAX];
    size_t count;
    bool movable; /* named without a hash: the name may mean another table later */
};

/* Returns whether the parameter takes a table's name and the text is one. */
bool inputs_by_name_is(const struct pe_param *param, const char *text, size_t len);
/* Gives the arguments the table that the text names, and keeps a reference to the table. */
enum pe_status inputs_by_name_read(struct inputs_by_name *named, const struct pe_param *param,
                                   const char *text, size_t len, struct pe_args *args,
                                   struct pe_errors *errors);
/* Returns the elements of the table that the parameter names, NULL if it names none. */
const void *inputs_by_name_find(const struct inputs_by_name *named,
                                const struct pe_param *param);
void inputs_by_name_fini(struct inputs_by_name *named);
