/* SPDX-License-Identifier: Apache-2.0
 * core_fill.c - the answers of core_query.h: tensors filled whole, as bytes or as doubles. */
#include <check.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"

enum { GUARD = 64, FILLED = 0xa5 };

static bool is_filled(const unsigned char guard[GUARD])
{
    for (size_t i = 0; i < GUARD; i++)
        if (guard[i] != FILLED)
            return false;
    return true;
}

static size_t scratch_bytes(const struct pe_plan *plan, uint64_t elements)
{
    return (pe_plan_scratch(plan, elements) + 63) / 64 * 64;
}

static unsigned char *new_scratch(size_t bytes)
{
    unsigned char *scratch = aligned_alloc(64, bytes + GUARD);

    ck_assert_ptr_nonnull(scratch);
    memset(scratch, FILLED, bytes + GUARD);
    return scratch;
}

unsigned char *core_query_part_next(const struct pe_plan *plan,
                                    const struct pe_tensor_info *tensor,
                                    const struct pe_rect *rect, void *scratch)
{
    size_t bytes = (size_t)(rect->rows * rect->cols) * pe_dtype_size(tensor->dtype);
    unsigned char *memory = malloc(bytes + (size_t)2 * GUARD);
    void *out[PE_MAX_OUTPUTS] = {NULL}, *inputs[CORE_TENSOR_MAX];

    ck_assert_ptr_nonnull(memory);
    core_tensor_draw_inputs(plan, inputs);
    memset(memory, FILLED, bytes + (size_t)2 * GUARD);
    out[tensor->slot] = memory + GUARD;
    pe_fill_next(plan, tensor->group, rect, out, (const void *const *)inputs, scratch);
    core_tensor_free_inputs(inputs);
    ck_assert_msg(is_filled(memory) && is_filled(memory + GUARD + bytes),
                  "written beside the rectangle");
    memmove(memory, memory + GUARD, bytes);
    return memory;
}

unsigned char *core_query_part(const struct pe_plan *plan, const struct pe_tensor_info *tensor,
                               const struct pe_rect *rect)
{
    const size_t bytes = scratch_bytes(plan, rect->rows * rect->cols);
    unsigned char *scratch = new_scratch(bytes), *part;

    pe_scratch_begin(scratch);
    part = core_query_part_next(plan, tensor, rect, scratch);
    ck_assert_msg(is_filled(scratch + bytes), "written beside the scratch");
    free(scratch);
    return part;
}

void *core_query_scratch(const struct pe_plan *plan)
{
    uint64_t most = 0;
    void *scratch;

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        most = tensor->rows * tensor->cols > most ? tensor->rows * tensor->cols : most;
    }
    scratch = new_scratch(scratch_bytes(plan, most));
    pe_scratch_begin(scratch);
    return scratch;
}

void *core_query_bytes(const struct pe_plan *plan, size_t number)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, number);
    struct pe_rect all = {0, tensor->rows, 0, tensor->cols};

    return core_query_part(plan, tensor, &all);
}

double *core_query_doubles(const struct pe_plan *plan, size_t number)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, number);
    size_t count = (size_t)(tensor->rows * tensor->cols);
    double *doubles = malloc((count + 1) * sizeof *doubles);
    void *bytes = core_query_bytes(plan, number);

    ck_assert(doubles);
    pe_dtype_to_f64(tensor->dtype, doubles, bytes, count);
    free(bytes);
    return doubles;
}

double *core_query_values(const char *encoding, const char *query, const char *output,
                          size_t *count)
{
    struct pe_plan *plan = core_query_plan(core_query_find(encoding), query);
    double *values = NULL;

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(plan, i);

        if (strcmp(tensor->output->name, output) != 0)
            continue;
        values = core_query_doubles(plan, i);
        if (count)
            *count = (size_t)(tensor->rows * tensor->cols);
    }
    pe_plan_free(plan);
    ck_assert_msg(values != NULL, "%s?%s has no %s", encoding, query, output);
    return values;
}

double core_query_ulp(enum pe_dtype dtype, double value)
{
    static const struct {
        int digits, lowest; /* of the significand; exponent of the smallest normal number */
    } formats[] = {[PE_F64] = {53, -1022},
                   [PE_F32] = {24, -126},
                   [PE_F16] = {11, -14},
                   [PE_BF16] = {8, -126}};
    int exponent = formats[dtype].lowest;

    if (value != 0 && ilogb(value) > exponent)
        exponent = ilogb(value);
    return ldexp(1, exponent - formats[dtype].digits + 1);
}

/* Returns half a unit of the last digit of the number printed at text, or an ULP of a number of
 * few digits. */
static double allowance(const char *text, const char *end, double number)
{
    const char *exponent = memchr(text, 'e', (size_t)(end - text));
    int digits = 0, decimals = 0;
    bool point = false;

    for (const char *at = text; at < (exponent ? exponent : end); at++) {
        point = point || *at == '.';
        decimals += point && isdigit((unsigned char)*at);
        digits += isdigit((unsigned char)*at) && (digits > 0 || *at != '0');
    }
    if (digits < 6)
        return core_query_ulp(PE_F64, number);
    return 0.5000001 *
           pow(10, (exponent ? (double)strtol(exponent + 1, NULL, 10) : 0) - decimals);
}

bool core_query_holds(const double *values, size_t count, const char *numbers, char *why,
                      size_t size)
{
    size_t i = 0;

    for (const char *text = numbers; *text; i++) {
        char *end;
        double number = strtod(text, &end);

        if (end == text || i == count) {
            snprintf(why, size, "%zu numbers, expected more at \"%s\"", count, text);
            return false;
        }
        if (values[i] != number &&
            !(fabs(values[i] - number) <= allowance(text, end, number))) {
            snprintf(why, size, "number %zu is %.17g, expected %.*s", i, values[i],
                     (int)(end - text), text);
            return false;
        }
        text = end + strspn(end, " ");
    }
    if (i < count)
        snprintf(why, size, "%zu numbers, expected %zu", count, i);
    return i == count;
}

void core_query_prints(const char *encoding, const char *query, const char *output,
                       const char *numbers)
{
    size_t count;
    double *values = core_query_values(encoding, query, output, &count);
    char why[200];

    ck_assert_msg(core_query_holds(values, count, numbers, why, sizeof why), "%s?%s: %s: %s",
                  encoding, query, output, why);
    free(values);
}
