/* SPDX-License-Identifier: Apache-2.0
 * fuzz_table_file.c - any bytes as a file of learned tables: the file is refused with a
 * sentence, or each number of its tables can be read and each table found by its name.
 * Targets: the functions of proto/tensors/table_file.c proto/tensors/tables.c
 * proto/tensors/safetensors_head.c */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct tables *tables, const struct stored_table *table)
{
    size_t count = (size_t)table->bytes / pe_dtype_size(table->info.dtype);
    double *numbers = malloc((count + 1) * sizeof *numbers);
    struct pe_errors errors = {0};
    struct tables_found found;

    assert(numbers);
    pe_dtype_to_f64(table->info.dtype, numbers, table->data, count);
    free(numbers);
    assert(tables_is_name(table->name, strlen(table->name)));
    assert(tables_find(tables, "table", table->name, strlen(table->name), &found, &errors) ==
           PE_OK);
    assert(found.table == table);
    table_file_drop(found.file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[TABLE_FILE_WHY_SIZE] = "";
    unsigned char *copy = malloc(size + 1);
    struct table_file_source source = {.stem = "file",
                                       .bytes = copy,
                                       .len = size,
                                       .release = free,
                                       .context = copy};

    assert(copy);
    memcpy(copy, data, size);
    struct table_file *file = table_file_new(&source, why);
    if (!file) {
        assert(why[0] != '\0');
        return 0;
    }
    struct tables *tables = tables_new(&file, 1);
    assert(tables);
    for (size_t i = 0; i < table_file_count(file) && i < 8; i++)
        check_table(tables, table_file_at(file, i));
    tables_drop(tables);
    return 0;
}
