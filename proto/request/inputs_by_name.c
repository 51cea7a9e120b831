/* SPDX-License-Identifier: Apache-2.0
 * inputs_by_name.c - see inputs_by_name.h. The canonical form contains the table's name and the
 * hash of its content, so that a cached response never belongs to another table. */
#include "proto/request/inputs_by_name.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "proto/request/input_list.h"

enum { REALS_MAX = 1 << 16 }; /* numbers of a small weight, all in the canonical form */

bool inputs_by_name_is(const struct pe_param *param, const char *text, size_t len)
{
    if (param->type == PE_REALS)
        return len > 0 && text[0] == '@';
    return param->type == PE_TENSOR && param->table && tables_is_name(text, len);
}

void inputs_by_name_fini(struct inputs_by_name *named)
{
    for (size_t i = 0; i < named->count; i++)
        table_file_drop(named->at[i].file);
}

const void *inputs_by_name_find(const struct inputs_by_name *named,
                                const struct pe_param *param)
{
    for (size_t i = 0; i < named->count; i++)
        if (named->at[i].param == param)
            return named->at[i].table->data;
    return NULL;
}

/* Gives a tensor parameter the table, whose elements are read in place. */
static enum pe_status give_tensor(struct inputs_by_name *named, const struct pe_param *param,
                                  const struct tables_found *found, struct pe_args *args,
                                  struct pe_errors *errors)
{
    struct pe_given given = {.kind = PE_GIVEN_TENSOR, .tensor = &found->table->info};
    char spelling[TABLE_FILE_NAME_SIZE + TABLE_FILE_HASH_SIZE + 1];
    enum pe_status status = pe_args_set(args, param, &given, errors);

    if (status != PE_OK)
        return status;
    assert(named->count < TENSOR_MAX);
    named->at[named->count++] =
        (struct input_named){param, table_file_ref(found->file), found->table};
    int len =
        snprintf(spelling, sizeof spelling, "%s@%s", found->table->name, found->table->hash);
    return pe_args_spell_tensor(args, param, spelling, (size_t)len, errors);
}

/* Gives a list or matrix the table's numbers, which the canonical form then contains. */
static enum pe_status give_reals(const struct pe_param *param, const struct stored_table *table,
                                 struct pe_args *args, struct pe_errors *errors)
{
    const struct pe_tensor *info = &table->info;
    size_t count = (size_t)(table->bytes / pe_dtype_size(info->dtype));

    if (info->rank > 2 || count > REALS_MAX || count == 0)
        return pe_fail(errors, PE_BAD_VALUE, param->name,
                       "must name a list or rows of at most %d numbers; %.120s has %zu axes "
                       "and %zu numbers",
                       REALS_MAX, table->name, info->rank, count);
    return input_list_set(args, param, info, table->data, errors);
}

enum pe_status inputs_by_name_read(struct inputs_by_name *named, const struct pe_param *param,
                                   const char *text, size_t len, struct pe_args *args,
                                   struct pe_errors *errors)
{
    struct tables_found found;
    enum pe_status status = tables_find(named->tables, param->name, text, len, &found, errors);

    if (status != PE_OK)
        return status;
    named->movable |= !found.pinned;
    status = param->type == PE_TENSOR ? give_tensor(named, param, &found, args, errors)
                                      : give_reals(param, found.table, args, errors);
    table_file_drop(found.file);
    return status;
}
