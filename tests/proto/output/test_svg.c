/* SPDX-License-Identifier: Apache-2.0
 * test_svg.c - figures: their pictures are those of format=png, their axes have round values of
 * positions. tests/http reads figures by an XML parser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/output_row.h"
#include "proto/text/base64.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

/* Figures, the cells of their picture in pixels, and texts that they must have. */
static const struct {
    const char *encoding, *query;
    unsigned cell; /* 0: no picture */
    const char *texts[6];
} figures[] = {
    {"sinusoidal", "pos=0:128&dim=128", 4, {">120<", ">Rows<", ">column \xe2\x86\x92<"}},
    {"sinusoidal", "pos=1000:1008&dim=64", 8, {">1005<", "position<", "pos=1000:1008"}},
    {"sinusoidal", "pos=5,9,1000&dim=8", 48, {">9<", ">1000<"}},
    {"sinusoidal", "pos=0:8&dim=8&cmap=grey&range=0,1", 48, {">0.5<", "#000000"}},
    {"alibi", "heads=8&len=64&causal=1&out=bias", 2, {">head 7<", ">masked<", "#cells0"}},
    {"alibi", "heads=100&len=4&out=bias", 13, {">Bias<", ">100 tiles, one for each head<"}},
    {"causal-mask", "len=48", 10, {">true<", ">false<", ">key \xe2\x86\x92<"}},
    {"rope", "dim=64&pos=0:64&out=cos", 16, {">pair \xe2\x86\x92<"}},
    {"rope", "dim=128&out=wavelengths", 0, {"class=\"curve\"", ">10\xe2\x81\xb4<"}},
    {"rope", "dim=128&out=inv_freq", 0, {">10\xe2\x81\xbb\xc2\xb2<", ">60<"}},
    {"rope", "dim=8&out=effective_base", 0, {">10000<"}},
};

/* Returns the base64 text of the picture that format=png makes. */
static char *picture_of(size_t i)
{
    char query[200];
    size_t len;

    snprintf(query, sizeof query, "%s&format=png&cell=%u", figures[i].query, figures[i].cell);
    char *png = ask_answer(figures[i].encoding, query, &len);
    char *text = malloc(len / 3 * 4 + 8);

    *base64_print(text, (const unsigned char *)png, len) = '\0';
    free(png);
    return text;
}

START_TEST(a_figure_has_the_picture_and_round_values)
{
    char query[200];
    size_t len;

    snprintf(query, sizeof query, "%s&format=svg", figures[_i].query);
    char *svg = ask_answer(figures[_i].encoding, query, &len);
    for (size_t i = 0; figures[_i].texts[i]; i++)
        ck_assert_msg(strstr(svg, figures[_i].texts[i]), "no %s in %.3000s",
                      figures[_i].texts[i], svg);
    if (figures[_i].cell > 0) {
        char *picture = picture_of((size_t)_i);

        ck_assert_msg(strstr(svg, picture) != NULL, "%s: another picture", query);
        free(picture);
    } else {
        ck_assert_ptr_null(strstr(svg, "<image"));
    }
    free(svg);
}
END_TEST

START_TEST(every_picture_of_the_catalogue_is_a_whole_figure)
{
    for (size_t e = 0; e < pe_count(); e++) {
        size_t count, len;
        const struct pe_output *outputs = pe_outputs(pe_at(e), &count);

        for (size_t i = 0; i < count; i++) {
            struct buffer query = {0};

            if (output_row_write_picture(&query, pe_at(e), &outputs[i])) {
                buffer_add_text(&query, "&format=svg");
                char *svg = ask_answer(pe_name(pe_at(e)), query.bytes, &len);
                ck_assert_msg(strncmp(svg, "<svg ", 5) == 0 &&
                                  strcmp(svg + len - 7, "</svg>\n") == 0,
                              "%s?%s", pe_name(pe_at(e)), query.bytes);
                free(svg);
            }
            buffer_fini(&query);
        }
    }
}
END_TEST

START_TEST(a_figure_read_in_small_pieces_has_the_same_bytes)
{
    struct ask ask;
    char *texts[2];
    size_t lens[2];

    for (size_t i = 0; i < 2; i++) {
        ask_query(&ask, "rope", "dim=64&pos=0:200&format=svg", NULL);
        texts[i] = ask_read(&ask, i == 0 ? 4096 : 1 << 20, &lens[i]);
        ask_free(&ask);
    }
    ck_assert_uint_eq(lens[0], lens[1]);
    ck_assert_mem_eq(texts[0], texts[1], lens[0]);
    free(texts[0]);
    free(texts[1]);
}
END_TEST

static const struct {
    const char *encoding, *query, *problem;
} refused[] = {
    {"rope", "pos=0:5000&dim=8&out=cos,inv_freq",
     "format: must not be svg: a picture has at most 4096 cells a side, and cos has more: ask "
     "for fewer positions, as pos=0:4096"},
    {"rope", "pos=0:8&dim=8&out=cos&cell=4",
     "cell: has no effect with format=svg, only with format=png; leave it out"},
    {"sinusoidal", "pos=0:0&dim=8",
     "format: must not be svg without elements: a picture has at least one pixel"},
};

START_TEST(a_figure_that_cannot_be_is_refused_with_what_would_be_right)
{
    char query[200], text[512];

    snprintf(query, sizeof query, "%s&format=svg", refused[_i].query);
    ck_assert_str_eq(ask_body_problem(refused[_i].encoding, query, NULL, text),
                     refused[_i].problem);
}
END_TEST

START_TEST(a_curve_may_be_longer_than_a_picture)
{
    size_t len;
    char *svg = ask_answer("rope", "dim=65536&out=inv_freq&format=svg", &len);

    ck_assert_uint_lt(len, 40000);
    ck_assert_ptr_nonnull(strstr(svg, ">30\xe2\x80\xaf"
                                      "000<"));
    free(svg);
}
END_TEST

SUITE(svg, TEST_EACH(a_figure_has_the_picture_and_round_values, figures),
      TEST(every_picture_of_the_catalogue_is_a_whole_figure),
      TEST(a_figure_read_in_small_pieces_has_the_same_bytes),
      TEST_EACH(a_figure_that_cannot_be_is_refused_with_what_would_be_right, refused),
      TEST(a_curve_may_be_longer_than_a_picture));
