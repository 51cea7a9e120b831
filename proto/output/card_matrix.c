/* SPDX-License-Identifier: Apache-2.0
 * card_matrix.c - see card_matrix.h. */
#include "proto/output/card_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/picture_values.h"
#include "proto/pictures/figure_axis.h"

enum { HATCH = 7 }; /* pixels from one stripe of masked cells to the next */

/* A mean counts the cells that one pixel shows, by what they are. */
struct mean {
    double sum; /* of the indices of values */
    uint32_t values, masked, gaps;
};

struct card_matrix {
    const struct pe_tensor_info *tensor;
    struct raster raster;
    struct colour_scale scale;
    bool has_masked;
    double *values;         /* of a block */
    unsigned char *indices; /* of a line of cells */
    struct mean *means;     /* of a line of pixels */
};

struct card_matrix *card_matrix_new(const struct encoder *encoder, unsigned width, double shape)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, 0);
    struct card_matrix *matrix = calloc(1, sizeof *matrix);

    if (!matrix)
        return NULL;
    matrix->tensor = tensor;
    matrix->raster = raster_new(tensor, 1);
    raster_spread(&matrix->raster, shape);
    matrix->values =
        malloc(encoder_block_elements(encoder->plan, tensor) * sizeof *matrix->values);
    matrix->indices = malloc(matrix->raster.width);
    matrix->means = malloc(width * sizeof *matrix->means);
    if (matrix->values && matrix->indices && matrix->means)
        return matrix;
    card_matrix_free(matrix);
    return NULL;
}

void card_matrix_free(struct card_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->values);
    free(matrix->indices);
    free(matrix->means);
    free(matrix);
}

/* Returns the pixels of so many cells in the room: those of whole cells where they fill most of
 * it. */
static double fitted(uint64_t cells, double room)
{
    const double whole = floor(room / (double)cells) * (double)cells;

    return whole >= 0.8 * room ? whole : floor(room);
}

struct svg_box card_matrix_place(const struct card_matrix *matrix, struct svg_box room)
{
    const struct raster *raster = &matrix->raster;
    const size_t rank = matrix->tensor->rank;
    const bool square = raster->tiles > 1 ||
                        (rank > 1 && figure_axis_alike(matrix->tensor, rank - 2, rank - 1));
    struct svg_box box = room;

    box.width = fitted(raster->width, room.width);
    box.height = fitted(raster->height, room.height);
    if (square) {
        const double side =
            fmin(box.width / (double)raster->width, box.height / (double)raster->height);

        box.width = fmax(floor(side * (double)raster->width), 1);
        box.height = fmax(floor(side * (double)raster->height), 1);
    }
    box.left += floor((room.width - box.width) / 2);
    return box;
}

uint64_t card_matrix_begin(struct encoder *encoder, struct card_matrix *matrix)
{
    const struct option_values *options = &encoder->options.values;
    const struct colour_map *map = picture_map(matrix->tensor, options);
    const double masked = picture_values_masked(encoder->plan, matrix->tensor->dtype);
    struct colour_range range = picture_values_range(options);
    uint64_t beyond = 0;

    if (map->kind != COLOUR_MAP_KIND_TRUTH)
        beyond = picture_values_scan(encoder, 0, masked, matrix->values, &range);
    matrix->scale = colour_scale_new(map, &range, masked);
    return beyond;
}

/* Reads line y of cells, with the gaps between tiles. */
static void read_line(struct encoder *encoder, struct card_matrix *matrix, uint64_t y)
{
    const struct raster *raster = &matrix->raster;

    memset(matrix->indices, COLOUR_GAP, raster->width);
    for (uint64_t i = 0; i < raster->across; i++) {
        const uint64_t row = raster_row(raster, y, i);
        unsigned char *indices = matrix->indices + i * (raster->cols + raster->gap);

        for (uint64_t col = 0; row != UINT64_MAX && col < raster->cols;) {
            const size_t got = picture_values_read(encoder, 0, row * raster->cols + col,
                                                   raster->cols - col, matrix->values);

            colour_scale_indices(&matrix->scale, matrix->values, got, indices + col);
            col += got;
        }
    }
}

/* Adds the line of cells to the means of a line of pixels. */
static void add_line(struct card_matrix *matrix, size_t width)
{
    for (size_t x = 0; x < width; x++) {
        const uint64_t from = x * matrix->raster.width / width;
        const uint64_t to = (x + 1) * matrix->raster.width / width;
        struct mean *mean = &matrix->means[x];

        for (uint64_t at = from; at < to || at == from; at++) {
            const unsigned char index = matrix->indices[at];

            mean->values += index < COLOUR_MAP_STEPS;
            mean->sum += index < COLOUR_MAP_STEPS ? index : 0;
            mean->masked += index == COLOUR_MASKED;
            mean->gaps += index == COLOUR_GAP;
        }
    }
}

/* Writes a line of pixels of what most of their cells are. */
static void write_line(struct card_matrix *matrix, unsigned char *pixels, size_t width,
                       size_t y)
{
    for (size_t x = 0; x < width; x++) {
        const struct mean *mean = &matrix->means[x];
        unsigned char index = COLOUR_GAP;

        if (mean->values >= mean->masked && mean->values >= mean->gaps)
            index = (unsigned char)lround(mean->sum / mean->values);
        else if (mean->masked >= mean->gaps)
            index = (x + y) % HATCH == 0 ? COLOUR_HATCH : COLOUR_MASKED;
        matrix->has_masked |= mean->masked > 0;
        pixels[x] = canvas_of_value(index);
    }
}

void card_matrix_draw(struct encoder *encoder, struct card_matrix *matrix,
                      struct canvas *canvas, struct svg_box box)
{
    const uint64_t rows = matrix->raster.height;
    const size_t width = (size_t)box.width, height = (size_t)box.height;
    uint64_t held = UINT64_MAX; /* the line of cells that was read */

    for (size_t y = 0; y < height && !encoder_is_stopped(encoder); y++) {
        const uint64_t from = y * rows / height, to = (y + 1) * rows / height;
        unsigned char *pixels =
            canvas->pixels + ((size_t)box.top + y) * canvas->width + (size_t)box.left;

        memset(matrix->means, 0, width * sizeof *matrix->means);
        for (uint64_t row = from; row < to || row == from; row++) {
            if (row != held)
                read_line(encoder, matrix, row);
            held = row;
            add_line(matrix, width);
        }
        write_line(matrix, pixels, width, y);
    }
    encoder->failed |= encoder_is_stopped(encoder);
}

const struct raster *card_matrix_raster(const struct card_matrix *matrix)
{
    return &matrix->raster;
}

const struct colour_scale *card_matrix_scale(const struct card_matrix *matrix)
{
    return &matrix->scale;
}

bool card_matrix_has_masked(const struct card_matrix *matrix)
{
    return matrix->has_masked;
}
