/* SPDX-License-Identifier: Apache-2.0
 * rotation_profile.c - the sequence of roundings of the training frameworks (CATALOGUE 0.7):
 * the angle by float32 or double operations, its sine and cosine correctly rounded. */
#include "core/math/rotation_profile.h"

#include <assert.h>

/* ---- angles -------------------------------------------------------------------------- */

typedef void angle_row(const struct rotation *rotation, size_t first, size_t count,
                       double position, double *angles);

static void times_row(const struct rotation *rotation, size_t first, size_t count,
                      double position, double *angles)
{
    for (size_t j = 0; j < count; j++) {
        const float angle = (float)position * rotation->f32[first + j];
        angles[j] = (double)angle;
    }
}

static void over_row(const struct rotation *rotation, size_t first, size_t count,
                     double position, double *angles)
{
    for (size_t j = 0; j < count; j++) {
        const float angle = (float)position / rotation->f32[first + j];
        angles[j] = (double)angle;
    }
}

/* ggml multiplies its way along the row, so a piece of it starts from the first pair. */
static void chain_row(const struct rotation *rotation, size_t first, size_t count,
                      double position, double *angles)
{
    const struct rotation_chain *chain = rotation->chain;
    const float ratio = rotation->f32[0];
    float theta = (float)position;
    for (size_t i = 0; i < first + count; i++, theta *= ratio) {
        if (i < first)
            continue;
        const float whole = chain->factors == NULL ? theta : theta / chain->factors[i];
        float angle = chain->scale * whole;
        if (chain->mix != NULL) {
            const float rest = 1.0f - chain->mix[i];
            const float interpolated = angle * rest, kept = whole * chain->mix[i];
            angle = interpolated + kept;
        }
        angles[i - first] = (double)angle;
    }
}

static void double_row(const struct rotation *rotation, size_t first, size_t count,
                       double position, double *angles)
{
    for (size_t j = 0; j < count; j++)
        angles[j] = position * rotation->f64[first + j];
}

static angle_row *const angle_rows[] = {
    [ROTATION_F32_TIMES] = times_row,
    [ROTATION_F32_OVER] = over_row,
    [ROTATION_F32_CHAIN] = chain_row,
    [ROTATION_F64] = double_row,
};

/* ---- waves --------------------------------------------------------------------------- */

static double round_f32(const struct rotation *rotation, double wave)
{
    float value = (float)wave;
    if (rotation->amplitude != 1)
        value *= (float)rotation->amplitude;
    wave = (double)value;
    if (rotation->bf16) {
        uint16_t brain;
        pe_dtype_from_f64(PE_BF16, &brain, &wave, 1);
        pe_dtype_to_f64(PE_BF16, &wave, &brain, 1);
    }
    return wave;
}

void rotation_profile_row(const struct rotation *rotation, size_t first, size_t count,
                          double position, double *sine, double *cosine)
{
    assert(rotation->angle != ROTATION_EXACT);
    angle_rows[rotation->angle](rotation, first, count, position, sine);
    for (size_t j = 0; j < count; j++) {
        phase_sincos_at(&phase_radian, sine[j], &sine[j], &cosine[j]);
        if (rotation->angle == ROTATION_F64) {
            sine[j] *= rotation->amplitude;
            cosine[j] *= rotation->amplitude;
        } else {
            sine[j] = round_f32(rotation, sine[j]);
            cosine[j] = round_f32(rotation, cosine[j]);
        }
    }
}
