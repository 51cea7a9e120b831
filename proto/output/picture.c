/* SPDX-License-Identifier: Apache-2.0
 * picture.c - draws one tensor as a PNG picture. All numbers are computed once for their range;
 * the lines of pixels are then made from numbers that are computed again, so that a picture of
 * any size takes the memory of a few lines. */
#include "proto/output/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/picture_values.h"
#include "proto/pictures/png_writer.h"

enum { HATCH = 6 }; /* pixels from one stripe to the next */

struct picture {
    const struct pe_tensor_info *tensor;
    size_t index; /* of the tensor in the plan */
    struct raster raster;
    struct colour_scale scale;
    struct png_writer *writer;
    bool bits; /* a bit a pixel: truth values without tiles */
    bool ended;
    bool has_masked; /* a cell of a line that is written was masked */
    uint64_t y;      /* lines written */
    uint64_t row;    /* the row that `indices` has; of the tile 0 of its line; UINT64_MAX */
    double *values;  /* a part of a row */
    unsigned char *indices, *pixels; /* of a line, in cells and in pixels */
};

const struct colour_map *picture_map(const struct pe_tensor_info *tensor,
                                     const struct option_values *options)
{
    const int64_t chosen = options->value[OPTION_CMAP];

    return colour_map_at(chosen == 0 ? colour_map_of(tensor->output, tensor->dtype)
                                     : (enum colour_map_id)(chosen - 1));
}

void picture_begin(struct encoder *encoder, struct picture *picture, uint64_t *beyond)
{
    const struct option_values *options = &encoder->options.values;
    const struct colour_map *map = picture_map(picture->tensor, options);
    const double masked = picture_values_masked(encoder->plan, picture->tensor->dtype);
    uint32_t colours[COLOUR_COUNT];
    struct colour_range range = picture_values_range(options);

    if (map->kind != COLOUR_MAP_KIND_TRUTH)
        *beyond +=
            picture_values_scan(encoder, picture->index, masked, picture->values, &range);
    picture->scale = colour_scale_new(map, &range, masked);
    colour_map_write(map, colours);
    if (picture->bits)
        colours[1] = colours[COLOUR_MAP_STEPS - 1];
    encoder->failed |=
        encoder_is_stopped(encoder) || !png_writer_begin(picture->writer, colours);
}

void picture_warn(struct encoder *encoder, uint64_t beyond, uint64_t elements,
                  char text[PICTURE_WARNING_SIZE])
{
    char range[OPTION_TEXT_SIZE];

    snprintf(text, PICTURE_WARNING_SIZE,
             "%" PRIu64 " of %" PRIu64 " numbers are beyond range=%s and have the colour of "
             "its end",
             beyond, elements, option_print(&encoder->options.values, OPTION_RANGE, range));
    encoder->warning = text;
}

/* Reads the cells of a row of the tensor into its place of the line. */
static void read_cells(struct encoder *encoder, struct picture *picture, uint64_t row,
                       unsigned char *indices)
{
    const uint64_t cols = picture->raster.cols;

    for (uint64_t col = 0; col < cols;) {
        size_t got = picture_values_read(encoder, picture->index, row * cols + col, cols - col,
                                         picture->values);

        colour_scale_indices(&picture->scale, picture->values, got, indices + col);
        picture->has_masked |= memchr(indices + col, COLOUR_MASKED, got) != NULL;
        col += got;
    }
}

/* Writes the pixels of the cells of a row; those of masked cells are hatched. */
static void write_cells(const struct raster *raster, const unsigned char *indices, uint64_t x,
                        uint64_t y, unsigned char *pixels)
{
    const uint64_t width = raster->cols * raster->cell;

    if (raster->cell == 1)
        memcpy(pixels, indices, raster->cols);
    for (uint64_t col = 0; raster->cell > 1 && col < raster->cols; col++)
        memset(pixels + col * raster->cell, indices[col], raster->cell);
    for (uint64_t i = (HATCH - (x + y) % HATCH) % HATCH; i < width; i += HATCH)
        if (pixels[i] == COLOUR_MASKED)
            pixels[i] = COLOUR_HATCH;
}

