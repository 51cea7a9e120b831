/* SPDX-License-Identifier: Apache-2.0
 * png.c - draws one tensor as a PNG picture. The first read computes all numbers once, for
 * their range, if the request does not give it; the lines of pixels are then made from numbers
 * that are computed again, so that a picture of any size takes the memory of a few lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/encoder.h"
#include "proto/pictures/colour_scale.h"
#include "proto/pictures/png_writer.h"
#include "proto/pictures/raster.h"

enum { HATCH = 6 }; /* pixels from one stripe to the next */

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

/* Computes a part of a row as doubles; returns the number of elements. */
static size_t read_values(struct encoder *encoder, struct png *png, uint64_t at, uint64_t count)
{
    const size_t block = encoder_block_elements(encoder->plan, png->tensor);
    size_t got =
        encoder_fill(encoder, 0, at, count < block ? (size_t)count : block, encoder->block);

    pe_dtype_to_f64(png->tensor->dtype, png->values, encoder->block, got);
    return got;
}

/* Finds the range of all numbers. */
static struct colour_range scan(struct encoder *encoder, struct png *png, double masked)
{
    const uint64_t elements = encoder_elements(png->tensor);
    struct colour_range range = colour_range_new();

    for (uint64_t at = 0; at < elements;) {
        size_t got = read_values(encoder, png, at, elements - at);

        colour_range_add(&range, masked, png->values, got);
        at += got;
    }
    return range;
}

static void begin_picture(struct encoder *encoder, struct png *png)
{
    const struct option_values *options = &encoder->options.values;
    const struct pe_output *output = png->tensor->output;
    const int64_t chosen = options->value[OPTION_CMAP];
    const struct colour_map *map =
        colour_map_at(chosen == 0 ? colour_map_of(output, png->tensor->dtype)
                                  : (enum colour_map_id)(chosen - 1));
    const double masked = masked_of(encoder->plan);
    uint32_t colours[COLOUR_COUNT];
    struct colour_range range = {options->range[0], options->range[1]};

    if (!options->has_range && map->kind != COLOUR_MAP_KIND_TRUTH)
        range = scan(encoder, png, masked);
    png->scale = colour_scale_new(map, &range, masked);
    colour_map_write(map, colours);
    if (png->bits)
        colours[1] = colours[COLOUR_MAP_STEPS - 1];
    png_writer_begin(png->writer, colours);
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

static void write_line(struct encoder *encoder, struct png *png)
{
    if (png->bits && png->raster.cell == 1)
        read_truths(encoder, png);
    else
        make_line(encoder, png);
    for (uint64_t i = 0; png->bits && png->raster.cell > 1 && i < png->raster.width; i++)
        png->pixels[i] = png->pixels[i] != 0;
    if (png->bits)
        pack(png->pixels, png->raster.width);
    png_writer_line(png->writer, png->pixels);
    png->y++;
}

static size_t png_read_bytes(struct encoder *encoder, char *out, size_t capacity)
{
    struct png *png = encoder->state;

    if (!png->begun)
        begin_picture(encoder, png);
    png->begun = true;
    while (png->y < png->raster.height && png_writer_pending(png->writer) < capacity &&
           png_writer_pending(png->writer) <= PNG_WRITER_PENDING)
        write_line(encoder, png);
    if (png->y == png->raster.height && !png->ended) {
        png_writer_end(png->writer);
        png->ended = true;
    }
    return png_writer_take(png->writer, out, capacity);
}

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);
    const unsigned cell = (unsigned)request_options(request)->values.value[OPTION_CELL];
    struct raster raster = raster_new(tensor, cell), smaller = raster;

    if (raster.width == 0 || raster.height == 0)
        return pe_fail(errors, PE_CONFLICT, "format",
                       "must not be png without elements: a picture has at least one pixel");
    if (raster_fits(&raster))
        return PE_OK;
    for (unsigned fits = cell - 1; fits > 0; fits--) {
        smaller = raster_new(tensor, fits);
        if (raster_fits(&smaller))
            return pe_fail(
                errors, PE_CONFLICT, "cell",
                "must be at most %u here: a picture has at most %d pixels a side; got "
                "%u",
                fits, RASTER_SIDE_MAX, cell);
    }
    return pe_fail(
        errors, PE_CONFLICT, "format",
        "must not be png: a picture has at most %d cells a side, and %s has more: ask "
        "for fewer positions, as pos=0:%d",
        RASTER_SIDE_MAX, tensor->output->name, RASTER_SIDE_MAX);
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
