/* SPDX-License-Identifier: Apache-2.0
 * fope.h - the arguments of Fourier position embedding, for its tables and for its vectors. */
#pragma once

#include "core/encodings/rotary/ladder.h"
#include "core/encodings/rotary/vectors.h"

struct fope {
    struct ladder ladder;
    const struct pe_positions *pos;
    int64_t heads, num_inv_freq;
    double train_len;
    struct pe_reals cos_coef, sin_coef;
    int pad;
    bool normalize_coefficients;
    int pairing; /* pairing of the vectors */
    struct vectors vectors;
};
_Static_assert(offsetof(struct fope, ladder) == 0, "ladder_first hooks read it there");

extern const struct pe_choice fope_pads[];

/* Declares the parameters of the tables and of the vectors, except the ladder's. */
#define FOPE_ROWS                                                                              \
    PE_ROW_POS(struct fope, true),                                                             \
        {PE_FIELD(struct fope, heads),                                                         \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = 4096,                                                                          \
         .preset = 1,                                                                          \
         .summary = "number of heads, each with coefficients of its own"},                     \
        {PE_FIELD(struct fope, num_inv_freq),                                                  \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .min = 1,                                                                             \
         .max = 32768,                                                                         \
         PE_OWN("vLLM", FREQUENCIES, BASIC),                                                   \
         .summary = "number of the highest frequencies, which are mixed"},                     \
        {PE_FIELD(struct fope, train_len),                                                     \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = 1,                                                                             \
         .max = 0x1p53,                                                                        \
         .summary =                                                                            \
             "length of the context in training: frequencies that turn once in it are mixed"}, \
        {PE_FIELD(struct fope, cos_coef),                                                      \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .required = true,                                                                     \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         PE_OWN("vLLM", WEIGHTS, BASIC),                                                       \
         .summary =                                                                            \
             "learned coefficients of cosines: a row a frequency, one head below the other"},  \
        {PE_FIELD(struct fope, sin_coef),                                                      \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .required = true,                                                                     \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         PE_OWN("vLLM", WEIGHTS, BASIC),                                                       \
         .summary =                                                                            \
             "learned coefficients of sines: a row a frequency, one head below the other"},    \
        {PE_FIELD(struct fope, normalize_coefficients), .type = PE_BOOL,                       \
         PE_OWN("vLLM", WEIGHTS, ADVANCED),                                                    \
         .summary = "divide each column of coefficients by its sum"},                          \
    {                                                                                          \
        PE_FIELD(struct fope, pad),                                                            \
            .type = PE_CHOICE, .choices = fope_pads,                                           \
            .summary = "cosine and sine of pairs that have no coefficients"                    \
    }
#define FOPE_NAMES                                                                             \
    LADDER_NAMES, "pos", "heads", "num_inv_freq", "train_len", "cos_coef", "sin_coef",         \
        "normalize_coefficients", "pad"

/* Makes the mixes of a plan; NULL fails the plan. */
struct fope_mix;
struct fope_mix *fope_mix_new(struct pe_build *build, const struct fope *fope);
/* Computes a head's cosines and sines of all pairs at a position. `scratch` has
 * fope_row_bytes. */
void fope_row(const struct fope_mix *mix, double position, size_t head, double *cosine,
              double *sine, void *scratch);
size_t fope_row_bytes(const struct fope_mix *mix);

/* The hooks that both descriptors share. */
void fope_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void fope_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
