/* SPDX-License-Identifier: Apache-2.0
 * png.c - draws one tensor as a PNG picture. The first read computes all numbers once, for
 * their range, if the request does not give it; the lines of pixels are then made from numbers
 * that are computed again, so that a picture of any size takes the memory of a few lines. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/encoder.h"
#include "proto/output/picture_check.h"
#include "proto/pictures/colour_scale.h"
#include "proto/pictures/png_writer.h"
#include "proto/pictures/raster.h"

enum { HATCH = 6, WARNING_SIZE = 160 }; /* pixels from one stripe to the next; bytes */

struct png {
    const struct pe_tensor_info *tensor;
    struct raster raster;
    struct colour_scale scale;
    struct png_writer *writer;
    bool bits; /* a bit a pixel: truth values without tiles */
    bool begun, ended;
    uint64_t y;     /* lines written */
    uint64_t row;   /* the row that `indices` has; of the tile 0 of its line; UINT64_MAX */
    double *values; /* a part of a row */
    unsigned char *indices, *pixels; /* of a line, in cells and in pixels */
    char warning[WARNING_SIZE];
};

/* Returns the number that masked elements hold in the tensor's dtype: that of mask_value=, or
 * the lowest number; NAN where the dtype is one of whole numbers. */
static double masked_of(const struct pe_plan *plan)
{
    const struct pe_args *args = pe_plan_args(plan);
    const enum pe_dtype dtype = pe_plan_tensor(plan, 0)->dtype;
    double number = pe_dtype_lowest(dtype);
    unsigned char held[8];

    if (dtype > PE_BF16)
        return NAN;
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const struct pe_value *value = pe_args_value(args, i);

        if (strcmp(value->name, "mask_value") == 0)
            number = strcmp(value->text, "min") == 0 ? pe_dtype_lowest(dtype)
                                                     : strtod(value->text, NULL);
    }
    pe_dtype_from_f64(dtype, held, &number, 1);
    pe_dtype_to_f64(dtype, &number, held, 1);
    return number;
}

static bool is_stopped(const struct encoder *encoder)
{
    return encoder->stop && pe_stop_is_set(encoder->stop);
}

/* Computes a part of a row as doubles; returns the number of elements. */
static size_t read_values(struct encoder *encoder, struct png *png, uint64_t at, uint64_t count)
{
    const size_t block = encoder_block_elements(encoder->plan, png->tensor);
    size_t got =
        encoder_fill(encoder, 0, at, count < block ? (size_t)count : block, encoder->block);

    pe_dtype_to_f64(png->tensor->dtype, png->values, encoder->block, got);
    return got;
}

/* Reads all numbers: finds their range, or how many of them are beyond a given one. */
static uint64_t scan(struct encoder *encoder, struct png *png, double masked, bool given,
                     struct colour_range *range)
{
    const uint64_t elements = encoder_elements(png->tensor);
    uint64_t beyond = 0;

    for (uint64_t at = 0; at < elements && !is_stopped(encoder);) {
        size_t got = read_values(encoder, png, at, elements - at);

        if (given)
            beyond += colour_range_beyond(range, masked, png->values, got);
        else
            colour_range_add(range, masked, png->values, got);
        at += got;
    }
    return beyond;
}

static void warn(struct encoder *encoder, struct png *png, uint64_t beyond)
{
    char range[OPTION_TEXT_SIZE];

    snprintf(png->warning, sizeof png->warning,
             "%" PRIu64 " of %" PRIu64 " numbers are beyond range=%s and have the colour of "
             "its end",
             beyond, encoder_elements(png->tensor),
             option_print(&encoder->options.values, OPTION_RANGE, range));
    encoder->warning = png->warning;
}

static const struct colour_map *map_of(const struct pe_tensor_info *tensor,
                                       const struct option_values *options)
{
    const int64_t chosen = options->value[OPTION_CMAP];

    return colour_map_at(chosen == 0 ? colour_map_of(tensor->output, tensor->dtype)
                                     : (enum colour_map_id)(chosen - 1));
}

static bool begin_picture(struct encoder *encoder, struct png *png)
{
    const struct option_values *options = &encoder->options.values;
    const struct colour_map *map = map_of(png->tensor, options);
    const double masked = masked_of(encoder->plan);
    uint32_t colours[COLOUR_COUNT];
    struct colour_range range = colour_range_new();
    uint64_t beyond = 0;

    if (options->has_range)
        range = (struct colour_range){options->range[0], options->range[1]};
    if (map->kind != COLOUR_MAP_KIND_TRUTH)
        beyond = scan(encoder, png, masked, options->has_range, &range);
    if (beyond > 0)
        warn(encoder, png, beyond);
    png->scale = colour_scale_new(map, &range, masked);
    colour_map_write(map, colours);
    if (png->bits)
        colours[1] = colours[COLOUR_MAP_STEPS - 1];
    png->begun = true;
    return !is_stopped(encoder) && png_writer_begin(png->writer, colours);
}