/* Makes line y of pixels, a byte each. */
static void make_line(struct encoder *encoder, struct picture *picture)
{
    const struct raster *raster = &picture->raster;
    const uint64_t tile = raster->cols * raster->cell;
    const uint64_t first = raster_row(raster, picture->y, 0);
    const bool again = first != UINT64_MAX && first == picture->row;

    picture->row = first;
    memset(picture->pixels, COLOUR_GAP, raster->width);
    for (uint64_t i = 0; i < raster->across; i++) {
        const uint64_t row = raster_row(raster, picture->y, i), x = i * (tile + raster->gap);
        unsigned char *indices = picture->indices + i * raster->cols;

        if (row == UINT64_MAX)
            continue;
        if (!again)
            read_cells(encoder, picture, row, indices);
        write_cells(raster, indices, x, picture->y, picture->pixels + x);
    }
}

/* Reads a line of truth values, whose cells are pixels, as bytes of 0 and 1. */
static void read_truths(struct encoder *encoder, struct picture *picture)
{
    const uint64_t cols = picture->raster.cols;

    for (uint64_t col = 0; col < cols;) {
        const uint64_t at = picture->y * cols + col;
        const size_t block = encoder_block_elements(encoder->plan, picture->tensor);
        const size_t some = cols - col < block ? (size_t)(cols - col) : block;
        const size_t got = encoder_fill(encoder, picture->index, at, some, encoder->block);

        memcpy(picture->pixels + col, encoder->block, got);
        col += got;
    }
}

/* Packs the line's bytes in place, eight a byte. Each byte is 0 or, after its lowest bit is
 * kept, 1; the product moves these to the highest byte, the first one highest. */
static void pack(unsigned char *pixels, uint64_t width)
{
    for (uint64_t i = 0; i < width; i += 8) {
        uint64_t bytes;

        memcpy(&bytes, pixels + i, sizeof bytes);
        bytes &= UINT64_C(0x0101010101010101);
        pixels[i / 8] = (unsigned char)(bytes * UINT64_C(0x8040201008040201) >> 56);
    }
}

static bool write_line(struct encoder *encoder, struct picture *picture)
{
    if (picture->bits && picture->raster.cell == 1)
        read_truths(encoder, picture);
    else
        make_line(encoder, picture);
    for (uint64_t i = 0; picture->bits && picture->raster.cell > 1 && i < picture->raster.width;
         i++)
        picture->pixels[i] = picture->pixels[i] != 0;
    if (picture->bits)
        pack(picture->pixels, picture->raster.width);
    picture->y++;
    return png_writer_line(picture->writer, picture->pixels);
}

size_t picture_read(struct encoder *encoder, struct picture *picture, char *out,
                    size_t capacity)
{
    while (!encoder->failed && picture->y < picture->raster.height &&
           png_writer_pending(picture->writer) < capacity &&
           png_writer_pending(picture->writer) <= PNG_WRITER_PENDING)
        encoder->failed = encoder_is_stopped(encoder) || !write_line(encoder, picture);
    if (!encoder->failed && picture->y == picture->raster.height && !picture->ended) {
        encoder->failed = !png_writer_end(picture->writer);
        picture->ended = true;
    }
    return encoder->failed ? 0 : png_writer_take(picture->writer, out, capacity);
}

struct picture *picture_new(const struct encoder *encoder, size_t index, unsigned cell)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, index);
    struct picture *picture = calloc(1, sizeof *picture);

    if (!picture)
        return NULL;
    picture->tensor = tensor;
    picture->index = index;
    picture->row = UINT64_MAX;
    picture->raster = raster_new(tensor, cell);
    picture->bits = tensor->dtype == PE_BOOL8 && picture->raster.tiles == 1 &&
                    encoder->options.values.value[OPTION_CMAP] <= 0;
    picture->writer = png_writer_new((uint32_t)picture->raster.width,
                                     (uint32_t)picture->raster.height, picture->bits ? 1 : 8);
    picture->values =
        malloc(encoder_block_elements(encoder->plan, tensor) * sizeof *picture->values);
    picture->indices = malloc(picture->raster.across * picture->raster.cols);
    picture->pixels = calloc(picture->raster.width + 8, 1);
    if (picture->writer && picture->values && picture->indices && picture->pixels)
        return picture;
    picture_free(picture);
    return NULL;
}

void picture_free(struct picture *picture)
{
    if (!picture)
        return;
    png_writer_free(picture->writer);
    free(picture->values);
    free(picture->indices);
    free(picture->pixels);
    free(picture);
}

const struct raster *picture_raster(const struct picture *picture)
{
    return &picture->raster;
}

const struct colour_scale *picture_scale(const struct picture *picture)
{
    return &picture->scale;
}

bool picture_has_masked(const struct picture *picture)
{
    return picture->has_masked;
}
