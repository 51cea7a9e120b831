/* SPDX-License-Identifier: Apache-2.0
 * rotation_profile.c - repeats the roundings of the training frameworks: the angle by float32
 * or double operations, its sine and cosine correctly rounded. */
#include "core/math/rotation/rotation_profile.h"

#include <assert.h>
#include <math.h>

#include "core/math/trig/phase_row.h"

enum { CHUNK = 64 }; /* angles that are computed at a time */

/* ---- float32 angles ------------------------------------------------------------------ */

typedef void angle_row(const struct rotation *rotation, size_t first, size_t count,
                       float position, float *angles);

static void times_row(const struct rotation *rotation, size_t first, size_t count,
                      float position, float *angles)
{
    for (size_t j = 0; j < count; j++)
        angles[j] = position * rotation->f32[first + j];
}

static void over_row(const struct rotation *rotation, size_t first, size_t count,
                     float position, float *angles)
{
    for (size_t j = 0; j < count; j++)
        angles[j] = position / rotation->f32[first + j];
}

/* Apply divisors of the angle, where the factor of a scaling is not in the frequencies. */
static void divide_row(const struct rotation *rotation, size_t first, size_t count,
                       float *angles)
{
    for (size_t j = 0; rotation->divide && j < count; j++)
        angles[j] = angles[j] / rotation->divide[first + j];
}

static float stretched(const struct rotation *rotation, double position)
{
    return rotation->stretch == 0 ? (float)position : (float)position / rotation->stretch;
}

float rotation_profile_angle(const struct rotation *rotation, size_t pair, double position)
{
    const float at = stretched(rotation, position), by = rotation->f32[pair];
    float angle = rotation->angle == ROTATION_F32_TIMES ? at * by : at / by;

    divide_row(rotation, pair, 1, &angle);
    return angle;
}

/* Computes angles as ggml does, by repeated multiplication, so that a part of a row starts from
 * its first pair. */
static void chain_row(const struct rotation *rotation, size_t first, size_t count,
                      float position, float *angles)
{
    const struct rotation_chain *chain = rotation->chain;
    const float ratio = rotation->f32[0];
    float theta = position;

    for (size_t i = 0; i < first + count; i++, theta *= ratio) {
        if (i < first)
            continue;
        const float whole = !chain->factors ? theta : theta / chain->factors[i];
        float angle = chain->scale * whole;
        if (chain->mix) {
            const float rest = 1.0f - chain->mix[i];
            const float interpolated = angle * rest, kept = whole * chain->mix[i];

            angle = interpolated + kept;
        }
        angles[i - first] = angle;
    }
}

static angle_row *const angle_rows[] = {
    [ROTATION_F32_TIMES] = times_row,
    [ROTATION_F32_OVER] = over_row,
    [ROTATION_F32_CHAIN] = chain_row,
};

static void f32_angles(const struct rotation *rotation, size_t first, size_t count,
                       double position, float *angles)
{
    angle_rows[rotation->angle](rotation, first, count, stretched(rotation, position), angles);
    divide_row(rotation, first, count, angles);
}

void rotation_profile_angles(const struct rotation *rotation, size_t first, size_t count,
                             double position, double *angles)
{
    float row[CHUNK];

    assert(rotation->angle != ROTATION_EXACT);
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t left = count - start, chunk = left < CHUNK ? left : CHUNK;

        if (rotation->angle != ROTATION_F64)
            f32_angles(rotation, first + start, chunk, position, row);
        for (size_t j = 0; j < chunk; j++)
            angles[start + j] = rotation->angle == ROTATION_F64
                                    ? position * rotation->f64[first + start + j]
                                    : (double)row[j];
    }
}

/* ---- waves --------------------------------------------------------------------------- */

static double round_f32(const struct rotation *rotation, double wave)
{
    /* a product with 1 changes nothing */
    const float value = (float)wave * (float)rotation->amplitude;

    return (double)value;
}

static void round_bf16(double *waves, size_t count)
{
    uint16_t brains[CHUNK];

    pe_dtype_from_f64(PE_BF16, brains, waves, count);
    pe_dtype_to_f64(PE_BF16, waves, brains, count);
}

/* An angle beyond the range of float32 has no sine, as in the frameworks. */
static void f32_row(const struct rotation *rotation, size_t first, size_t count,
                    double position, double *sine, double *cosine)
{
    float angles[CHUNK];
    bool beyond[CHUNK];

    f32_angles(rotation, first, count, position, angles);
    for (size_t j = 0; j < count; j++) {
        beyond[j] = !isfinite(angles[j]);
        angles[j] = beyond[j] ? 0 : angles[j];
    }
    phase_row_radians(angles, count, sine, cosine);
    for (size_t j = 0; j < count; j++) {
        sine[j] = beyond[j] ? NAN : round_f32(rotation, sine[j]);
        cosine[j] = beyond[j] ? NAN : round_f32(rotation, cosine[j]);
    }
    if (rotation->bf16) {
        round_bf16(sine, count);
        round_bf16(cosine, count);
    }
}

static void f64_row(const struct rotation *rotation, size_t first, size_t count,
                    double position, double *sine, double *cosine)
{
    for (size_t j = 0; j < count; j++) {
        const double angle = position * rotation->f64[first + j];

        if (fabs(angle) >= 0x1p127) { /* the angle is beyond the range of phase_at */
            sine[j] = cosine[j] = NAN;
            continue;
        }
        phase_sincos_at(&phase_radian, angle, &sine[j], &cosine[j]);
        sine[j] *= rotation->amplitude;
        cosine[j] *= rotation->amplitude;
    }
}

void rotation_profile_row(const struct rotation *rotation, size_t first, size_t count,
                          double position, double *sine, double *cosine)
{
    assert(rotation->angle != ROTATION_EXACT);
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t left = count - start, chunk = left < CHUNK ? left : CHUNK;

        if (rotation->angle == ROTATION_F64)
            f64_row(rotation, first + start, chunk, position, sine + start, cosine + start);
        else
            f32_row(rotation, first + start, chunk, position, sine + start, cosine + start);
    }
}
