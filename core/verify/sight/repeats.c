/* SPDX-License-Identifier: Apache-2.0
 * repeats.c - see repeats.h. */
#include "core/verify/sight/repeats.h"

#include <math.h>
#include <string.h>

enum { PADDED_RUNS = 3 };     /* padding, tokens, padding */
enum { RUNS_READ = 1 << 12 }; /* elements whose runs are counted, of each tensor */

uint64_t repeats_runs(const struct view *view)
{
    const uint64_t rows = view_rows(view), cols = view_cols(view);
    uint64_t runs = 0;
    double before = NAN;

    if (rows * cols > RUNS_READ)
        return rows * cols;
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t col = 0; col < cols; col++) {
            const double number = view_element(view, row, col);

            runs += number != before;
            before = number;
        }
    return runs;
}

uint64_t repeats_list(const char *list)
{
    uint64_t runs = 0;
    size_t before = 0;

    for (const char *at = list; *at; at += strspn(at, ",;")) {
        const size_t len = strcspn(at, ",;");

        runs += before != len || memcmp(at, at - before - 1, len) != 0;
        before = len;
        at += len;
    }
    return runs;
}

bool repeats_numbers(uint64_t told, uint64_t numbers)
{
    return told > PADDED_RUNS && told >= numbers;
}

bool repeats_role(const struct view *views, size_t count, const struct pe_verify_role *roles)
{
    uint64_t serving = 0, judged = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t elements = view_rows(&views[i]) * view_cols(&views[i]);

        judged += roles[i].output ? elements : 0;
        serving += roles[i].param && roles[i].param->type != PE_TENSOR ? elements : 0;
    }
    return serving > 0 && serving >= judged;
}
