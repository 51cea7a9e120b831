/* SPDX-License-Identifier: Apache-2.0
 * test_rope.c - cosines and sines that rotate: the laws of rotation, and what scaling does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- published numbers --------------------------------------------------------------- */

START_TEST(the_hugging_face_width_of_phi_is_rounded_down)
{
    size_t count;
    double *freq = core_query_values("rope", "dim=80&partial_rotary_factor=0.4&out=inv_freq",
                                     "inv_freq", &count);

    ck_assert_uint_eq(count, 16);
    free(freq);
}
END_TEST

/* ---- laws ---------------------------------------------------------------------------- */

struct table {
    double *cos, *sin;
    size_t count;
};

static struct table table_of(const char *query)
{
    struct table table;

    table.cos = core_query_values("rope", query, "cos", &table.count);
    table.sin = core_query_values("rope", query, "sin", NULL);
    return table;
}

static void table_free(struct table *table)
{
    free(table->cos);
    free(table->sin);
}

static const struct {
    const char *dtype;
    double within; /* of 1, for a square of each */
} precisions[] = {{"f64", 0x1p-51}, {"f32", 0x1p-23}, {"f16", 0x1p-10}, {"bf16", 0x1p-7}};

START_TEST(squares_of_cosine_and_sine_add_to_one)
{
    char query[200];
    struct table t;

    snprintf(query, sizeof query, "pos=-300:900:3,9007199254740992&dim=64&base=500000&dtype=%s",
             precisions[_i].dtype);
    t = table_of(query);
    for (size_t i = 0; i < t.count; i++)
        ck_assert_double_eq_tol(t.cos[i] * t.cos[i] + t.sin[i] * t.sin[i], 1,
                                precisions[_i].within);
    table_free(&t);
}
END_TEST

START_TEST(angles_add)
{
    struct table a = table_of("pos=0,1,17,-4096,0.75,1000003&dim=32&dtype=f64");
    struct table b = table_of("pos=5,-1,40000,4096,1.5,999999999989&dim=32&dtype=f64");
    struct table sum = table_of("pos=5,0,40017,0,2.25,1000000999992&dim=32&dtype=f64");

    for (size_t i = 0; i < a.count; i++) {
        ck_assert_double_eq_tol(a.cos[i] * b.cos[i] - a.sin[i] * b.sin[i], sum.cos[i], 4e-16);
        ck_assert_double_eq_tol(a.sin[i] * b.cos[i] + a.cos[i] * b.sin[i], sum.sin[i], 4e-16);
    }
    table_free(&a);
    table_free(&b);
    table_free(&sum);
}
END_TEST

START_TEST(sines_are_odd_and_cosines_even_in_the_position)
{
    struct table plus = table_of("pos=0:700&dim=16&dtype=f32");
    struct table minus = table_of("pos=0:-700:-1&dim=16&dtype=f32");

    for (size_t i = 0; i < plus.count; i++) {
        ck_assert(minus.cos[i] == plus.cos[i]);
        ck_assert(minus.sin[i] == -plus.sin[i]);
    }
    table_free(&plus);
    table_free(&minus);
}
END_TEST

/* The dot product of a rotated query and a rotated key depends on their distance alone. */
START_TEST(scores_depend_on_distance_alone)
{
    static const double q[] = {1, -2, 0.5, 3, 0.25, -1, 2, 1.5};
    static const double k[] = {0.5, 1, -1, 2, 3, -0.75, 1, 0.125};
    struct table t = table_of("pos=5,2,1005,1002,-95,-98&dim=8&dtype=f64");
    double scores[3];

    for (size_t i = 0; i < 3; i++) {
        scores[i] = 0;
        for (size_t pair = 0; pair < 4; pair++) {
            const double *c = t.cos + i * 8, *s = t.sin + i * 8; /* rows 2i and 2i + 1 */
            double qx = q[pair] * c[pair] - q[pair + 4] * s[pair];
            double qy = q[pair] * s[pair] + q[pair + 4] * c[pair];
            double kx = k[pair] * c[pair + 4] - k[pair + 4] * s[pair + 4];
            double ky = k[pair] * s[pair + 4] + k[pair + 4] * c[pair + 4];

            scores[i] += qx * kx + qy * ky;
        }
    }
    ck_assert_double_eq_tol(scores[0], scores[1], 1e-14);
    ck_assert_double_eq_tol(scores[0], scores[2], 1e-14);
    table_free(&t);
}
END_TEST

/* The steps of Hugging Face in float are e = fl(2i)/fl(r), w = 1/powf(base, e), fl(pos) * w. */
START_TEST(the_float32_profile_takes_float32_steps)
{
    struct table t =
        table_of("pos=0,1,4095,131071,16777217&dim=16&base=500000&profile=f32-pow&dtype=f64");
    static const float positions[] = {0, 1, 4095, 131071, 16777217.0F};

    for (size_t row = 0; row < 5; row++) {
        for (size_t i = 0; i < 8; i++) {
            float e = (float)(2 * i) / 16.0F;
            float w = 1.0F / (float)pow(500000, (double)e);
            float angle = positions[row] * w;

            ck_assert_msg(t.cos[row * 8 + i] == (double)(float)cos((double)angle) &&
                              t.sin[row * 8 + i] == (double)(float)sin((double)angle),
                          "row %zu, pair %zu: %.9g %.9g", row, i, t.cos[row * 8 + i],
                          t.sin[row * 8 + i]);
        }
    }
    table_free(&t);
}
END_TEST

SUITE(rope, TEST(the_hugging_face_width_of_phi_is_rounded_down),
      TEST_EACH(squares_of_cosine_and_sine_add_to_one, precisions), TEST(angles_add),
      TEST(sines_are_odd_and_cosines_even_in_the_position),
      TEST(scores_depend_on_distance_alone), TEST(the_float32_profile_takes_float32_steps));
