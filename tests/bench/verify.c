/* SPDX-License-Identifier: Apache-2.0
 * verify.c [CASE [PASSES]] - judges cosines and sines of 4096 positions and 64 pairs by
 * posenc_verify.h, and prints the seconds of each case: right ones, ones with a mistake, and
 * ones with two. `fill` is the time in which the library makes both tables once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/posenc_verify.h"

enum { POSITIONS = 4096, PAIRS = 64, ELEMENTS = POSITIONS * PAIRS };
#define LLAMA "dim=128&base=500000&scaling=llama3&factor=8"

/* Numbers made with the one query are judged against the other. */
static const struct bench_case {
    const char *name, *made, *claim;
} CASES[] = {
    {"right", "pos=0:4096&" LLAMA, "pos=0:4096&" LLAMA},
    {"rounded", "pos=0:4096&profile=f32-pow&" LLAMA, "pos=0:4096&" LLAMA},
    {"base", "pos=0:4096&dim=128&base=10000", "pos=0:4096&dim=128&base=500000"},
    {"scaling", "pos=0:4096&dim=128&base=500000", "pos=0:4096&" LLAMA},
    {"two", "pos=1:4097&dim=128&base=10000", "pos=0:4096&dim=128&base=500000"},
};

static const struct pe_limits limits = {.max_elements = 1 << 26,
                                        .max_prepared = PE_DEFAULT_MAX_PREPARED};

static void die(const char *why)
{
    fprintf(stderr, "verify: %s\n", why);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static struct pe_args *args_of(const char *query)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args = pe_args_new(pe_find("rope", 4));

    if (!args)
        die("no memory");
    for (const char *at = query; *at; at += *at == '&') {
        const size_t name = strcspn(at, "="), all = strcspn(at, "&");

        if (pe_args_set_text(args, at, name, at + name + 1, all - name - 1, &errors) != PE_OK)
            die(errors.at[0].detail);
        at += all;
    }
    return args;
}

/* ---- tables as another program would make them ------------------------------------------- */

static double fill(const char *query, float *cosines, float *sines)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args = args_of(query);
    struct pe_plan *plan;
    const struct pe_rect all = {.rows = POSITIONS, .cols = PAIRS};
    void *out[] = {cosines, sines};
    const double begin = now();

    if (pe_args_check(args, &errors) != PE_OK ||
        pe_plan_new(&plan, args, NULL, &limits, &errors) != PE_OK)
        die(errors.at[0].detail);
    void *scratch = aligned_alloc(64, (pe_plan_scratch(plan, ELEMENTS) + 64) / 64 * 64);
    if (!scratch)
        die("no memory");
    pe_fill(plan, 0, &all, out, NULL, scratch);
    const double spent = now() - begin;
    free(scratch);
    pe_plan_free(plan);
    pe_args_free(args);
    return spent;
}

/* ---- a verdict --------------------------------------------------------------------------- */

static double judge(const char *query, const float *cosines, const float *sines,
                    enum pe_verdict_kind *kind)
{
    const struct pe_tensor shape = {.dtype = PE_F32, .rank = 2, .dims = {POSITIONS, PAIRS}};
    const struct pe_verify_tensor tensors[] = {
        {.name = "cos", .info = shape, .data = cosines},
        {.name = "sin", .info = shape, .data = sines},
    };
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_errors errors = {.count = 0};
    struct pe_args *claim = args_of(query);
    struct pe_verdict *verdict;
    const double begin = now();

    if (pe_verify_assign(pe_find("rope", 4), tensors, 2, roles, &errors) != PE_OK ||
        pe_verify_prepare(claim, tensors, 2, roles, &errors) != PE_OK ||
        pe_args_check(claim, &errors) != PE_OK ||
        pe_verify(&verdict, claim, tensors, 2, roles, NULL, &limits, &errors) != PE_OK)
        die(errors.at[0].detail);
    const double spent = now() - begin;
    *kind = verdict->kind;
    pe_verdict_free(verdict);
    pe_args_free(claim);
    return spent;
}

static enum pe_verdict_kind expected(const struct bench_case *row)
{
    if (strcmp(row->name, "right") == 0)
        return PE_EXACT;
    return strcmp(row->name, "rounded") == 0 ? PE_PROFILE : PE_MISTAKE;
}

int main(int argc, char *argv[])
{
    static _Alignas(64) float cosines[ELEMENTS], sines[ELEMENTS];
    const int passes = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;

    pe_reserve_init();
    fill(CASES[0].made, cosines, sines); /* touches the memory */
    printf("fill %.9f\n", fill(CASES[0].made, cosines, sines));
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        enum pe_verdict_kind kind;

        if (argc > 1 && strcmp(argv[1], CASES[i].name) != 0)
            continue;
        fill(CASES[i].made, cosines, sines);
        for (int pass = 0; pass < passes; pass++) {
            const double spent = judge(CASES[i].claim, cosines, sines, &kind);

            if (kind != expected(&CASES[i]))
                die(CASES[i].name);
            printf("%s %.9f\n", CASES[i].name, spent);
        }
    }
    return EXIT_SUCCESS;
}
