/* SPDX-License-Identifier: Apache-2.0
 * random_positions.c - increasing positions drawn from a longer range, for training on short
 * sequences with the positions of long ones.
 *
 *     len distinct numbers of 0 .. max_position-1, uniformly, ascending
 *
 * Ruoss et al. 2023, Randomized Positional Encodings Boost Length Generalization, section 3.
 * The draws are those of core/math/random.h, which are equal on all machines.
 */
#include "core/encoding.h"

#include <stdlib.h>

#include "core/math/precomputed.h"
#include "core/math/random.h"

enum { IDS };

struct random_positions {
    int64_t len, max_position, seed;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct random_positions, len), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "number of positions that are drawn"},
    {PE_FIELD(struct random_positions, max_position), .type = PE_INT, .required = true,
     .min = 1, .max = 0x1p53, .summary = "positions are drawn from 0:max_position"},
    RANDOM_ROW_SEED(struct random_positions),
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("ids", PE_I64, "token"), .label = "Ids", .sign = PE_NOT_NEGATIVE,
             .summary = "position of each token, in rising order", .by_default = true,
             .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct random_positions *v = values;

    if (v->len > v->max_position)
        pe_fail(errors, PE_CONFLICT, "len",
                "must be at most max_position, %lld, so that all positions differ; got "
                "%lld",
                (long long)v->max_position, (long long)v->len);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 100 * (double)((const struct random_positions *)values)->len;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct random_positions *v = values;
    struct random random = random_seeded((uint64_t)v->seed);
    size_t count = (size_t)v->len;
    double *ids = precomputed_new(build, IDS, 1, count);
    uint64_t *drawn = calloc(count ? count : 1, sizeof *drawn);
    bool ok =
        ids && drawn &&
        random_pick(&random, (uint64_t)v->max_position, count, drawn, pe_build_stop(build));

    if (!ok)
        pe_build_no_memory(build);

    for (size_t i = 0; ok && i < count; i++)
        ids[i] = (double)drawn[i];
    free(drawn);
}

const struct pe_encoding pe_encoding_random_positions = {
    .name = "random-positions",
    .title = "Randomized positions",
    .formula = "len distinct numbers of 0 .. max_position - 1, uniformly, in rising order",
    .when_to_use =
        "Randomized positional encodings train on short sequences with the positions of long "
        "ones, so that no position is new at test time. PoSE (pose) keeps runs together.",
    .what_goes_wrong =
        "The positions must be sorted, and the same ones serve all layers of a step. At test "
        "time they are ordinary positions, or drawn anew, as the paper compares.",
    .picture = "len=48&max_position=256&seed=1",
    .summary = "increasing positions drawn from a longer range, by seed",
    .source = "Ruoss et al. 2023, Randomized Positional Encodings, section 3",
    .examples = PE_WORDS("len=4&max_position=16&seed=42", "len=4&max_position=16"),
    .family = PE_INDEX,
    .kind = PE_WHOLE,
    PE_TABLES(struct random_positions, params, outputs),
    .check = check,
    .lengths = PE_WORDS("token=len"),
    .most = PE_WORDS("ids=max_position"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
