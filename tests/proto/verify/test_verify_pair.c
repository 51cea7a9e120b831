/* SPDX-License-Identifier: Apache-2.0
 * test_verify_pair.c - two files compared with each other, tensor by tensor. */
#include <math.h>
#include <string.h>

#include "proto/verify/verify_pair.h"
#include "tests/proto/support/verdicts.h"
#include "tests/support/suite.h"

static void put(struct tensor_set *set, size_t tensor, uint64_t element, double value)
{
    const enum pe_dtype dtype = set->at[tensor].info.dtype;
    char *data = set->at[tensor].data;

    pe_dtype_from_f64(dtype, data + element * pe_dtype_size(dtype), &value, 1);
}

static void check(const struct tensor_set *one, const struct tensor_set *other, double atol,
                  double rtol, bool equal, const char *lines)
{
    struct verify_pairs pairs;
    struct buffer out = {0};

    verify_pair_all(&pairs, one, other, atol, rtol);
    verify_pair_write(&out, &pairs);
    ck_assert_str_eq(out.bytes, lines);
    ck_assert(pairs.equal == equal);
    buffer_fini(&out);
}

START_TEST(tensors_are_paired_by_their_names)
{
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[2,3],b[4],c[2]");
    verdicts_add_tensors(&other, "d[4],b[4],a[3,2]");
    check(&one, &other, 0, 0, false,
          "  a  f32 2x3 against f32 3x2  another shape\n"
          "  b  f32 4  equal\n"
          "  c  only in the first file\n"
          "  d  only in the other file\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(two_files_of_one_tensor_need_no_names)
{
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[2,3]");
    verdicts_add_tensors(&other, "b[2,3]");
    check(&one, &other, 0, 0, true, "  a  f32 2x3  equal\n");
    put(&one, 0, 2, 0.5);
    put(&one, 0, 4, -2);
    check(&one, &other, 0, 0, false,
          "  a  f32 2x3  2 of 6 elements differ, first [0,2], worst 2 at [1,1]\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(a_tolerance_is_absolute_and_relative_to_the_right_number)
{
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[1]");
    verdicts_add_tensors(&other, "a[1]");
    put(&one, 0, 0, 10.5);
    put(&other, 0, 0, 10);
    check(&one, &other, 0.5, 0, true, "  a  f32 1  equal\n");
    check(&one, &other, 0, 0.05, true, "  a  f32 1  equal\n");
    check(&one, &other, 0.4, 0, false,
          "  a  f32 1  1 of 1 elements differ, first [0], worst 0.5 at [0]\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(nan_is_equal_to_nan_alone)
{
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[2]");
    verdicts_add_tensors(&other, "a[2]");
    put(&one, 0, 0, NAN);
    put(&other, 0, 0, NAN);
    check(&one, &other, 0, 0, true, "  a  f32 2  equal\n");
    put(&other, 0, 1, NAN);
    check(&one, &other, 1e9, 0, false,
          "  a  f32 2  1 of 2 elements differ, first [1], worst inf at [1]\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(no_tolerance_is_as_large_as_infinity)
{
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[2]");
    verdicts_add_tensors(&other, "a[2]");
    put(&one, 0, 0, -INFINITY);
    put(&other, 0, 0, -INFINITY);
    put(&other, 0, 1, -INFINITY);
    check(&one, &other, 1, 1e-5, false,
          "  a  f32 2  1 of 2 elements differ, first [1], worst inf at [1]\n");
    put(&one, 0, 1, INFINITY);
    check(&one, &other, 1, 1e-5, false,
          "  a  f32 2  1 of 2 elements differ, first [1], worst inf at [1]\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(a_narrower_dtype_may_be_half_a_step_off)
{
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[2]");
    verdicts_add_tensors(&other, "a[2]");
    one.at[0].info.dtype = PE_F16;
    one.at[0].bytes = 4;
    put(&one, 0, 0, 1 + 0x1p-10);
    put(&other, 0, 0, 1 + 0x1p-10 + 0x1p-12);
    check(&one, &other, 0, 0, true, "  a  f16 2 against f32 2  equal\n");
    put(&one, 0, 0, 0x1p-24); /* a step of subnormal numbers is no share of them */
    put(&other, 0, 0, 0x1.4p-24);
    check(&one, &other, 0, 0, true, "  a  f16 2 against f32 2  equal\n");
    put(&one, 0, 0, 1 + 0x1p-10);
    put(&other, 0, 0, 1 + 0x1p-9);
    check(
        &one, &other, 0, 0, false,
        "  a  f16 2 against f32 2  1 of 2 elements differ, first [0], worst 0.00098 at [0]\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

START_TEST(whole_numbers_are_equal_by_their_bytes)
{
    static const int64_t numbers[] = {INT64_C(1) << 53, (INT64_C(1) << 53) + 1};
    struct tensor_set one = {0}, other = {0};

    verdicts_add_tensors(&one, "a[2]");
    verdicts_add_tensors(&other, "a[2]");
    one.at[0].info.dtype = other.at[0].info.dtype = PE_I64; /* one of two float32's memory */
    one.at[0].info.dims[0] = other.at[0].info.dims[0] = 1;
    memcpy(one.at[0].data, &numbers[0], 8);
    memcpy(other.at[0].data, &numbers[1], 8);
    check(&one, &other, 0, 0, false,
          "  a  i64 1  1 of 1 elements differ, first [0], worst 1 at [0]\n");
    check(&one, &other, 1, 0, true, "  a  i64 1  equal\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

/* A mask of two queries and three keys, which hides one key. */
static void put_mask(struct tensor_set *set, uint64_t hidden, double hides, double sees)
{
    for (uint64_t i = 0; i < 6; i++)
        put(set, 0, i, i == hidden ? hides : sees);
}

START_TEST(masks_are_compared_by_the_keys_that_they_hide)
{
    struct tensor_set one = {0}, other = {0}, truth = {0};
    const struct pe_tensor info = {.dtype = PE_BOOL8, .rank = 2, .dims = {2, 3}};

    verdicts_add_tensors(&one, "a[2,3]");
    verdicts_add_tensors(&other, "a[2,3]");
    tensor_set_add(&truth, "a", &info);
    ck_assert(tensor_set_allocate(&truth));
    put_mask(&one, 2, -(double)INFINITY, 0);
    put_mask(&other, 2, -1e9, 0);
    put_mask(&truth, 2, 0, 1);
    check(&one, &other, 0, 0, true,
          "  a  f32 2x3  hides the same keys, by -inf where the other has -1e+09\n");
    check(&truth, &other, 0, 0, true,
          "  a  bool 2x3 against f32 2x3  hides the same keys, by truth values where the other "
          "has -1e+09\n");
    put_mask(&truth, 2, 1, 0);
    check(&other, &truth, 0, 0, true,
          "  a  f32 2x3 against bool 2x3  hides the same keys, by -1e+09 where the other has "
          "truth values\n");
    put(&one, 0, 4, -(double)INFINITY);
    check(
        &one, &other, 0, 0, false,
        "  a  f32 2x3  1 of 6 keys are hidden in one alone, first [1,1]; hidden by -inf where "
        "the other has -1e+09\n");
    put(&one, 0, 4, -0.5); /* a bias, and no mask */
    check(&one, &other, 0, 0, false,
          "  a  f32 2x3  2 of 6 elements differ, first [0,2], worst inf at [0,2]\n");
    tensor_set_fini(&one);
    tensor_set_fini(&other);
    tensor_set_fini(&truth);
}
END_TEST

START_TEST(json_has_a_word_about_each_pair)
{
    struct tensor_set one = {0}, other = {0};
    struct verify_pairs pairs;
    struct buffer out = {0};

    verdicts_add_tensors(&one, "a[2,2],b[4],c[2]");
    verdicts_add_tensors(&other, "b[4],a[2,2],c[3],d[1]");
    put(&one, 0, 3, -1);
    verify_pair_all(&pairs, &one, &other, 0, 0);
    verify_pair_write_json(&out, "tensors", &pairs);
    ck_assert_str_eq(out.bytes, "\"tensors\":[{\"name\":\"a\",\"is\":\"differs\",\"differs\":1,"
                                "\"of\":4,\"first\":[1,1],\"max_abs\":1,\"max_abs_at\":[1,1]},"
                                "{\"name\":\"b\",\"is\":\"equal\"},{\"name\":\"c\",\"is\":"
                                "\"shape\"},{\"name\":\"d\",\"is\":\"only-there\"}]");
    buffer_fini(&out);
    tensor_set_fini(&one);
    tensor_set_fini(&other);
}
END_TEST

SUITE(verify_pair, TEST(tensors_are_paired_by_their_names),
      TEST(two_files_of_one_tensor_need_no_names),
      TEST(a_tolerance_is_absolute_and_relative_to_the_right_number),
      TEST(nan_is_equal_to_nan_alone), TEST(no_tolerance_is_as_large_as_infinity),
      TEST(a_narrower_dtype_may_be_half_a_step_off),
      TEST(whole_numbers_are_equal_by_their_bytes),
      TEST(masks_are_compared_by_the_keys_that_they_hide),
      TEST(json_has_a_word_about_each_pair));
