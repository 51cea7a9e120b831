/* SPDX-License-Identifier: Apache-2.0
 * card.c - a response that is the picture of one tensor as people post it and previews of links
 * show it: a PNG of CARD_WIDTH x CARD_HEIGHT pixels with title, request, axes and colours. */
#include "proto/output/card.h"

#include <stdlib.h>

#include "proto/output/card_draw.h"
#include "proto/output/figure_words.h"
#include "proto/output/picture_check.h"
#include "proto/pictures/png_writer.h"

struct card {
    struct card_panel panel;
    struct canvas canvas;
    struct card_matrix *matrix; /* NULL: a curve or a number */
    struct svg_curve *curve;    /* NULL: a matrix or a number */
    struct png_writer *writer;
    bool drawn, ended;
    unsigned y; /* lines written */
    char warning[PICTURE_WARNING_SIZE];
};

static bool is_curve(const struct pe_tensor_info *tensor)
{
    return tensor->rank == 1 && tensor->dtype != PE_BOOL8 && tensor->cols > 0;
}

/* Returns whether range=, where it is given, decides a colour of the tensor. */
static bool suits_range(const struct pe_tensor_info *tensor,
                        const struct option_values *options)
{
    return !options->has_range || picture_map(tensor, options)->kind != COLOUR_MAP_KIND_TRUTH;
}

bool card_shows(const struct pe_tensor_info *tensor, const struct option_values *options)
{
    const bool is_matrix = tensor->rank > 0 && !is_curve(tensor);

    return suits_range(tensor, options) && (!is_matrix || picture_check_fits(tensor, 1));
}

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    const struct option_values *options = &request_options(request)->values;
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);

    if (card_shows(tensor, options))
        return PE_OK;
    if (!suits_range(tensor, options))
        return pe_fail(errors, PE_CONFLICT, "range",
                       "has no effect on truth values; leave it out, or give another cmap");
    return picture_check(plan, 0, format_card.name, 1, errors);
}

static enum pe_status make_axes(struct card_panel *panel, const struct pe_args *args)
{
    const struct pe_tensor_info *tensor = panel->tensor;
    const enum pe_family family = pe_family_of(pe_args_encoding(args));
    struct figure_axis lead = {.label = ""};

    panel->masked_word = family == PE_BIAS || family == PE_MASK ? "masked" : "not finite";
    panel->right.label = panel->down.label = panel->tile_label = "";
    if (tensor->rank > 0 &&
        figure_axis_make(&panel->right, args, tensor, tensor->rank - 1) != PE_OK)
        return PE_NO_MEMORY;
    if (tensor->rank > 1 &&
        figure_axis_make(&panel->down, args, tensor, tensor->rank - 2) != PE_OK)
        return PE_NO_MEMORY;
    if (tensor->rank == 3 && figure_axis_make(&lead, args, tensor, 0) != PE_OK)
        return PE_NO_MEMORY;
    panel->tile_label = lead.label;
    figure_axis_fini(&lead);
    return PE_OK;
}

static enum pe_status begin(struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, 0);
    struct card *card = calloc(1, sizeof *card);

    if (!card)
        return PE_NO_MEMORY;
    encoder->state = card;
    card->panel.tensor = tensor;
    card->writer = png_writer_new(CARD_WIDTH, CARD_HEIGHT, 8);
    if (!card->writer || !canvas_make(&card->canvas, CARD_WIDTH, CARD_HEIGHT) ||
        make_axes(&card->panel, pe_plan_args(encoder->plan)) != PE_OK)
        return PE_NO_MEMORY;
    if (is_curve(tensor))
        card->curve = svg_curve_new(encoder, 0);
    else if (tensor->rank > 0)
        card->matrix = card_matrix_new(encoder, CARD_WIDTH, 3);
    return tensor->rank == 0 || card->curve || card->matrix ? PE_OK : PE_NO_MEMORY;
}

/* Draws the whole canvas. */
static void draw(struct encoder *encoder, struct card *card)
{
    const struct colour_map *map = picture_map(card->panel.tensor, &encoder->options.values);
    uint32_t colours[COLOUR_COUNT];
    char text[FIGURE_NUMBER_SIZE];
    uint64_t beyond = 0;

    card_draw_words(&card->canvas, encoder, &card->panel);
    if (card->matrix) {
        beyond = card_matrix_begin(encoder, card->matrix);
        card_draw_matrix(&card->canvas, encoder, card->matrix, &card->panel);
    } else if (card->curve) {
        svg_curve_read(encoder, card->curve);
        card_draw_curve(&card->canvas, card->curve, &card->panel);
    } else {
        figure_words_number(text, encoder, 0);
        card_draw_number(&card->canvas, text, &card->panel);
    }
    if (beyond > 0)
        picture_warn(encoder, beyond, encoder_elements(card->panel.tensor), card->warning);
    canvas_colours(map, colours);
    encoder->failed |= !png_writer_begin(card->writer, colours);
    card->drawn = true;
}

static size_t card_read_bytes(struct encoder *encoder, char *out, size_t capacity)
{
    struct card *card = encoder->state;

    if (!card->drawn)
        draw(encoder, card);
    while (!encoder->failed && card->y < CARD_HEIGHT &&
           png_writer_pending(card->writer) < capacity &&
           png_writer_pending(card->writer) <= PNG_WRITER_PENDING)
        encoder->failed = !png_writer_line(card->writer, card->canvas.pixels +
                                                             (size_t)card->y++ * CARD_WIDTH);
    if (!encoder->failed && card->y == CARD_HEIGHT && !card->ended) {
        encoder->failed = !png_writer_end(card->writer);
        card->ended = true;
    }
    return encoder->failed ? 0 : png_writer_take(card->writer, out, capacity);
}

static void end(struct encoder *encoder)
{
    struct card *card = encoder->state;

    if (!card)
        return;
    figure_axis_fini(&card->panel.right);
    figure_axis_fini(&card->panel.down);
    card_matrix_free(card->matrix);
    svg_curve_free(card->curve);
    canvas_fini(&card->canvas);
    png_writer_free(card->writer);
    free(card);
}

static const char *const accepts[] = {NULL};

const struct format format_card = {
    .name = "card",
    .media_type = "image/png",
    .accepts = accepts,
    .extension = "png",
    .summary =
        "a picture of one tensor to post: 1200 x 630 pixels, with title, axes and colours",
    .wire_version = 2,
    .wire_tag = PNG_WRITER_TAG,
    .single = true,
    .picture = true,
    .operations = 5e6,
    .check = check,
    .read = card_read_bytes,
    .begin = begin,
    .end = end,
};
