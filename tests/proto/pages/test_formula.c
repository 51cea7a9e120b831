/* SPDX-License-Identifier: Apache-2.0
 * test_formula.c - tests formulas as HTML with MathML: their terms, and of every encoding that
 * the text alone is that of the formula, and that the elements are right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pages/formula.h"
#include "tests/support/suite.h"

static char *formula_of(const struct pe_encoding *enc, const char *base)
{
    struct buffer out = {0};
    size_t len;

    formula_add(&out, enc, base);
    char *text = buffer_take(&out, &len);
    ck_assert_ptr_nonnull(text);
    return text;
}

#define PLAIN(TEXT) "<mtext class=\"plain\">" TEXT "</mtext>"
#define WORD(TEXT) "<mi mathvariant=\"normal\">" TEXT "</mi>"
#define PARAM(NAME) "<mi mathvariant=\"normal\" class=\"param\">" NAME "</mi>"
#define LINK(NAME, TITLE) "<a href=\"#p-" NAME "\" title=\"" TITLE "\"><math>"
#define BASE "base of the geometric frequencies (theta, rope_theta, max_timescale)"
#define MINUS "<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−</mo>"
#define HALF                                                                                   \
    "<mrow>" PLAIN("^") "<mo form=\"prefix\">−</mo><mfrac><mrow><mn>1</mn></mrow>"           \
                        "<mrow>" PLAIN("/") "<mn>2</mn></mrow></mfrac></mrow>"

static const struct {
    const char *encoding, *part;
} cases[] = {
    {"rope",
     LINK("base", BASE) "<msub><mi>w</mi><mrow>" PLAIN("_") "<mi>i</mi></mrow></msub> "},
    {"rope", "<mo>=</mo> <msup>" PARAM("base") "<mrow>" PLAIN("^(")},
    {"rope", "<math><mi>A</mi> <mo>=</mo> " WORD("attention") "</math> factor"}, /* no link */
    {"laplacian-pe", "<msup><mi>D</mi>" HALF "</msup>"},
    {"laplacian-pe", "<math><mi>i</mi></math>-th eigenvector"},
    {"causal-mask", "attend iff <math><mi>k</mi> <mo>≤</mo> <mi>q</mi></math>"},
    {"detr-sine3d", "<msub><mi>e</mi><mrow>" PLAIN("_") "<mn>2</mn><mi>F</mi></mrow></msub>"},
    {"rope2d-axial", PLAIN("_(") PARAM("dim") "<mo lspace=\"0\" rspace=\"0\">/</mo>"},
    {"rope2d-axial", "angles of a <math>" WORD("patch") "</math> <math><mo form=\"infix\""},
    {"dynamic-bias", PARAM("w_out") " <mspace width=\"0.25em\"></mspace><mi>x</mi>"},
    {"temporal-cos", "<msup><msqrt>" PLAIN("sqrt(") PARAM("dim") PLAIN(")") "</msqrt>"},
    {"rope-golden-gate", "<msqrt>" PLAIN("sqrt ") "<mn>5</mn></msqrt>"},
    {"retnet-decay", "<msubsup><mi>γ</mi><mrow>" PLAIN("_") "<mi>h</mi></mrow><mrow>"},
    {"properties", "<msub><mi>w</mi><mrow>" PLAIN("_") "<mtext>last</mtext></mrow></msub>"},
    {"causal-with-blocks-mask", "<mo stretchy=\"false\">⌊</mo><mi>k</mi> <mo>/</mo> " PARAM(
                                    "block") "<mo stretchy=\"false\">⌋</mo>"},
    {"forgetting", "<mi>i</mi></math> of "},
    {"rope", "<mo>−</mo> <mn>1</mn><mo lspace=\"0\" rspace=\"0\">,</mo></math> changed by"},
    {"kerple", "log: <math>" MINUS "<mi>p</mi> <mspace"},
    {"bigbird-mask", "<mo form=\"prefix\" stretchy=\"false\">|</mo><mi>a</mi> <mo>−</mo> "
                     "<mi>c</mi><mo form=\"postfix\" stretchy=\"false\">|</mo>"},
    {"rope-angles", "<mi>a</mi> <mspace width=\"0.25em\"></mspace>" WORD("sin")},
    {"axial-relative-logits",
     "<math><mo form=\"infix\" lspace=\"0\" rspace=\"0.25em\">⋅</mo> " PARAM("table_w")},
    {"natten-mask", "<mi>L</mi><mi>′</mi>"},
};

START_TEST(terms_are_elements)
{
    const char *name = cases[_i].encoding;
    char *text = formula_of(pe_find(name, strlen(name)), NULL);

    ck_assert_msg(strstr(text, cases[_i].part), "%s: %s", cases[_i].part, text);
    free(text);
}
END_TEST

START_TEST(a_link_has_one_term_with_the_name_of_its_parameter)
{
    char *html = formula_of(pe_at((size_t)_i), "");

    for (char *at = strstr(html, "<a "), *end; at; at = strstr(end + 1, "<a ")) {
        char name[64] = "";

        ck_assert_int_eq(sscanf(strstr(at, "#p-"), "#p-%63[^\"]\" title=", name), 1);
        end = strstr(at, "</math></a>");
        ck_assert_ptr_nonnull(end);
        *end = '\0';
        ck_assert_msg(strstr(at, " class=\"param\">"), "%s", at);
        ck_assert_msg(!strstr(at + 1, "<a "), "%s", at);
    }
    free(html);
}
END_TEST

