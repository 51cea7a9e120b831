/* SPDX-License-Identifier: Apache-2.0
 * test_formula.c - tests formulas as HTML. */
#include <stdlib.h>
#include <string.h>

#include "proto/pages/formula.h"
#include "tests/support/suite.h"

static char *formula_of(const char *name)
{
    struct buffer out = {0};
    size_t len;

    formula_add(&out, pe_find(name, strlen(name)), NULL);
    char *text = buffer_take(&out, &len);
    ck_assert_ptr_nonnull(text);
    return text;
}

#define OPEN "<span class=\"plain\">(</span>"
#define CLOSE "<span class=\"plain\">)</span>"

static const struct {
    const char *encoding, *part;
} cases[] = {
    {"rope",
     "w<sub>i</sub> = <a href=\"#p-base\">base</a><sup>" OPEN "-2i/r" CLOSE "</sup>, i = 0"},
    {"rope", "A = attention factor"}, /* a word, not the parameter */
    {"laplacian-pe", "D<sup>-1/2</sup> A D<sup>-1/2</sup> "},
    {"causal-mask", "k &lt;= q"},
    {"detr-sine3d", "e<sub>2F</sub>(z)"},
    {"rope2d-axial", "w<sub>dim/4-1</sub>"},
    {"dynamic-bias", "<a href=\"#p-w_out\">w_out</a> x"},
    {"vjepa2-rope", "g<sub>2t+1</sub> = x<sub>2t</sub>"},
    {"temporal-cos", "<sup>" OPEN "-u_c" CLOSE "</sup>"},
    {"properties", "w_last"},
};

START_TEST(indices_exponents_and_parameters_are_marked)
{
    char *text = formula_of(cases[_i].encoding);

    ck_assert_msg(strstr(text, cases[_i].part), "%s: %s", cases[_i].part, text);
    free(text);
}
END_TEST

START_TEST(on_another_page_parameters_are_links_to_the_page_of_the_encoding)
{
    struct buffer out = {0};

    formula_add(&out, pe_find("rope", 4), "/x");
    ck_assert_ptr_nonnull(strstr(out.bytes, "<a href=\"/x/docs/rope#p-base\">base</a>"));
    buffer_fini(&out);
}
END_TEST

/* Leaves out tags and escaped characters, none of which is a letter. */
static void strip(char *html)
{
    char *to = html;

    for (const char *from = html; *from; from++)
        if (*from == '<' || *from == '&')
            from = strchr(from, *from == '<' ? '>' : ';');
        else
            *to++ = *from;
    *to = '\0';
}

static size_t count_of(const char *text, const char *letters)
{
    size_t count = 0;

    for (; *text; text++)
        count += strchr(letters, *text) != NULL;
    return count;
}

START_TEST(no_letter_of_a_formula_is_lost)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789[]*/+=|";
    const char *name = pe_name(pe_at((size_t)_i)), *plain = pe_formula(pe_at((size_t)_i));
    char *text = formula_of(name);

    strip(text);
    ck_assert_msg(count_of(text, letters) == count_of(plain, letters), "%s: %s", name, text);
    free(text);
}
END_TEST

SUITE(formula, TEST(on_another_page_parameters_are_links_to_the_page_of_the_encoding),
      TEST_EACH(indices_exponents_and_parameters_are_marked, cases),
      TEST_COUNTED(no_letter_of_a_formula_is_lost, pe_count));
