/* SPDX-License-Identifier: Apache-2.0
 * rotation.h - tables of sines and cosines of position * frequency, in any column layout.
 *
 * Two roads, one truth. The direct road evaluates each element exactly (phase.h). The fast
 * road is angle addition from a table of fine rows (made by the direct road) and coarse rows
 * (by the direct road into scratch), followed by a pass that recomputes what came out near
 * zero by the direct road. float32, float16 and bfloat16 answers take the fast road when the
 * table has fine rows, the positions are whole and the angle is exact; all others take
 * the direct road. So the road, and with it the last bit of a double before it is rounded,
 * depends on the request alone: never on the rectangle, and on either road an element is a
 * function of its position, pair, wave and amplitude alone.
 * Sinusoids, RoPE, M-RoPE, 2-D and apply all fill through this file. */
#ifndef PE_MATH_ROTATION_H
#define PE_MATH_ROTATION_H

#include "core/encoding.h"
#include "core/math/trig/phase.h"

/* Frequencies and, when fine_rows > 0, the rows of positions 0 .. fine_rows-1. */
struct rotation_table {
    size_t pairs, fine_rows;     /* fine_rows: 0 or a power of two, at most 256 */
    struct phase_freq *freq;     /* [pairs] */
    double *fine_cos, *fine_sin; /* [fine_rows][pairs], or NULL */
    size_t bytes;                /* of the whole allocation */
};

struct frequency_ladder;

/* Rows from which a fine table pays; below it, with_fine = false is right. */
enum { ROTATION_FINE_FROM = 512 };

/* NULL when out of memory. with_fine: make the fine rows too (as many as fit in 2 MiB); it
 * must follow from the request, and be told apart by the encoding's table key. */
struct rotation_table *rotation_table_new(const struct frequency_ladder *ladder,
                                          bool with_fine);
/* What decides that table, for a table_key hook. */
size_t rotation_table_key(const struct frequency_ladder *ladder, bool with_fine, char *text,
                          size_t size);
/* The same from frequencies that `build` makes (false: out of memory). */
typedef bool rotation_frequencies(struct phase_freq *out, size_t pairs, const void *context);
struct rotation_table *rotation_table_of(size_t pairs, bool with_fine,
                                         rotation_frequencies *build, const void *context);
void rotation_table_free(void *table);

enum rotation_wave { ROTATION_COS, ROTATION_SIN, ROTATION_ZERO };

/* A run of columns of one output: column col + step*j shows `wave` of pair first + j. */
struct rotation_band {
    size_t slot; /* index into out[] */
    enum rotation_wave wave;
    size_t first, count;
    size_t col, step; /* step 1: adjoining, 2: every second column */
};

/* How an angle is made: exactly, or by the operations of a profile. The angle of a profile is
 * a float or a double, whose sine is then taken exactly and rounded to the profile's type. */
enum rotation_angle {
    ROTATION_EXACT,
    ROTATION_F32_TIMES, /* fl(fl(pos) * f32[i]) */
    ROTATION_F32_OVER,  /* fl(fl(pos) / f32[i]) */
    ROTATION_F32_CHAIN, /* ggml: t_0 = fl(pos), t_(i+1) = fl(t_i * f32[0]); the angle is then
                         * fl(fl(t_i / divide[i]) * scale[i]) blended: see rotation_chain */
    ROTATION_F64,       /* pos * f64[i] in double; sines rounded to double */
};

/* The rest of ggml's chain: e = t_i / factors[i] (unless NULL); x = scale * e; where mix is
 * given, x = fl(fl(x * fl(1 - mix[i])) + fl(e * mix[i])). */
struct rotation_chain {
    const float *factors, *mix;
    float scale;
};

enum { ROTATION_MAX_BANDS = 8, ROTATION_MAX_SLOTS = 4 };

struct rotation {
    const struct rotation_table *table;
    const struct pe_positions *pos; /* row r shows position number r */
    double amplitude;               /* multiplies every value; 1e-150 .. 1e150 in size */
    double zero_position;           /* the row of this position is all zeros; NaN: none */
    enum rotation_angle angle;
    const float *f32;    /* profiles of float32: cosines and sines are rounded to float32, times
                        * fl(amplitude) rounded again unless it is 1 */
    const double *f64;   /* ROTATION_F64 */
    float stretch;       /* ROTATION_F32_TIMES and _OVER: divides positions first; 0: not */
    const float *divide; /* the same: [i] divides the angle then; NULL: not */
    const struct rotation_chain *chain; /* ROTATION_F32_CHAIN */
    bool bf16;                          /* and rounded to bfloat16 once more (bf16-table) */
    size_t cols;                        /* columns of every output of the group */
    size_t band_count;                  /* bands do not overlap and cover every column */
    struct rotation_band bands[ROTATION_MAX_BANDS];
};

extern const struct pe_filler rotation_filler; /* state: struct rotation */

/* Waves of pairs first .. first+count-1 at a position, by the direct road; zeros at the zero
 * position. */
void rotation_row(const struct rotation *rotation, size_t first, size_t count, double position,
                  double *sine, double *cosine);

#endif
