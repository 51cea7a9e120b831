/* SPDX-License-Identifier: Apache-2.0
 * circle_plane.h - the patches of an image on a circle around the axis (1, 1, 1). */
#pragma once

#include "core/encoding.h"
#include "core/math/number/dd.h"

/* The image and the circle. The radius is NaN where it is scale times the largest
 * coordinate. */
struct circle_plane {
    uint64_t rows, cols;
    double radius, scale;
    double alpha; /* share of the patch's own angle; the rest is that of its number */
    double flat;  /* share of the patch's own place in the plane (dff_rate) */
    double offset;
    bool to_origin, to_positive;
};

/* Writes the coordinates of every patch: ids[axis * stride + patch], axes time, height, width.
 * Returns the largest of them in *high. Returns false when stopped or out of memory. */
bool circle_plane_fill(struct pe_build *build, const struct circle_plane *plane, struct dd *ids,
                       uint64_t stride, struct dd *high);
