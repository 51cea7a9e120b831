/* SPDX-License-Identifier: Apache-2.0
 * swinv2.h - arguments of swinv2, and how its bias is filled. */
#ifndef PE_ENCODINGS_SWINV2_H
#define PE_ENCODINGS_SWINV2_H

#include "core/encodings/bias/window.h"
#include "core/math/number/elementary.h"

enum swinv2_mode { SWINV2_SWIN, SWINV2_CR };

struct swinv2 {
    struct pe_grid window, pretrained_window;
    int mode;
    struct pe_reals w1, b1, w2, b2;
};

/* Coordinate of an offset along an axis: 0 height, 1 width. */
struct dd swinv2_coordinate(const struct swinv2 *swinv2, int axis, int64_t offset);
/* What the bias takes, for plan_ns. */
double swinv2_bias_ns(const struct swinv2 *swinv2);
/* The shapes of the weights, and how much is to be computed. */
void swinv2_bias_check(const struct swinv2 *swinv2, struct pe_errors *errors);
/* (heads, q, k). False when out of memory. */
bool swinv2_bias_fill(struct pe_build *build, size_t group, const struct swinv2 *swinv2);

#endif
