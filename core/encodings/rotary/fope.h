/* SPDX-License-Identifier: Apache-2.0
 * fope.h - the arguments of Fourier position embedding, for its tables and for its vectors. */
#pragma once

#include "core/encodings/rotary/ladder.h"
#include "core/encodings/rotary/vectors.h"

struct fope {
    struct ladder ladder;
    const struct pe_positions *pos;
    int64_t heads, num_inv_freq;
    double max_pos;
    struct pe_reals cos_coef, sin_coef;
    int pad;
    bool norm;
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
         .summary = "heads with coefficients of their own"},                                   \
        {PE_FIELD(struct fope, num_inv_freq),                                                  \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .min = 1,                                                                             \
         .max = 32768,                                                                         \
         .summary = "how many frequencies, the highest, are mixed"},                           \
        {PE_FIELD(struct fope, max_pos),                                                       \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = 1,                                                                             \
         .max = 0x1p53,                                                                        \
         .summary = "mixes frequencies that turn once in this length"},                        \
        {PE_FIELD(struct fope, cos_coef),                                                      \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .required = true,                                                                     \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         .summary = "coefficients of cosines: a row a frequency, heads below each other"},     \
        {PE_FIELD(struct fope, sin_coef),                                                      \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .required = true,                                                                     \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         .summary = "coefficients of sines, as cos_coef"},                                     \
        {PE_FIELD(struct fope, norm), .type = PE_BOOL,                                         \
         .summary = "divide every column of coefficients by its sum"},                         \
    {                                                                                          \
        PE_FIELD(struct fope, pad), .type = PE_CHOICE, .choices = fope_pads,                   \
                                    .summary = "pairs beyond the coefficients"                 \
    }
#define FOPE_NAMES                                                                             \
    LADDER_NAMES, "pos", "heads", "num_inv_freq", "max_pos", "cos_coef", "sin_coef", "norm",   \
        "pad"

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
