/* SPDX-License-Identifier: Apache-2.0
 * prove.c - the accuracy run: values of rope and sinusoidal against MPFR.
 *
 *     prove [COUNT | --thousandth]     ten million values, COUNT, or ten thousand
 *
 * COUNT values are drawn uniformly and log-uniformly; all hard positions (hard.h) are always
 * among them. float32, float16 and bfloat16 must be within 0.501 ULP, float64 within 1 ULP.
 * The program prints a line for each draw, encoding and dtype with its worst case; a line is a
 * check that is counted. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/prove/answer.h"
#include "tests/prove/hard.h"
#include "tests/prove/truth.h"

enum { UNIFORM, LOG_UNIFORM, HARD, DRAWS };
static const char *const draw_names[DRAWS] = {"uniform", "log-uniform", "hard"};

enum { DTYPES = 4, MOST_ROWS = 700, FEW_ROWS = 90, SAMPLES = 1024 };
static const enum pe_dtype dtypes[DTYPES] = {PE_F32, PE_F16, PE_BF16, PE_F64};

static const double hard_bases[] = {10000, 500000, 1e6};
static const size_t hard_pairs[] = {0, 1, 7};
enum { HARD_DIM = 128, HARD_MOST = 128 };

/* Values compared in one draw, encoding and dtype, and the worst of them. */
struct tally {
    uint64_t values, bad;
    double error, base, position, amplitude;
    size_t dim, pair;
    const char *wave;
};
static struct tally tallies[DRAWS][ANSWER_ENCODINGS][DTYPES];

