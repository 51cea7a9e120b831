/* SPDX-License-Identifier: Apache-2.0
 * cost_find.c - see cost_find.h. The least time of some tries counts. */
#include "tests/bench/cost_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc_verify.h"
#include "tests/bench/operation_time.h"

enum { TRIES = 5, STEPS = 1 << 20 };
/* Operations a second of a core that does nothing else: a busy one takes longer for each. */
static const double pace = 2e9;

struct tensors {
    struct pe_verify_tensor at[PE_VERIFY_TENSORS];
    char name[PE_VERIFY_TENSORS][16];
    size_t count;
};

static float *draw(size_t count)
{
    float *numbers = malloc(count * sizeof *numbers);
    uint64_t seed = 13 + count;

    for (size_t i = 0; numbers && i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        numbers[i] = (float)((double)(seed >> 11) * 0x1p-52 - 1);
    }
    return numbers;
}

/* Makes the tensors "x=4096x128 ..."; false: the text is another, or there is no memory. */
static bool make(struct tensors *tensors, const char *text)
{
    unsigned long rows, cols;
    int len = 0;

    for (tensors->count = 0; tensors->count < PE_VERIFY_TENSORS; tensors->count++) {
        const size_t i = tensors->count;

        if (sscanf(text, " %15[^=]=%lux%lu%n", tensors->name[i], &rows, &cols, &len) != 3)
            break;
        tensors->at[i] = (struct pe_verify_tensor){.name = tensors->name[i],
                                                   .info = {.dtype = PE_F32, .rank = 2},
                                                   .data = draw(rows * cols)};
        tensors->at[i].info.dims[0] = rows;
        tensors->at[i].info.dims[1] = cols;
        if (!tensors->at[i].data)
            return false;
        text += len;
    }
    return tensors->count > 0 && *text == '\0';
}

/* Returns the nanoseconds of a search that finds nothing; infinite where one finds a claim. */
static double search(const struct tensors *tensors)
{
    const struct pe_limits limits = {.max_elements = UINT64_C(1) << 40,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    static struct pe_errors errors;
    struct pe_args *found = NULL;
    const double start = thread_time_ns();

    pe_errors_clear(&errors);
    const enum pe_status status = pe_verify_identify(&found, NULL, tensors->at, tensors->count,
                                                     NULL, 0, roles, &limits, &errors);
    pe_args_free(found);
    return status == PE_UNKNOWN_NAME ? thread_time_ns() - start : INFINITY;
}

bool cost_find(const char *row, double within)
{
    struct tensors tensors;
    double ns = INFINITY, unit = INFINITY;
    char *text;
    const double most = strtod(row, &text);
    const bool made = make(&tensors, text);
    const double said = pe_verify_identify_operations(tensors.at, tensors.count);

    for (int try = 0; made && try < TRIES && (try == 0 || ns > most * pace * unit); try++) {
        unit = fmin(unit, operation_time_ns(STEPS));
        ns = fmin(ns, search(&tensors));
    }
    const double counted = ns / unit;
    const bool right =
        counted <= most * pace && counted <= within * said && said <= within * counted;
    printf("%s %12.3f said %12.3f counted, 10^6 operations, %.3f s: find %s\n",
           right ? "  ok  " : "WRONG ", said / 1e6, counted / 1e6, ns / 1e9, row);
    for (size_t i = 0; i < tensors.count; i++)
        free((void *)tensors.at[i].data);
    return right;
}
