/* SPDX-License-Identifier: Apache-2.0
 * xpos.h - the arguments of xPos, for its tables and for its vectors. */
#pragma once

#include "core/encodings/rotary/ladder.h"
#include "core/encodings/rotary/vectors.h"
#include "core/math/number/elementary.h"

struct xpos {
    struct ladder ladder;
    const struct pe_positions *pos;
    double scale_base, zeta_gamma;
    int64_t centre_len;
    int centre, pairing;
    bool downscale;
    struct vectors vectors;
};
_Static_assert(offsetof(struct xpos, ladder) == 0, "ladder_first hooks read it there");

extern const struct pe_choice xpos_centres[];

/* Declares the parameters of the tables and of the vectors, except the ladder's. */
#define XPOS_ROWS                                                                              \
    PE_ROW_POS(struct xpos, true),                                                             \
        {PE_FIELD(struct xpos, scale_base),                                                    \
         .type = PE_REAL,                                                                      \
         .min = 1e-3,                                                                          \
         .max = 1e18,                                                                          \
         .preset = 512,                                                                        \
         PE_OWN("torchscale", FREQUENCIES, BASIC),                                             \
         .summary =                                                                            \
             "number of positions over which the scale of a pair changes by its factor zeta"}, \
        {PE_FIELD(struct xpos, zeta_gamma),                                                    \
         .type = PE_REAL,                                                                      \
         .above_min = true,                                                                    \
         .max = 1e6,                                                                           \
         .preset = 0.4,                                                                        \
         PE_OWN("Sun et al. 2022", FREQUENCIES, ADVANCED),                                     \
         .summary = "smoothing of the factors zeta (gamma of the paper)"},                     \
        {PE_FIELD(struct xpos, centre), .type = PE_CHOICE, .choices = xpos_centres,            \
         PE_OWN("posenc", CONVENTION, BASIC),                                                  \
         .summary = "position at which all scales are 1"},                                     \
        {PE_FIELD(struct xpos, centre_len),                                                    \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .min = 0,                                                                             \
         .max = 0x1p53,                                                                        \
         .when = "!centre=none",                                                               \
         PE_OWN("posenc", POSITIONS, ADVANCED),                                                \
         .summary =                                                                            \
             "length whose centre is meant, cached tokens included; largest position + 1 by "  \
             "default"},                                                                       \
    {                                                                                          \
        PE_FIELD(struct xpos, downscale),                                                      \
            .type = PE_BOOL, PE_OWN("torchscale", CONVENTION, BASIC),                          \
            .summary = "divide by the scale, as keys need, in place of multiplying"            \
    }
#define XPOS_NAMES LADDER_NAMES, "pos", "scale_base", "zeta_gamma", "centre", "centre_len"

/* Makes the rotation and the scales of positions (1 / scale if over), in the build's memory;
 * NULL when out of memory. */
struct xpos_scaled;
struct xpos_scaled *xpos_scaled_new(struct pe_build *build, const struct xpos *xpos, bool over);
/* Computes one row of scaled cosines and sines of all pairs. */
void xpos_row(const struct xpos_scaled *scaled, double position, double *cosine, double *sine);
/* Replaces the factor A of the rotation by 1/A. */
void xpos_invert(struct xpos_scaled *scaled);

/* The hooks that both descriptors share. */
void xpos_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void xpos_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
double xpos_plan_ns(const struct pe_args *args, const void *values);
/* Notes the facts and warnings of both descriptors. */
void xpos_note(struct pe_build *build, const struct xpos *xpos);