/* ---- chance: splitmix64, the same draw in every run -------------------------------------- */

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double random_unit(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

static size_t random_below(uint64_t *state, size_t n)
{
    return (size_t)(random_bits(state) % n);
}

/* ---- comparing --------------------------------------------------------------------------- */

static double bound_of(enum pe_dtype dtype)
{
    return dtype == PE_F64 ? 1 : 0.501;
}

static void note(struct tally *tally, const struct question *question, size_t pair,
                 double position, const char *wave, double error)
{
    tally->values++;
    tally->bad += !(error <= bound_of(question->dtype));
    if (error <= tally->error)
        return;
    tally->error = error;
    tally->base = question->base;
    tally->position = position;
    tally->amplitude = question->amplitude;
    tally->dim = question->dim;
    tally->pair = pair;
    tally->wave = wave;
}

static void compare(struct tally *tally, const struct question *question,
                    const struct answer *answer, struct truth *truth, size_t row, size_t pair)
{
    const size_t at = row * truth->pairs + pair;
    double errors[2];

    truth_errors(truth, question->dtype, pair, question->positions[row], answer->sine[at],
                 answer->cosine[at], errors);
    note(tally, question, pair, question->positions[row], "sin", errors[0]);
    note(tally, question, pair, question->positions[row], "cos", errors[1]);
}

/* ---- draws ------------------------------------------------------------------------------- */

/* Draws scattered positions, or one run from a scattered start; few rows or many, so that both
 * paths of the library are taken. An eighth of the log-uniform positions are no whole
 * numbers. */
static size_t draw_positions(uint64_t *state, int draw, double *positions)
{
    const size_t rows = random_below(state, 4) == 0 ? FEW_ROWS : MOST_ROWS;
    const int kind = (int)random_below(state, 8);

    for (size_t i = 0; i < rows; i++) {
        double size = random_unit(state) * 0x1p53;

        if (draw == LOG_UNIFORM)
            size = exp2(random_unit(state) * 53);
        if (draw == LOG_UNIFORM && kind == 0)
            size = exp2(random_unit(state) * 110 - 60);
        else
            size = floor(size);
        positions[i] = random_below(state, 2) == 0 ? size : -size;
    }
    const double step = (double)random_below(state, 3) + 1;
    for (size_t i = 1; kind >= 5 && i < rows; i++)
        positions[i] = positions[0] < 0 ? positions[0] + step * (double)i
                                        : fmax(positions[0] - step * (double)i, -0x1p53);
    return rows;
}

static void ask_at_random(uint64_t *state, int draw, uint64_t values)
{
    static double positions[MOST_ROWS];
    const size_t dtype = random_below(state, DTYPES);
    struct question question = {
        .encoding = random_below(state, ANSWER_ENCODINGS),
        .dtype = dtypes[dtype],
        .base = draw == UNIFORM ? 1 + random_unit(state) * 1e6 : exp2(random_unit(state) * 59),
        .scale = 1,
        .amplitude = 1,
        .dim = 2 + 2 * random_below(state, 128),
        .positions = positions,
        .count = draw_positions(state, draw, positions),
    };

    if (question.encoding == ANSWER_SINUSOIDAL && random_below(state, 4) == 0)
        question.scale = exp2(random_unit(state) * 20 - 10);
    if (question.encoding == ANSWER_SINUSOIDAL && random_below(state, 2) == 0)
        question.amplitude = exp2(random_unit(state) * 20 - 10);
    struct answer answer = answer_ask(&question);
    struct truth *truth =
        truth_new(question.base, question.dim, question.scale, question.amplitude);
    for (uint64_t i = 0; i < values; i += 2)
        compare(&tallies[draw][question.encoding][dtype], &question, &answer, truth,
                random_below(state, question.count), random_below(state, truth->pairs));
    truth_free(truth);
    answer_free(&answer);
}

/* All hard positions of one pair, on either side of zero, alone, and among so many others that
 * the fast path is taken. */
static void ask_hard(double base, size_t pair)
{
    double positions[MOST_ROWS];
    const size_t half = hard_positions(base, pair, HARD_DIM, positions, HARD_MOST);

    for (size_t i = 0; i < half; i++)
        positions[half + i] = -positions[i];
    for (size_t i = 2 * half; i < MOST_ROWS; i++)
        positions[i] = (double)i;
    struct truth *truth = truth_new(base, HARD_DIM, 1, 1);
    for (size_t encoding = 0; encoding < ANSWER_ENCODINGS; encoding++)
        for (size_t dtype = 0; dtype < DTYPES; dtype++)
            for (int many = 0; many < 2; many++) {
                const struct question question = {
                    encoding, dtypes[dtype], base,      1,
                    1,        HARD_DIM,      positions, many ? MOST_ROWS : 2 * half};
                struct answer answer = answer_ask(&question);

                for (size_t row = 0; row < 2 * half; row++)
                    compare(&tallies[HARD][encoding][dtype], &question, &answer, truth, row,
                            pair);
                answer_free(&answer);
            }
    truth_free(truth);
}

/* ---- the report -------------------------------------------------------------------------- */

static int report(void)
{
    int passed = 0, failed = 0;
    uint64_t values = 0;

    for (int draw = 0; draw < DRAWS; draw++)
        for (size_t encoding = 0; encoding < ANSWER_ENCODINGS; encoding++)
            for (size_t dtype = 0; dtype < DTYPES; dtype++) {
                const struct tally *tally = &tallies[draw][encoding][dtype];
                const bool good = tally->bad == 0 && tally->values > 0;

                values += tally->values;
                passed += good;
                failed += !good;
                printf("%-11s %-10s %-4s %9" PRIu64 " values, worst %.6f ULP%s",
                       draw_names[draw], answer_encodings[encoding],
                       pe_dtype_name(dtypes[dtype]), tally->values, tally->error,
                       good ? "" : " FAILED");
                if (tally->bad > 0)
                    printf(" %" PRIu64 " times", tally->bad);
                if (tally->values > 0)
                    printf(": %s, p=%.17g pair %zu of %zu, base %.17g, amplitude %.17g",
                           tally->wave, tally->position, tally->pair, tally->dim / 2,
                           tally->base, tally->amplitude);
                puts("");
            }
    printf("%" PRIu64 " values on path %s\n", values, pe_cpu_path_name(pe_cpu_path()));
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    uint64_t count = 10000000, state = 1;

    if (argc > 1)
        count = strcmp(argv[1], "--thousandth") == 0 ? count / 1000
                                                     : (uint64_t)strtoull(argv[1], NULL, 10);
    if (argc > 2 || count == 0) {
        fputs("usage: prove [COUNT | --thousandth]\n", stderr);
        return 64;
    }
    for (size_t i = 0; i < sizeof hard_bases / sizeof *hard_bases; i++)
        for (size_t j = 0; j < sizeof hard_pairs / sizeof *hard_pairs; j++)
            ask_hard(hard_bases[i], hard_pairs[j]);
    /* The shares are small, so that a short run too covers every encoding and dtype. */
    const uint64_t share = count / 256 < SAMPLES ? count / 256 + 2 : SAMPLES;
    for (uint64_t done = 0; done < count; done += share)
        ask_at_random(&state, done / share % 2 == 0 ? UNIFORM : LOG_UNIFORM, share);
    return report();
}
