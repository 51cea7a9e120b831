/* SPDX-License-Identifier: Apache-2.0
 * test_canvas.c - glyphs and what is drawn with them: inks, levels, anchors, edges. */
#include <string.h>

#include "core/posenc.h"
#include "proto/pictures/canvas.h"
#include "proto/pictures/glyph.h"
#include "proto/text/utf8.h"
#include "tests/support/suite.h"

enum { WIDTH = 120, HEIGHT = 60, MISSING = 0xfffd };

static uint32_t colours[COLOUR_COUNT];

static struct canvas paper(void)
{
    struct canvas canvas;

    ck_assert(canvas_make(&canvas, WIDTH, HEIGHT));
    canvas_colours(colour_map_at(COLOUR_MAP_DIVERGING), colours);
    return canvas;
}

static uint32_t at(const struct canvas *canvas, unsigned x, unsigned y)
{
    return colours[canvas->pixels[y * WIDTH + x]];
}

/* Returns the first column that has ink, and the column behind the last one. */
static unsigned first_column(const struct canvas *canvas, unsigned *end)
{
    unsigned first = WIDTH;

    *end = 0;
    for (unsigned y = 0; y < HEIGHT; y++) {
        for (unsigned x = 0; x < WIDTH; x++) {
            if (at(canvas, x, y) == 0xffffff)
                continue;
            first = x < first ? x : first;
            *end = x + 1 > *end ? x + 1 : *end;
        }
    }
    return first;
}

START_TEST(the_paper_is_white_and_a_value_has_its_colour)
{
    struct canvas canvas = paper();

    ck_assert_uint_eq(at(&canvas, 0, 0), 0xffffff);
    canvas_fill(&canvas, canvas_of_value(0), 2, 3, 1, 1);
    canvas_fill(&canvas, canvas_of_value((COLOUR_MAP_STEPS - 1) / 2), 3, 3, 1, 1);
    canvas_fill(&canvas, canvas_of_value(COLOUR_MAP_STEPS - 1), 4, 3, 1, 1);
    canvas_fill(&canvas, canvas_of_value(COLOUR_MASKED), 5, 3, 1, 1);
    ck_assert_uint_eq(at(&canvas, 2, 3), 0x1f4e98);
    ck_assert_uint_eq(at(&canvas, 3, 3), 0xf3f1ec);
    ck_assert_uint_eq(at(&canvas, 4, 3), 0x9b311a);
    ck_assert_uint_eq(at(&canvas, 5, 3), 0xd8d6cf);
    canvas_fini(&canvas);
}
END_TEST

START_TEST(a_text_stands_at_its_anchor)
{
    static const struct {
        enum canvas_anchor anchor;
        double shift;
    } anchors[] = {{CANVAS_START, 0}, {CANVAS_MIDDLE, 0.5}, {CANVAS_END, 1}};
    const unsigned width = glyph_width(GLYPH_SMALL, "HI", 2);

    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
        struct canvas canvas = paper();
        unsigned end;

        canvas_text(&canvas, CANVAS_INK, GLYPH_SMALL, anchors[i].anchor, 60, 40, "HI", 2);
        const double first = first_column(&canvas, &end);
        const double left = 60 - anchors[i].shift * width;
        ck_assert(first >= left && first <= left + 4);
        ck_assert(end <= left + width && end + 4 >= left + width);
        canvas_fini(&canvas);
    }
}
END_TEST

START_TEST(a_text_that_is_read_upwards_is_as_high_as_it_is_long)
{
    struct canvas canvas = paper();
    unsigned end;

    canvas_upright(&canvas, CANVAS_SOFT, GLYPH_SMALL, 40, 4, "III", 3);
    ck_assert_uint_ge(first_column(&canvas, &end), 40 - GLYPH_SMALL);
    ck_assert_uint_le(end, 41);
    canvas_fini(&canvas);
}
END_TEST

START_TEST(what_is_beyond_an_edge_is_cut)
{
    struct canvas canvas = paper();

    canvas_text(&canvas, CANVAS_INK, GLYPH_LARGE, CANVAS_MIDDLE, 0, 4, "WWWW", 4);
    canvas_text(&canvas, CANVAS_INK, GLYPH_LARGE, CANVAS_MIDDLE, WIDTH, HEIGHT + 9, "WWWW", 4);
    canvas_rect(&canvas, CANVAS_LINE, -9, -9, 1e6, 1e6);
    canvas_line(&canvas, CANVAS_CURVE, 4, -50, -50, 500, 500);
    ck_assert_uint_eq(at(&canvas, 30, 30), 0x2757b8);
    ck_assert_uint_eq(at(&canvas, WIDTH - 1, 0), 0xe4e2dc);
    canvas_fini(&canvas);
}
END_TEST

START_TEST(ink_on_ink_is_never_less)
{
    struct canvas canvas = paper();

    canvas_line(&canvas, CANVAS_CURVE, 4, 10, 30, 110, 30);
    canvas_line(&canvas, CANVAS_CURVE, 4, 10, 33, 110, 33);
    for (unsigned y = 30; y <= 33; y++)
        ck_assert_uint_eq(at(&canvas, 60, y), 0x2757b8);
    ck_assert_uint_eq(at(&canvas, 60, 40), 0xffffff);
    canvas_fini(&canvas);
}
END_TEST

/* Returns the first character of a text that has no glyph of its own; 0: all have. */
static uint32_t missing(unsigned size, const char *text)
{
    for (size_t used, len = strlen(text), i = 0; i < len; i += used) {
        uint32_t code;

        used = utf8_character(text + i, len - i, &code);
        ck_assert_uint_gt(used, 0);
        if (glyph_find(size, code)->code == MISSING)
            return code;
    }
    return 0;
}

START_TEST(every_title_and_name_of_an_axis_has_its_glyphs)
{
    for (size_t i = 0; i < pe_count(); i++) {
        size_t count;
        const struct pe_output *outputs = pe_outputs(pe_at(i), &count);

        ck_assert_msg(!missing(GLYPH_LARGE, pe_title(pe_at(i))), "%s", pe_title(pe_at(i)));
        for (size_t j = 0; j < count; j++) {
            ck_assert_msg(!missing(GLYPH_SMALL, outputs[j].label), "%s", outputs[j].label);
            for (size_t k = 0; k < PE_MAX_RANK && outputs[j].axes[k]; k++) {
                const struct pe_axis *axis = pe_axis_find(outputs[j].axes[k]);

                ck_assert_msg(!missing(GLYPH_SMALL, axis->label), "%s", axis->label);
            }
        }
    }
    ck_assert_uint_eq(missing(GLYPH_SMALL, "\xe2\x88\x92"
                                           "1.5\xc3\x97"
                                           "10\xe2\x81\xbb\xc2\xb2"),
                      0);
    ck_assert_uint_eq(missing(GLYPH_SMALL, "\xe4\xbd\x8d"), 0x4f4d);
}
END_TEST

SUITE(canvas, TEST(the_paper_is_white_and_a_value_has_its_colour),
      TEST(a_text_stands_at_its_anchor),
      TEST(a_text_that_is_read_upwards_is_as_high_as_it_is_long),
      TEST(what_is_beyond_an_edge_is_cut), TEST(ink_on_ink_is_never_less),
      TEST(every_title_and_name_of_an_axis_has_its_glyphs));