START_TEST(on_another_page_parameters_are_links_to_the_page_of_the_encoding)
{
    char *text = formula_of(pe_find("rope", 4), "/x");

    ck_assert_ptr_nonnull(strstr(text, "<a href=\"/x/docs/rope#p-base\" "));
    free(text);
}
END_TEST

/* ---- every encoding ------------------------------------------------------------------ */

/* A spelling in the source of a formula, and the symbol that the page has for it. */
static const struct {
    const char *text, *symbol;
} symbols[] = {
    {"alpha", "α"}, {"delta", "δ"}, {"gamma", "γ"}, {"lambda", "λ"}, {"omega", "ω"},
    {"phi", "φ"},   {"pi", "π"},    {"psi", "ψ"},   {"sigma", "σ"},  {"theta", "θ"},
    {"zeta", "ζ"},  {"..", "…"},    {"<=", "≤"},    {">=", "≥"},     {"!=", "≠"},
    {"->", "→"},    {"-", "−"},     {"*", "×"},     {".", "⋅"},      {"floor(", "⌊"},
    {"ceil(", "⌈"}, {")", "⌋"},     {")", "⌉"},     {"'", "′"},      {"<", "&lt;"},
    {">", "&gt;"},  {"&", "&amp;"}, {"'", "&#39;"},
};

/* Writes the text of HTML as a formula spells it. */
static char *spelled(const char *html)
{
    struct buffer out = {0};
    size_t len;

    while (*html) {
        size_t i = 0;

        if (*html == '<') {
            html = strchr(html, '>') + 1;
            continue;
        }
        for (; i < sizeof symbols / sizeof symbols[0]; i++)
            if (strncmp(html, symbols[i].symbol, strlen(symbols[i].symbol)) == 0)
                break;
        if (i < sizeof symbols / sizeof symbols[0]) {
            buffer_add_text(&out, symbols[i].text);
            html += strlen(symbols[i].symbol);
        } else {
            buffer_add(&out, html++, 1);
        }
    }
    return buffer_take(&out, &len);
}

/* An ellipsis has three dots or two, and is one symbol. */
static void shorten(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++)
        if (strncmp(from, "...", 3) != 0)
            *to++ = *from;
    *to = '\0';
}

START_TEST(the_text_alone_is_the_formula)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    char *html = formula_of(enc, NULL), *text = spelled(html),
         *formula = strdup(pe_formula(enc));

    shorten(formula);
    ck_assert_str_eq(text, formula);
    free(html);
    free(text);
    free(formula);
}
END_TEST

/* Elements, and how many of them each holds; 0: any number. */
static const struct {
    const char *name;
    int elements;
} known[] = {{"math", 0},  {"mrow", 0}, {"mi", 0},    {"mn", 0},      {"mo", 0},
             {"mtext", 0}, {"msup", 2}, {"msub", 2},  {"msubsup", 3}, {"mfrac", 2},
             {"msqrt", 0}, {"a", 0},    {"mspace", 0}};

static size_t find_known(const char *tag)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == strcspn(tag, " >") &&
            strncmp(known[i].name, tag, strlen(known[i].name)) == 0)
            return i;
    ck_abort_msg("unknown element: %.20s", tag);
}

START_TEST(elements_are_closed_in_order_and_have_their_parts)
{
    char *html = formula_of(pe_at((size_t)_i), "");
    size_t open[32], depth = 0;
    int parts[32] = {0};

    for (const char *at = strchr(html, '<'); at; at = strchr(at + 1, '<'))
        if (at[1] != '/') {
            parts[depth]++;
            ck_assert_uint_lt(depth, 31);
            open[depth++] = find_known(at + 1);
            parts[depth] = 0;
        } else {
            ck_assert_uint_gt(depth, 0);
            depth--;
            ck_assert_uint_eq(open[depth], find_known(at + 2));
            ck_assert_msg(known[open[depth]].elements == 0 ||
                              known[open[depth]].elements == parts[depth + 1],
                          "%s", html);
        }
    ck_assert_uint_eq(depth, 0);
    free(html);
}
END_TEST

/* No browser breaks a line inside <math>, and a narrow page has 296 pixels. */
START_TEST(no_term_is_longer_than_a_narrow_page)
{
    enum { MOST = 44 }; /* letters, of which an index or exponent has smaller ones */
    char *html = formula_of(pe_at((size_t)_i), "");

    for (char *at = strstr(html, "<math"), *end; at; at = strstr(end + 1, "<math")) {
        end = strstr(at, "</math>");
        *end = '\0';
        char *text = spelled(at);
        ck_assert_msg(strlen(text) <= MOST, "%s", text);
        free(text);
    }
    free(html);
}
END_TEST

SUITE(formula, TEST(on_another_page_parameters_are_links_to_the_page_of_the_encoding),
      TEST_EACH(terms_are_elements, cases),
      TEST_COUNTED(a_link_has_one_term_with_the_name_of_its_parameter, pe_count),
      TEST_COUNTED(the_text_alone_is_the_formula, pe_count),
      TEST_COUNTED(elements_are_closed_in_order_and_have_their_parts, pe_count),
      TEST_COUNTED(no_term_is_longer_than_a_narrow_page, pe_count));
