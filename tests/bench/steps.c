/* SPDX-License-Identifier: Apache-2.0
 * steps.c PATH ENCODING QUERY ROWS... - fills tables of so many rows, one after the other, by
 * counted_fill, for a profiler that counts the instructions of each call. The table that plans
 * share is as the service has it after two requests.
 *
 *     PATH     of the CPU: generic, avx2, avx512
 *     QUERY    parameters but pos: dim=64&dtype=bf16 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"

enum { BLOCK_BYTES = 64 << 10, ALIGN = 64 };

static void die(const char *why)
{
    fprintf(stderr, "steps: %s\n", why);
    exit(EXIT_FAILURE);
}

static void give(struct pe_args *args, const char *name, size_t len, const char *value,
                 size_t value_len)
{
    struct pe_errors errors = {.count = 0};

    if (pe_args_set_text(args, name, len, value, value_len, &errors) != PE_OK)
        die(errors.at[0].detail);
}

static struct pe_args *args_of(const char *encoding, const char *query, const char *rows)
{
    const struct pe_encoding *found = pe_find(encoding, strlen(encoding));
    struct pe_args *args = found ? pe_args_new(found) : NULL;
    struct pe_errors errors = {.count = 0};
    char pos[32];

    if (!args)
        die(encoding);
    snprintf(pos, sizeof pos, "0:%s", rows);
    give(args, "pos", 3, pos, strlen(pos));
    for (const char *at = query; *at;) {
        const size_t len = strcspn(at, "&"), name = strcspn(at, "=");

        if (name >= len)
            die(query);
        give(args, at, name, at + name + 1, len - name - 1);
        at += len + (at[len] == '&');
    }
    if (pe_args_check(args, &errors) != PE_OK)
        die(errors.at[0].detail);
    return args;
}

static void *memory_of(size_t bytes)
{
    void *memory = aligned_alloc(ALIGN, bytes / ALIGN * ALIGN + ALIGN);

    if (!memory)
        die("no memory");
    return memory;
}

/* Fills the first tensor in blocks, as the service does. */
__attribute__((noinline)) static void counted_fill(const struct pe_plan *plan, uint64_t step,
                                                   void *block, void *scratch)
{
    const struct pe_tensor_info *info = pe_plan_tensor(plan, 0);

    pe_scratch_begin(scratch);
    for (uint64_t row = 0; row < info->rows; row += step) {
        const uint64_t left = info->rows - row;
        const struct pe_rect rect = {row, left < step ? left : step, 0, info->cols};
        void *out[PE_MAX_OUTPUTS] = {NULL};

        out[info->slot] = block;
        pe_fill_next(plan, info->group, &rect, out, NULL, scratch);
    }
}

static void fill(struct pe_args *args, struct pe_table *table)
{
    const struct pe_limits limits = {.max_elements = UINT64_C(1) << 40,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan;

    if (pe_plan_new(&plan, args, table, &limits, &errors) != PE_OK)
        die(errors.at[0].detail);
    const struct pe_tensor_info *info = pe_plan_tensor(plan, 0);
    const uint64_t step = BLOCK_BYTES / (info->cols * pe_dtype_size(info->dtype));
    void *block = memory_of(BLOCK_BYTES);
    void *scratch = memory_of(pe_plan_scratch(plan, step * info->cols));

    counted_fill(plan, step, block, scratch);
    free(block);
    free(scratch);
    pe_plan_free(plan);
}

static void choose_path(const char *name)
{
    for (size_t i = 0; i < pe_cpu_path_count(); i++)
        if (strcmp(name, pe_cpu_path_name(i)) == 0 && pe_cpu_path_set(i))
            return;
    die(name);
}

int main(int argc, char *argv[])
{
    struct pe_table *table = NULL;

    if (argc < 5)
        die("see the head of tests/bench/steps.c");
    choose_path(argv[1]);
    for (int i = 4; i < argc; i++) {
        struct pe_args *args = args_of(argv[2], argv[3], argv[i]);

        table = table ? table : pe_table_build(args);
        for (int asked = 0; asked < 2; asked++)
            if (!table || !pe_table_grow(table, args))
                die("no memory");
        fill(args, table);
        pe_args_free(args);
    }
    pe_table_free(table);
    return EXIT_SUCCESS;
}
