/* SPDX-License-Identifier: Apache-2.0
 * verify.c - a caller of the installed library: two tables whose base is not that of the claim,
 * and what the library says about them. */
#include <math.h>
#include <posenc_verify.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS = 64, PAIRS = 8 };

int main(void)
{
    static float cosines[POSITIONS * PAIRS], sines[POSITIONS * PAIRS];
    static struct pe_errors errors;
    const struct pe_tensor shape = {.dtype = PE_F32, .rank = 2, .dims = {POSITIONS, PAIRS}};
    const struct pe_verify_tensor tensors[] = {
        {.name = "cos", .info = shape, .data = cosines},
        {.name = "sin", .info = shape, .data = sines},
    };

    for (int i = 0; i < POSITIONS * PAIRS; i++) {
        double angle = i / PAIRS * pow(10000, -(double)(i % PAIRS) / PAIRS);
        cosines[i] = (float)cos(angle);
        sines[i] = (float)sin(angle);
    }

    pe_errors_clear(&errors);
    const struct pe_encoding *rope = pe_find("rope", 4);
    struct pe_args *claim = pe_args_new(rope);
    pe_args_set_text(claim, "pos", 3, "0:64", 4, &errors);
    pe_args_set_number(claim, "dim", 3, 2 * PAIRS, &errors);
    pe_args_set_number(claim, "base", 4, 500000, &errors);

    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_limits limits = {.max_elements = 100000, .max_prepared = 100000};
    struct pe_verdict *verdict;
    if (pe_verify_assign(rope, tensors, 2, roles, &errors) != PE_OK ||
        pe_verify_prepare(claim, tensors, 2, roles, &errors) != PE_OK ||
        pe_args_check(claim, &errors) != PE_OK ||
        pe_verify(&verdict, claim, tensors, 2, roles, NULL, &limits, &errors) != PE_OK) {
        fprintf(stderr, "%s %s\n", errors.at[0].parameter, errors.at[0].detail);
        return EXIT_FAILURE;
    }
    const struct pe_verify_change *change = verdict->explanation.mistake[0].change;
    printf("%s: %s\n", pe_verdict_name(verdict->kind), verdict->says);
    if (verdict->kind == PE_MISTAKE)
        printf("%s: %s -> %s\n", change->parameter, change->found, change->expected);
    pe_verdict_free(verdict);
    pe_args_free(claim);
    return EXIT_SUCCESS;
}
