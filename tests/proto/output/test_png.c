/* SPDX-License-Identifier: Apache-2.0
 * test_png.c - decodes pictures by libpng and compares every cell with the colour that its
 * number must have by the tables of colours below, which are written down here once more. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/ask.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { STEPS = 252, MASKED = 0xd8d6cf, HATCH = 0xbdbab1, GAP = 0xffffff };

static const unsigned diverging[] = {0x1f4e98, 0x246dc4, 0x4691dc, 0x77b3e9, 0xb0d3ef, 0xf3f1ec,
                                     0xefc7ac, 0xe99c6f, 0xdb713d, 0xc34816, 0x9b311a};
static const unsigned viridis[] = {0x440154, 0x472c7a, 0x3b528b, 0x2c728e, 0x21918c,
                                   0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
static const unsigned cividis[] = {0x00204c, 0x00306f, 0x2a406c, 0x48526b, 0x5e626e, 0x727374,
                                   0x878479, 0x9e9677, 0xb6a971, 0xd0be67, 0xead357, 0xffea46};
static const unsigned grey[] = {0x000000, 0xffffff};
static const unsigned mask[] = {0xe4e1da, 0x2757b8};

struct picture {
    unsigned char *rgb;
    unsigned width, height;
};

static struct picture decode(const char *bytes, size_t len)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    struct picture picture;

    ck_assert(png_image_begin_read_from_memory(&image, bytes, len));
    image.format = PNG_FORMAT_RGB;
    picture = (struct picture){malloc(PNG_IMAGE_SIZE(image)), image.width, image.height};
    ck_assert(png_image_finish_read(&image, NULL, picture.rgb, 0, NULL));
    return picture;
}

static unsigned pixel(const struct picture *picture, unsigned x, unsigned y)
{
    const unsigned char *at = picture->rgb + 3 * ((size_t)y * picture->width + x);

    return (unsigned)at[0] << 16 | (unsigned)at[1] << 8 | at[2];
}

/* Returns the colour at step `step` of 0 to STEPS between the stops. */
static unsigned colour(const unsigned *stops, size_t count, double step)
{
    const double place = step / STEPS * (double)(count - 1);
    const size_t stop = place >= (double)(count - 1) ? count - 2 : (size_t)place;
    unsigned made = 0;

    for (unsigned shift = 0; shift <= 16; shift += 8) {
        const double a = stops[stop] >> shift & 255, b = stops[stop + 1] >> shift & 255;

        made |= (unsigned)lround(a + (b - a) * (place - (double)stop)) << shift;
    }
    return made;
}

/* Pictures, and how their numbers become steps: `low` has step `first`, `high` the last one. */
static const struct {
    const char *encoding, *query, *options;
    const unsigned *stops;
    size_t stop_count;
    double low, high, first;
    unsigned cell, across; /* tiles of a line */
} pictures[] = {
    {"sinusoidal", "pos=0:24&dim=16", "", diverging, 11, -1, 1, 0, 1, 1},
    {"sinusoidal", "pos=0:24&dim=16&dtype=f16", "&cell=3", diverging, 11, -1, 1, 0, 3, 1},
    {"sinusoidal", "pos=0:24&dim=16&dtype=bf16", "&range=-2,1", diverging, 11, -2, 2, 0, 1, 1},
    {"sinusoidal", "pos=0:24&dim=16&dtype=f64", "&cmap=grey&range=-0.5,0.5", grey, 2, -0.5, 0.5,
     0, 1, 1},
    {"sinusoidal", "pos=0:24&dim=16", "&cmap=cividis&range=-1,1", cividis, 12, -1, 1, 0, 1, 1},
    {"sinusoidal", "pos=0:24&dim=16", "&range=-0.5,0.5", diverging, 11, -0.5, 0.5, 0, 1, 1},
    {"alibi", "heads=1&len=9&causal=1&mask_value=-inf&out=bias", "&cell=2", diverging, 11,
     -0.03125, 0, -1, 2, 1},
    {"alibi", "heads=1&len=9&out=bias", "", diverging, 11, -0.03125, 0, -1, 1, 1},
    {"alibi", "heads=5&len=9&causal=1&out=bias", "&cell=3", diverging, 11, -2.296, 0, -1, 3, 3},
    {"rope", "dim=16&out=inv_freq", "&range=0,1", viridis, 9, 0, 1, 0, 1, 1},
    {"t5", "len=24&out=buckets", "&cell=2&range=0,31", viridis, 9, 0, 31, 0, 2, 1},
    {"t5", "len=24&out=buckets&dtype=i32", "&cmap=diverging&range=-31,31", diverging, 11, -31,
     31, 0, 1, 1},
    {"causal-mask", "len=21&out=packed", "&range=0,255", viridis, 9, 0, 255, 0, 1, 1},
    {"causal-mask", "len=21&out=mask", "&cmap=grey&range=0,1", grey, 2, 0, 1, 0, 1, 1},
    {"causal-mask", "len=21&out=mask", "", mask, 2, 0, 1, 0, 1, 1},
    {"causal-mask", "len=21&out=mask", "&cell=5", mask, 2, 0, 1, 0, 5, 1},
    {"causal-mask", "len=21&out=mask", "&cmap=mask", mask, 2, 0, 1, 0, 1, 1},
};

