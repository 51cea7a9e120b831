/* SPDX-License-Identifier: Apache-2.0
 * test_card.c - cards, decoded by libpng: their size, the colours of their cells, and that
 * every picture of the catalogue makes one. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/output_row.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

enum { WIDTH = 1200, HEIGHT = 630, MOST_BYTES = 400 << 10 };

/* Returns the pixels of a card, 0xrrggbb each. */
static uint32_t *card_of(const char *encoding, const char *query)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    char text[1000];
    size_t len;

    snprintf(text, sizeof text, "%s&format=card", query);
    char *bytes = ask_answer(encoding, text, &len);
    ck_assert_msg(png_image_begin_read_from_memory(&image, bytes, len), "%s?%s", encoding,
                  query);
    image.format = PNG_FORMAT_RGB;
    ck_assert_uint_eq(image.width, WIDTH);
    ck_assert_uint_eq(image.height, HEIGHT);
    ck_assert_msg(len <= MOST_BYTES, "%s?%s: %zu bytes", encoding, query, len);
    unsigned char *rgb = malloc(PNG_IMAGE_SIZE(image));
    uint32_t *pixels = malloc(sizeof *pixels * WIDTH * HEIGHT);
    ck_assert(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        pixels[i] = (uint32_t)rgb[3 * i] << 16 | (uint32_t)rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
    free(rgb);
    free(bytes);
    return pixels;
}

static size_t count(const uint32_t *pixels, uint32_t colour)
{
    size_t found = 0;

    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        found += pixels[i] == colour;
    return found;
}

START_TEST(every_picture_of_the_catalogue_is_a_card)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t outputs_count;
    const struct pe_output *outputs = pe_outputs(enc, &outputs_count);

    for (size_t i = 0; i < outputs_count; i++) {
        struct buffer query = {0};

        if (output_row_write_picture(&query, enc, &outputs[i])) {
            uint32_t *pixels = card_of(pe_name(enc), query.bytes);

            ck_assert_uint_eq(pixels[0], 0xffffff);
            ck_assert_msg(count(pixels, 0x1a1c1f) > 500, "%s has no title", query.bytes);
            ck_assert_msg(count(pixels, 0xffffff) < WIDTH * HEIGHT - 5000, "%s is empty",
                          query.bytes);
            free(pixels);
        }
        buffer_fini(&query);
    }
}
END_TEST

START_TEST(cells_have_the_colours_of_their_values)
{
    /* Of a mask of n queries n (n + 1) / 2 are true; the swatches have 400 pixels each. */
    uint32_t *pixels = card_of("causal-mask", "len=4");
    const size_t yes = count(pixels, 0x2757b8) - 400, no = count(pixels, 0xe4e1da) - 400;

    ck_assert_uint_gt(no, 6 * 40 * 40);
    ck_assert_uint_eq(6 * yes, 10 * no);
    free(pixels);

    /* Two values: the lowest and the highest one, each in half of the cells. */
    pixels = card_of("sinusoidal", "pos=0:1&dim=2&cmap=grey");
    const size_t low = count(pixels, 0x000000), high = count(pixels, 0xffffff);
    ck_assert_uint_gt(low, 300 * 400);
    ck_assert_uint_gt(high, 300 * 400);
    free(pixels);
}
END_TEST

START_TEST(more_cells_than_pixels_are_their_means)
{
    /* Half of each pixel's cells are 0, half are 1: grey in the middle. */
    uint32_t *pixels = card_of("causal-mask", "len=4000&cmap=grey");
    const size_t white = count(pixels, 0xffffff), black = count(pixels, 0x000000);

    ck_assert_uint_gt(black, 300 * 300 / 2 * 9 / 10);
    ck_assert_uint_gt(white, black);
    free(pixels);
}
END_TEST

START_TEST(a_card_has_one_tensor)
{
    char text[512];

    ck_assert_ptr_nonnull(strstr(
        ask_body_problem("rope", "dim=8&pos=0:4&out=cos,sin&format=card", NULL, text), "card"));
}
END_TEST

SUITE(card, TEST_COUNTED(every_picture_of_the_catalogue_is_a_card, pe_count),
      TEST(cells_have_the_colours_of_their_values),
      TEST(more_cells_than_pixels_are_their_means), TEST(a_card_has_one_tensor));
