/* SPDX-License-Identifier: Apache-2.0
 * test_verify_picture.c - the figure of distances has a bar for each, and a panel for each
 * tensor that is wrong. */
#include <math.h>
#include <string.h>

#include "proto/verify/verify_picture.h"
#include "tests/proto/support/verdicts.h"
#include "tests/support/suite.h"

static size_t count(const char *text, const char *word)
{
    size_t found = 0;

    for (; (text = strstr(text, word)); text++)
        found++;
    return found;
}

static void draw(struct verdicts *verdicts, struct buffer *out)
{
    struct verify_picture picture = {.height = 0};

    verify_picture_add(&picture, "a<b.npz", &verdicts->request, verdicts->verdict);
    verify_picture_add(&picture, "a<b.npz", &verdicts->request, NULL);
    verify_picture_write(out, &picture);
    ck_assert(!out->failed);
    verify_picture_fini(&picture);
}

START_TEST(a_wrong_tensor_has_a_bar_for_each_distance)
{
    struct verdicts verdicts;
    struct buffer out = {0};

    verdicts_init(&verdicts, "encoding=rope&dim=4&pos=0:2", "cos[2,2],sin[2,2]");
    verdicts.verdict->tensor[0] = (struct pe_tensor_verdict){
        .kind = PE_MISTAKE,
        .role = "cos",
        .differs = 3,
        .of = 4,
        .max_abs = INFINITY,
        .has_pairs = true,
        .wrong_rows = {.step = 1, .most = {0.5, INFINITY}, .bin_count = 2},
        .wrong_columns = {.step = 1, .most = {0, 1e-30}, .bin_count = 2}};
    draw(&verdicts, &out);
    ck_assert_uint_eq(count(out.bytes, "<rect"), 4); /* the paper and three bars */
    ck_assert_uint_eq(count(out.bytes, "a&lt;b.npz: cos"), 1);
    ck_assert_uint_eq(count(out.bytes, "3 of 4 elements differ, by inf at most"), 1);
    ck_assert_uint_eq(count(out.bytes, "by pair"), 1);
    ck_assert_uint_eq(count(out.bytes, "nan"), 0);
    buffer_fini(&out);
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_long_name_loses_its_beginning_between_two_characters)
{
    struct verdicts verdicts;
    struct verify_picture picture = {.height = 0};
    struct buffer out = {0};
    struct buffer name = {0};

    for (size_t i = 0; i < 120; i++)
        buffer_add_text(&name, "\xc3\xa9");
    buffer_add_text(&name, "/end.npz");
    verdicts_init(&verdicts, "encoding=rope&dim=4&pos=0:2", "cos[2,2]");
    verdicts.verdict->tensor[0].kind = PE_MISTAKE;
    verify_picture_add(&picture, name.bytes, &verdicts.request, verdicts.verdict);
    verify_picture_write(&out, &picture);
    ck_assert_uint_eq(count(out.bytes, ">\xe2\x80\xa6\xc3\xa9"), 1);
    ck_assert_uint_eq(count(out.bytes, "/end.npz: cos<"), 1);
    ck_assert_uint_eq(count(out.bytes, "\xc3\xa9"), 84 - 1 - strlen("/end.npz: cos"));
    buffer_fini(&out);
    buffer_fini(&name);
    verify_picture_fini(&picture);
    verdicts_fini(&verdicts);
}
END_TEST

START_TEST(a_pair_that_differs_has_a_panel)
{
    struct tensor_set one = {0}, other = {0};
    struct verify_picture picture = {.height = 0};
    struct verify_pairs pairs;
    struct buffer out = {0};

    verdicts_add_tensors(&one, "a[2,3],b[4],c[2]");
    verdicts_add_tensors(&other, "a[2,3],b[4],c[3]");
    ((float *)one.at[0].data)[4] = 2;
    verify_pair_all(&pairs, &one, &other, 0, 0);
    verify_picture_add_pairs(&picture, "a.npz", &pairs);
    verify_picture_write(&out, &picture);
    ck_assert_uint_eq(count(out.bytes, "1 of 6 elements differ, by 2 at most"), 1);
    ck_assert_uint_eq(count(out.bytes, "elements differ"), 1);
    ck_assert_uint_eq(count(out.bytes, "by column"), 1);
    ck_assert_uint_eq(count(out.bytes, "<rect"), 3); /* the paper, a row and a column */
    buffer_fini(&out);
    verify_picture_fini(&picture);
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(a_figure_of_nothing_does_not_say_that_something_is_right)
{
    struct verify_picture picture = {.height = 0};
    struct buffer out = {0};

    verify_picture_write(&out, &picture);
    ck_assert_uint_eq(count(out.bytes, "No tensor was compared with right numbers."), 1);
    ck_assert_uint_eq(count(out.bytes, "is wrong"), 0);
    buffer_fini(&out);
    verify_picture_fini(&picture);
}
END_TEST

START_TEST(a_figure_without_wrong_tensors_says_so)
{
    struct verdicts verdicts;
    struct buffer out = {0};

    verdicts_init(&verdicts, "encoding=rope&dim=4&pos=0:2", "cos[2,2]");
    draw(&verdicts, &out);
    ck_assert_ptr_nonnull(strstr(out.bytes, "No tensor of the claim&#39;s shape is wrong."));
    ck_assert_uint_eq(count(out.bytes, "<rect"), 1);
    buffer_fini(&out);
    verdicts_fini(&verdicts);
}
END_TEST

SUITE(verify_picture, TEST(a_wrong_tensor_has_a_bar_for_each_distance),
      TEST(a_long_name_loses_its_beginning_between_two_characters),
      TEST(a_pair_that_differs_has_a_panel),
      TEST(a_figure_of_nothing_does_not_say_that_something_is_right),
      TEST(a_figure_without_wrong_tensors_says_so));
