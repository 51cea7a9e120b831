/* SPDX-License-Identifier: Apache-2.0
 * fill.c - a caller of the installed library: the table of three positions, printed. */
#include <posenc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static struct pe_errors errors;

    pe_errors_clear(&errors);
    struct pe_args *args = pe_args_new(pe_find("sinusoidal", 10));
    pe_args_set_text(args, "pos", 3, "0:3", 3, &errors);
    pe_args_set_number(args, "dim", 3, 4, &errors);
    pe_args_set_number(args, "base", 4, 100, &errors);

    struct pe_plan *plan = NULL;
    struct pe_limits limits = {.max_elements = 1000, .max_prepared = 1000};
    if (pe_args_check(args, &errors) != PE_OK ||
        pe_plan_new(&plan, args, NULL, &limits, &errors) != PE_OK) {
        fprintf(stderr, "%s %s\n", errors.at[0].parameter, errors.at[0].detail);
        return EXIT_FAILURE;
    }
    float table[12];
    void *out[] = {table};
    struct pe_rect all = {.rows = 3, .cols = 4};
    void *scratch = aligned_alloc(64, (pe_plan_scratch(plan, 12) / 64 + 1) * 64);
    pe_fill(plan, 0, &all, out, NULL, scratch);
    for (int i = 0; i < 12; i++)
        printf("%.6f%c", (double)table[i], i % 4 == 3 ? '\n' : ' ');
    free(scratch);
    pe_plan_free(plan);
    pe_args_free(args);
    return EXIT_SUCCESS;
}