/* Returns the colour that a value must have. */
static unsigned expected(size_t i, double value, double low)
{
    const double middle = STEPS / 2, span = pictures[i].high - low;
    const double share = fmin(1, fmax(0, (value - low) / span));
    const double first = pictures[i].first < 0 ? 0 : pictures[i].first;
    const double steps = pictures[i].first < 0 ? middle : STEPS;

    return colour(pictures[i].stops, pictures[i].stop_count,
                  floor(first + share * steps + 0.5));
}

START_TEST(every_cell_has_the_colour_of_its_number)
{
    char query[200];
    struct ask ask;
    size_t len, raw_len;

    snprintf(query, sizeof query, "%s&format=raw", pictures[_i].query);
    ask_query(&ask, pictures[_i].encoding, query, NULL);
    char *raw = ask_read(&ask, 4096, &raw_len);
    const struct pe_tensor_info *tensor = pe_plan_tensor(ask.plan, 0);
    const size_t count = (size_t)(tensor->rows * tensor->cols);
    const size_t rows = tensor->rank > 1 ? (size_t)tensor->dims[tensor->rank - 2] : 1;
    double *values = malloc(count * sizeof *values), low = 0;

    pe_dtype_to_f64(tensor->dtype, values, raw, count);
    for (size_t i = 0; i < count; i++)
        low = values[i] < low && values[i] > -1e30 ? values[i] : low;
    low = pictures[_i].first < 0 ? low : pictures[_i].low;
    snprintf(query, sizeof query, "%s&format=png%s", pictures[_i].query, pictures[_i].options);
    char *bytes = ask_answer(pictures[_i].encoding, query, &len);
    struct picture picture = decode(bytes, len);
    for (size_t i = 0; i < count; i++) {
        const size_t row = i / tensor->cols, tile = row / rows, side = tensor->cols;
        const unsigned cell = pictures[_i].cell, gap = pictures[_i].across > 1 ? 4 : 0;
        const unsigned x =
            (unsigned)(tile % pictures[_i].across * (side * cell + gap) + i % side * cell);
        const unsigned y =
            (unsigned)(tile / pictures[_i].across * (rows * cell + gap) + row % rows * cell);

        for (unsigned at = 0; at < cell * cell; at++) {
            const unsigned px = x + at % cell, py = y + at / cell;
            const unsigned right = values[i] > -1e30    ? expected((size_t)_i, values[i], low)
                                   : (px + py) % 6 == 0 ? HATCH
                                                        : MASKED;

            ck_assert_msg(pixel(&picture, px, py) == right, "element %zu, %g: %06x, not %06x",
                          i, values[i], pixel(&picture, px, py), right);
        }
    }
    if (pictures[_i].across > 1)
        ck_assert_uint_eq(pixel(&picture, (unsigned)tensor->cols * pictures[_i].cell, 0), GAP);
    free(values);
    free(raw);
    free(bytes);
    free(picture.rgb);
    ask_free(&ask);
}
END_TEST

