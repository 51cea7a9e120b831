/* SPDX-License-Identifier: Apache-2.0
 * pose.c - positional skip-wise training: a short sequence in runs, with gaps between them, so
 * that its positions reach as far as those of a long one.
 *
 *     the runs begin at {x + 1 : x in pick(length - 1, chunks - 1)}
 *     u_0 = 0, u_i = u_(i-1) + below(max_position - length - u_(i-1) + 1)
 *     position p of run i becomes p + u_i
 *
 * Zhu et al. 2023, PoSE: Efficient Context Window Extension of LLMs via Positional Skip-wise
 * Training, section 3. The draws are those of core/math/random.h.
 */
#include "core/encoding.h"

#include <stdlib.h>

#include "core/math/precomputed.h"
#include "core/math/random.h"

enum { IDS };

struct pose {
    int64_t len, max_position, chunks, seed;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct pose, len), .type = PE_INT, .required = true, .min = 1, .max = 0x1p53,
     .summary = "number of tokens of the short sequence"},
    {PE_FIELD(struct pose, max_position), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p53, .summary = "length of the context to train for: positions are below it"},
    {PE_FIELD(struct pose, chunks), .type = PE_INT, .min = 1, .max = 65536, .preset = 2,
     PE_OWN("Zhu et al. 2023", POSITIONS, BASIC),
     .summary = "number of runs of consecutive positions that the sequence is cut into"},
    RANDOM_ROW_SEED(struct pose),
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("ids", PE_I64, "token"), .label = "Ids", .sign = PE_NOT_NEGATIVE,
             .summary = "position of each token, in rising order", .by_default = true,
             .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pose *v = values;

    if (v->len > v->max_position)
        pe_fail(errors, PE_CONFLICT, "len", "must be at most max_position, %lld; got %lld",
                (long long)v->max_position, (long long)v->len);
    if (v->chunks > v->len)
        pe_fail(errors, PE_CONFLICT, "chunks",
                "must be at most len, %lld: a run has a token; got %lld", (long long)v->len,
                (long long)v->chunks);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct pose *v = values;

    return 4 * (double)v->len + 100 * (double)v->chunks;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct pose *v = values;
    struct random random = random_seeded((uint64_t)v->seed);
    size_t count = (size_t)v->len, cuts = (size_t)v->chunks - 1, run = 0;
    double *ids = precomputed_new(build, IDS, 1, count);
    uint64_t *cut = calloc(cuts + 1, sizeof *cut), gap = 0;
    bool ok = ids && cut && random_pick(&random, count - 1, cuts, cut, pe_build_stop(build));

    if (!ok)
        pe_build_no_memory(build);

    for (size_t p = 0; ok && p < count; p++) {
        if (run < cuts && p == cut[run] + 1) {
            gap += random_below(&random, (uint64_t)(v->max_position - v->len) - gap + 1);
            run++;
        }
        ids[p] = (double)(p + gap);
    }
    free(cut);
}

const struct pe_encoding pe_encoding_pose = {
    .name = "pose",
    .title = "PoSE: positional skip-wise training",
    .formula =
        "the sequence is cut into chunks runs; a random gap before each run, all positions "
        "below max_position",
    .when_to_use =
        "PoSE fine-tunes a model for a long context with short sequences: each step draws "
        "new gaps. random-positions draws every position by itself.",
    .what_goes_wrong =
        "The gaps are for training only; inference uses ordinary positions. Draws are those "
        "of this service, equal on all machines for one seed, and not those of torch.",
    .picture = "len=48&max_position=256&chunks=3&seed=1",
    .summary = "positions of a short sequence with gaps, to train for a long context",
    .source = "Zhu et al. 2023, PoSE, section 3",
    .examples = PE_WORDS("len=8&max_position=32&seed=42", "len=12&max_position=64&chunks=4"),
    .family = PE_INDEX,
    .kind = PE_WHOLE,
    PE_TABLES(struct pose, params, outputs),
    .check = check,
    .lengths = PE_WORDS("token=len"),
    .most = PE_WORDS("ids=max_position"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
