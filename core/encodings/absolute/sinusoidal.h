/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal.h - arguments of the sinusoidal encoding, and its outputs that are no rows. */
#pragma once

#include "core/encodings/absolute/combine.h"
#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"

enum { MEASURE_RAW, MEASURE_COSINE, MEASURE_EUCLIDEAN };
enum { LADDER_OPEN, LADDER_CLOSED };
enum { LAYOUT_INTERLEAVED, LAYOUT_INTERLEAVED_CS, LAYOUT_CONCAT, LAYOUT_CONCAT_CS };
enum { ODD_ERROR, ODD_EXTRA_SIN, ODD_ZERO_PAD, ODD_ZERO_LAST, ODD_CEIL_TRUNCATE };

/* Values of the words of amplitude, until they are resolved to numbers, which lie above 0. */
enum { SINUSOIDAL_UNIT_ROWS = -1, SINUSOIDAL_INVERSE_SQRT_DIM = -2 };

struct sinusoidal {
    struct combine combine; /* parameters of sinusoidal/apply */
    int64_t dim;
    const struct pe_positions *pos, *distance;
    double base, scale, granularity, amplitude, min_timescale, shift, context;
    int64_t padding_idx;
    int ladder, layout, odd, measure, profile, preset;
    bool allow_base_below_one;
};

/* The choices of parameters (sinusoidal_choices.c). */
extern const struct pe_word sinusoidal_amplitudes[];
extern const struct pe_choice sinusoidal_ladders[], sinusoidal_layouts[], sinusoidal_odds[],
    sinusoidal_measures[], sinusoidal_profiles[], sinusoidal_presets[];

/* Returns the number of frequencies: dim/2, rounded as `odd` says. */
size_t sinusoidal_pairs(const struct sinusoidal *s);
struct frequency_ladder sinusoidal_ladder(const struct sinusoidal *s);

/* Fills in the bands that cover the row's columns and returns their number. */
size_t sinusoidal_bands(const struct sinusoidal *s,
                        struct rotation_band bands[ROTATION_MAX_BANDS]);

/* Fills `group` with the matrix M of PE(p + shift) = M PE(p). */
void sinusoidal_shift_prepare(struct pe_build *build, size_t group, const struct sinusoidal *s,
                              const struct rotation_table *table);

/* Fills `group` with similarities: by `distance`, or of every two positions of `pos`. */
void sinusoidal_similarity_prepare(struct pe_build *build, size_t group,
                                   const struct sinusoidal *s,
                                   const struct rotation_table *table, bool by_distance);