static const struct {
    const char *encoding, *query, *problem;
} refused[] = {
    {"rope", "pos=0:5000&dim=8&out=cos",
     "format: must not be png: a picture has at most 4096 cells a side, and cos has more: ask "
     "for fewer positions, as pos=0:4096"},
    {"rope", "pos=0:4&dim=8&out=cos&cmap=mask&range=0,1",
     "range: has no effect on truth values; leave it out, or give another cmap"},
    {"causal-mask", "len=8&out=mask&range=0,1",
     "range: has no effect on truth values; leave it out, or give another cmap"},
    {"alibi", "heads=1&q=0:3&k=0:5000&out=bias",
     "format: must not be png: a picture has at most 4096 cells a side, and bias has more: ask "
     "for fewer positions, as k=0:4096"},
    {"alibi", "heads=4&q=0:3&k=0:5000&out=bias",
     "format: must not be png: a picture has at most 4096 cells a side, and bias has more: ask "
     "for fewer positions, as k=0:4096"},
    {"rope", "dim=16384&out=inv_freq",
     "format: must not be png: a picture has at most 4096 cells a side, and inv_freq has more"},
    {"rope", "pos=0:500&dim=8&out=cos&cell=60",
     "cell: must be at most 8 here: a picture has at most 4096 pixels a side; got 60"},
    {"rope", "pos=0:0&dim=8&out=cos",
     "format: must not be png without elements: a picture has at least one pixel"},
    {"rope", "pos=0:4&dim=8&out=cos&range=1,0",
     "range: must be auto, or two numbers, the lower one first, as -1,1"},
    {"rope", "pos=0:4&dim=8&out=cos&range=1",
     "range: must be auto, or two numbers, the lower one first, as -1,1"},
    {"rope", "pos=0:4&dim=8&out=cos&cell=65", "cell: must be a whole number, 1..64; got 65"},
};

START_TEST(a_picture_that_cannot_be_is_refused_with_what_would_be_right)
{
    char query[200], problem[512];

    snprintf(query, sizeof query, "%s&format=png", refused[_i].query);
    ck_assert_str_eq(ask_body_problem(refused[_i].encoding, query, NULL, problem),
                     refused[_i].problem);
}
END_TEST

static const struct {
    const char *encoding, *query, *warning;
} warned[] = {
    {"sinusoidal", "pos=0:2&dim=4&range=-0.5,0.5",
     "5 of 8 numbers are beyond range=-0.5,0.5 and have the colour of its end"},
    {"sinusoidal", "pos=0:2&dim=4&range=-1,1", ""},
    {"sinusoidal", "pos=0:2&dim=4", ""},
    {"alibi", "heads=1&len=3&causal=1&out=bias&range=-1,0", ""},
    {"alibi", "heads=1&len=3&causal=1&out=bias&range=-1,-0.001",
     "3 of 9 numbers are beyond range=-1,-0.001 and have the colour of its end"},
    {"causal-mask", "len=3&out=mask&cmap=grey&range=0,0.5",
     "6 of 9 numbers are beyond range=0,0.5 and have the colour of its end"},
};

START_TEST(numbers_beyond_the_range_are_told)
{
    char query[200], header[ASK_HEADER_MAX];
    struct ask ask;
    size_t len;

    snprintf(query, sizeof query, "%s&format=png", warned[_i].query);
    ask_query(&ask, warned[_i].encoding, query, NULL);
    free(ask_read(&ask, 4096, &len));
    ck_assert_str_eq(ask_header(&ask, "Posenc-Warning", header), warned[_i].warning);
    ask_free(&ask);
}
END_TEST

START_TEST(a_stop_ends_a_picture_before_its_end)
{
    char bytes[FORMAT_MIN_CAPACITY];
    struct pe_stop stop = {0};
    struct ask ask;

    ask_query(&ask, "sinusoidal", "pos=0:2&dim=4&format=png", NULL);
    pe_stop_set(&stop);
    encoder_set_stop(ask.encoder, &stop);
    ck_assert_uint_eq(encoder_read(ask.encoder, bytes, sizeof bytes), 0);
    ck_assert(encoder_failed(ask.encoder));
    ask_free(&ask);
}
END_TEST