/* Reads the cells of a row of the tensor into its place of the line. */
static void read_cells(struct encoder *encoder, struct png *png, uint64_t row,
                       unsigned char *indices)
{
    const uint64_t cols = png->raster.cols;

    for (uint64_t col = 0; col < cols;) {
        size_t got = read_values(encoder, png, row * cols + col, cols - col);

        colour_scale_indices(&png->scale, png->values, got, indices + col);
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
static void make_line(struct encoder *encoder, struct png *png)
{
    const struct raster *raster = &png->raster;
    const uint64_t tile = raster->cols * raster->cell;
    const uint64_t first = raster_row(raster, png->y, 0);
    const bool again = first != UINT64_MAX && first == png->row;

    png->row = first;
    memset(png->pixels, COLOUR_GAP, raster->width);
    for (uint64_t i = 0; i < raster->across; i++) {
        const uint64_t row = raster_row(raster, png->y, i), x = i * (tile + raster->gap);
        unsigned char *indices = png->indices + i * raster->cols;

        if (row == UINT64_MAX)
            continue;
        if (!again)
            read_cells(encoder, png, row, indices);
        write_cells(raster, indices, x, png->y, png->pixels + x);
    }
}

/* Reads a line of truth values, whose cells are pixels, as bytes of 0 and 1. */
static void read_truths(struct encoder *encoder, struct png *png)
{
    const uint64_t cols = png->raster.cols;

    for (uint64_t col = 0; col < cols;) {
        const uint64_t at = png->y * cols + col;
        const size_t block = encoder_block_elements(encoder->plan, png->tensor);
        const size_t some = cols - col < block ? (size_t)(cols - col) : block;
        const size_t got = encoder_fill(encoder, 0, at, some, encoder->block);

        memcpy(png->pixels + col, encoder->block, got);
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

static bool write_line(struct encoder *encoder, struct png *png)
{
    if (png->bits && png->raster.cell == 1)
        read_truths(encoder, png);
    else
        make_line(encoder, png);
    for (uint64_t i = 0; png->bits && png->raster.cell > 1 && i < png->raster.width; i++)
        png->pixels[i] = png->pixels[i] != 0;
    if (png->bits)
        pack(png->pixels, png->raster.width);
    png->y++;
    return png_writer_line(png->writer, png->pixels);
}

static size_t png_read_bytes(struct encoder *encoder, char *out, size_t capacity)
{
    struct png *png = encoder->state;

    encoder->failed |= !png->begun && !begin_picture(encoder, png);
    while (!encoder->failed && png->y < png->raster.height &&
           png_writer_pending(png->writer) < capacity &&
           png_writer_pending(png->writer) <= PNG_WRITER_PENDING)
        encoder->failed = is_stopped(encoder) || !write_line(encoder, png);
    if (!encoder->failed && png->y == png->raster.height && !png->ended) {
        encoder->failed = !png_writer_end(png->writer);
        png->ended = true;
    }
    if (encoder->failed)
        return 0;
    return png_writer_take(png->writer, out, capacity);
}

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    const struct option_values *options = &request_options(request)->values;

    if (options->has_range &&
        map_of(pe_plan_tensor(plan, 0), options)->kind == COLOUR_MAP_KIND_TRUTH)
        return pe_fail(errors, PE_CONFLICT, "range",
                       "has no effect on truth values; leave it out, or give another cmap");
    return picture_check(plan, format_png.name, (unsigned)options->value[OPTION_CELL], errors);
}

static enum pe_status begin(struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, 0);
    struct png *png = calloc(1, sizeof *png);

    if (!png)
        return PE_NO_MEMORY;
    encoder->state = png;
    png->tensor = tensor;
    png->row = UINT64_MAX;
    png->raster = raster_new(tensor, (unsigned)encoder->options.values.value[OPTION_CELL]);
    png->bits = tensor->dtype == PE_BOOL8 && png->raster.tiles == 1 &&
                encoder->options.values.value[OPTION_CMAP] <= 0;
    png->writer = png_writer_new((uint32_t)png->raster.width, (uint32_t)png->raster.height,
                                 png->bits ? 1 : 8);
    png->values = malloc(encoder_block_elements(encoder->plan, tensor) * sizeof *png->values);
    png->indices = malloc(png->raster.across * png->raster.cols);
    png->pixels = calloc(png->raster.width + 8, 1);
    return png->writer && png->values && png->indices && png->pixels ? PE_OK : PE_NO_MEMORY;
}

static void end(struct encoder *encoder)
{
    struct png *png = encoder->state;

    if (!png)
        return;
    png_writer_free(png->writer);
    free(png->values);
    free(png->indices);
    free(png->pixels);
    free(png);
}

static uint64_t size(const struct encoder *encoder)
{
    return FORMAT_UNKNOWN;
}

static const char *const accepts[] = {"image/png", NULL};

const struct format format_png = {
    .name = "png",
    .media_type = "image/png",
    .accepts = accepts,
    .extension = "png",
    .summary = "a picture of one tensor: a cell an element, colours by value",
    .wire_version = 1,
    .wire_tag = PNG_WRITER_TAG,
    .single = true,
    .picture = true,
    .check = check,
    .size = size,
    .read = png_read_bytes,
    .begin = begin,
    .end = end,
};
