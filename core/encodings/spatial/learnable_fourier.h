/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier.h - arguments of learnable-fourier and their angles, for its files. */
#ifndef PE_ENCODINGS_LEARNABLE_FOURIER_H
#define PE_ENCODINGS_LEARNABLE_FOURIER_H

#include "core/encodings/spatial/spatial.h"
#include "core/encodings/spatial/spatial_columns.h"

/* Outputs, and groups. */
enum {
    LEARNABLE_FOURIER_COS,
    LEARNABLE_FOURIER_SIN,
    LEARNABLE_FOURIER_ANGLES,
    LEARNABLE_FOURIER_FEATURES,
    LEARNABLE_FOURIER_ROWS,
};

struct learnable_fourier {
    struct spatial spatial; /* learnable-fourier/apply */
    struct pe_reals coords, wr, size, w1, b1, w2, b2;
    int width;
};

/* Rows of what decides the angles. */
#define LEARNABLE_FOURIER_ROWS_ANGLES                                                          \
    SPATIAL_COLUMNS_ROW_COORDS(struct learnable_fourier),                                      \
        {PE_FIELD(struct learnable_fourier, wr),                                               \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .required = true,                                                                     \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         .unit = "radians",                                                                    \
         .summary = "Wr: a row a pair, a column a coordinate: 1,0;0,2"},                       \
    {                                                                                          \
        PE_FIELD(struct learnable_fourier, size), .type = PE_REALS, .min = 1e-18,              \
                                                  .max = 0x1p51,                               \
                                                  .summary = "width and height of the "        \
                                                             "keypoints' image, 640,480: "     \
                                                             "normalizes"                      \
    }
#define LEARNABLE_FOURIER_NAMES "coords", "wr", "size"

/* Their rules. */
void learnable_fourier_check(const struct learnable_fourier *values, struct pe_errors *errors);
/* The keypoints; with size, two numbers a coordinate. */
struct axes_points learnable_fourier_points(const struct learnable_fourier *values);
/* Wr with a row a number of these points; NULL: out of memory. */
double *learnable_fourier_matrix(struct pe_build *build,
                                 const struct learnable_fourier *values);

/* Fill the group of rows: the network of these features. False when out of memory. */
bool learnable_fourier_network(struct pe_build *build, const struct learnable_fourier *values,
                               const struct axes_columns *features);

#endif