/* Reads a picture; false: memory was short, and nothing else went wrong. */
static bool is_read(const char *query)
{
    const struct request_limits limits = {.max_elements = 1000, .max_prepared = 1000};
    struct request *request = request_new(pe_find("alibi", 5));
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    struct encoder *encoder = NULL;
    char bytes[FORMAT_MIN_CAPACITY];

    if (request && request_set_query(request, query, strlen(query), &errors) == PE_OK &&
        request_finish(request, NULL, 0, &errors) == PE_OK &&
        request_plan(request, &plan, NULL, &limits, &errors) == PE_OK)
        encoder = encoder_new(request, plan);
    while (encoder && encoder_read(encoder, bytes, sizeof bytes) > 0) {
    }
    const bool read = encoder && !encoder_failed(encoder);
    encoder_free(encoder);
    pe_plan_free(plan);
    request_free(request);
    return read;
}

static const char *const short_of_memory[] = {
    "heads=3&len=9&causal=1&format=png&range=-1,0&cell=2",
    "heads=3&len=9&causal=1&format=svg&range=-1,0",
    "heads=3&len=9&out=slopes,bias&format=svg&cmap=grey",
};

START_TEST(every_failing_allocation_means_no_picture_and_no_leak)
{
    bool failed = true;

    for (size_t n = 0; failed; n++) {
        alloc_fail_start(n);
        const bool read = is_read(short_of_memory[_i]);
        failed = alloc_fail_stop();
        ck_assert_int_eq(alloc_fail_live(), 0);
        ck_assert_msg(read != failed, "allocation %zu", n);
    }
}
END_TEST

START_TEST(options_of_pictures_have_no_effect_on_other_formats)
{
    char problem[512];

    ck_assert_str_eq(ask_body_problem("rope", "pos=0:4&dim=8&out=cos&cmap=grey", NULL, problem),
                     "cmap: has no effect with format=json, only with format=png or "
                     "format=svg or "
                     "format=card; leave it out");
}
END_TEST

static const size_t spaces[] = {FORMAT_MIN_CAPACITY, 8192, 65536, 300000};

/* The memory that a writer takes at once must suffice: numbers at random do not compress. */
START_TEST(a_picture_of_the_largest_width_is_written)
{
    struct ask ask;
    size_t len;

    ask_query(&ask, "sinusoidal", "pos=0:400000000:1000003&dim=4096&format=png", NULL);
    ck_assert_int_eq(ask.status, PE_OK);
    char *bytes = ask_read(&ask, spaces[_i], &len);
    struct picture picture = decode(bytes, len);
    ck_assert_uint_eq(picture.width, 4096);
    ck_assert_uint_gt(len, 1 << 20);
    free(picture.rgb);
    free(bytes);
    ask_free(&ask);
}
END_TEST

START_TEST(a_picture_read_in_small_pieces_has_the_same_bytes)
{
    static const char query[] = "heads=3&len=40&causal=1&out=bias&format=png&cell=4";
    struct ask ask;
    size_t len, other_len;
    char *bytes = ask_answer("alibi", query, &len);

    ask_query(&ask, "alibi", query, NULL);
    char *other = ask_read(&ask, FORMAT_MIN_CAPACITY, &other_len);
    ck_assert_uint_eq(len, other_len);
    ck_assert_mem_eq(bytes, other, len);
    free(other);
    free(bytes);
    ask_free(&ask);
}
END_TEST

SUITE(png, TEST_EACH(every_cell_has_the_colour_of_its_number, pictures),
      TEST_EACH(a_picture_that_cannot_be_is_refused_with_what_would_be_right, refused),
      TEST_EACH(numbers_beyond_the_range_are_told, warned),
      TEST_EACH(every_failing_allocation_means_no_picture_and_no_leak, short_of_memory),
      TEST(a_stop_ends_a_picture_before_its_end),
      TEST(options_of_pictures_have_no_effect_on_other_formats),
      TEST_EACH(a_picture_of_the_largest_width_is_written, spaces),
      TEST(a_picture_read_in_small_pieces_has_the_same_bytes));
