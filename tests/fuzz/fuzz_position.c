/* SPDX-License-Identifier: Apache-2.0
 * fuzz_position.c - any bytes as a list of positions. An accepted list has a count, a range
 * that holds every position, runs that agree with single look-ups, and a canonical text that
 * is read as an equal list. Targets: the functions of core/args/position_text.c
 * core/args/positions.c core/args/segments.c */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* malloc'd; NULL: there is none. */
static char *position_text(struct pe_args *args)
{
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        if (strcmp(pe_args_value(args, i)->name, "pos") == 0) {
            size_t len = pe_args_print(args, i, NULL, 0);
            char *text = malloc(len + 1);

            assert(text && pe_args_print(args, i, text, len + 1) == len);
            return text;
        }
    }
    return NULL;
}

/* Returns arguments of an encoding that has `pos`; NULL if the text was refused. */
static struct pe_args *args_of(const char *text, size_t len)
{
    struct pe_errors errors = {0};
    struct pe_args *args = pe_args_new(pe_find("rope", 4));

    assert(args);
    assert(pe_args_set_text(args, "dim", 3, "2", 1, &errors) == PE_OK);
    enum pe_status set = pe_args_set_text(args, "pos", 3, text, len, &errors);
    enum pe_status checked = pe_args_check(args, &errors);
    assert((set == PE_OK) == (checked == PE_OK));
    if (checked != PE_OK) {
        assert(errors.count == 1 && strcmp(errors.at[0].parameter, "pos") == 0);
        pe_args_free(args);
        return NULL;
    }
    return args;
}

static void check_shape(struct pe_args *args, const char *text)
{
    struct pe_errors errors = {0};
    struct pe_plan *plan = NULL;
    static const struct pe_limits limits = {.max_elements = UINT64_MAX >> 8,
                                            .max_prepared = 1 << 20};
    enum pe_status status = pe_plan_new(&plan, args, NULL, &limits, &errors);

    if (status == PE_OK) {
        uint64_t rows = pe_plan_tensor(plan, 0)->dims[0];
        float cosines[8];

        _Alignas(64) static char scratch[1 << 20];
        void *slots[PE_MAX_OUTPUTS] = {cosines};
        const struct pe_rect rect = {.row = rows > 8 ? rows - 8 : 0,
                                     .rows = rows < 8 ? rows : 8,
                                     .cols = 1};
        assert((rows == 0) == (strcmp(text, "0:0") == 0));
        assert(pe_plan_scratch(plan, 8) <= sizeof scratch);
        pe_fill(plan, pe_plan_tensor(plan, 0)->group, &rect, slots, NULL, scratch);
        for (uint64_t i = 0; i < rect.rows; i++)
            assert(cosines[i] >= -1 && cosines[i] <= 1);
    }
    pe_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pe_args *args = args_of((const char *)data, size);

    if (args) {
        char *text = position_text(args);
        struct pe_args *again = args_of(text, strlen(text));

        assert(again);
        char *text_again = position_text(again);
        assert(strcmp(text_again, text) == 0);
        check_shape(args, text);
        pe_args_free(again);
        pe_args_free(args);
        free(text);
        free(text_again);
    }
    return 0;
}
