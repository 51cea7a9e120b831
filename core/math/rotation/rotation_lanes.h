/* SPDX-License-Identifier: Apache-2.0
 * rotation_lanes.h - float32 in lanes: vectors of pairs, inlined into functions that are
 * compiled for a CPU path. */
#pragma once

#include "core/math/rotation/rotation_chunk.h"

enum { LANES = 8, STRIDE = 2 * LANES, GROUP = 8 /* GROUP: rows that are looked at together */ };
typedef double lanes_f64 __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float lanes_f32 __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float quad_f32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t lanes_i32 __attribute__((vector_size(4 * LANES)));

/* Vectors are passed by address, because the calling convention depends on the CPU path. */
#define LOAD(address) (*(const lanes_f64 *)(address))
#define ROUND(lanes) __builtin_convertvector(lanes, lanes_f32)

/* Constants for which a loop is compiled. */
struct form {
    enum rotation_layout layout;
    enum rotation_turn turn;
    bool eights; /* the CPU path interleaves eight float32 with eight; else four with four */
};

/* Stores x and y of LANES pairs alternately. */
INLINE void put_alternating(const lanes_f32 *x, const lanes_f32 *y, bool eights, float *out)
{
    const quad_f32 *a = (const quad_f32 *)x, *b = (const quad_f32 *)y;
    quad_f32 *quads = (quad_f32 *)out;

    if (eights) {
        lanes_f32 *to = (lanes_f32 *)out;

        to[0] = __builtin_shufflevector(*x, *y, 0, 8, 1, 9, 2, 10, 3, 11);
        to[1] = __builtin_shufflevector(*x, *y, 4, 12, 5, 13, 6, 14, 7, 15);
        return;
    }
    for (size_t i = 0; i < LANES / 4; i++) {
        quads[2 * i] = __builtin_shufflevector(a[i], b[i], 0, 4, 1, 5);
        quads[2 * i + 1] = __builtin_shufflevector(a[i], b[i], 2, 6, 3, 7);
    }
}

INLINE bool all_negative(const lanes_i32 *lanes)
{
    const uint64_t signs = UINT64_C(0x8000000080000000);
    uint64_t parts[LANES / 2], all = signs;

    memcpy(parts, lanes, sizeof parts);
    for (size_t i = 0; i < LANES / 2; i++)
        all &= parts[i];
    return all == signs;
}

/* ---- one job ----------------------------------------------------------------------------- */

/* Runs a job by the loop that fits it: `quarter` for two waves of float32 that are a quarter
 * turn apart, in lanes, eight at a time or not; otherwise chunk by chunk. The three arguments
 * are known where this is inlined. middles: elements near a rounding middle are marked as
 * well. */
INLINE void run_form(const struct rotation_job *job,
                     void (*quarter)(const struct rotation_job *job, struct form form),
                     bool eights, bool middles)
{
    const bool two = job->layout == ROTATION_TWO;

    if (job->dtype != PE_F32 && job->dtype != PE_F16)
        run_layout(job, PE_BF16, middles);
    else if (job->dtype == PE_F16)
        run_layout(job, PE_F16, middles);
    else if (job->layout == ROTATION_PLAIN || job->turn == ROTATION_ANY)
        run_layout(job, PE_F32, middles);
    else if (job->turn == ROTATION_QUARTER && two)
        quarter(job, (struct form){ROTATION_TWO, ROTATION_QUARTER, eights});
    else if (job->turn == ROTATION_QUARTER)
        quarter(job, (struct form){ROTATION_ALTERNATING, ROTATION_QUARTER, eights});
    else if (two)
        quarter(job, (struct form){ROTATION_TWO, ROTATION_MINUS_QUARTER, eights});
    else
        quarter(job, (struct form){ROTATION_ALTERNATING, ROTATION_MINUS_QUARTER, eights});
}
