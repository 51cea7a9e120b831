/* SPDX-License-Identifier: Apache-2.0
 * test_tensor_fill.c - bytes of every type, order of bytes and order of axes become the same
 * tensor, however they are cut. */
#include "proto/tensors/tensor_fill.h"

#include <string.h>

#include "tests/support/suite.h"

enum { A = 2, B = 3, C = 5, BYTES_MAX = A * B * C * 16 };

static const char *const codes[] = {"f2", "f4", "f8", "i1", "i2", "i4", "i8",
                                    "u1", "u2", "u4", "u8", "b1", "c8", "c16"};

/* Writes part number `part` of element (a, b, c): the value's byte i is different for each. */
static void put_part(unsigned char *at, const struct element_type *type, bool big_endian,
                     unsigned seed)
{
    for (size_t i = 0; i < type->size; i++)
        at[big_endian ? type->size - 1 - i : i] =
            (unsigned char)(type->keep == ELEMENT_TRUTH ? seed % 2
                                                        : (seed * 7 + i * 31) & 0x7f);
}

/* Writes a body of A x B x C elements; returns its length. */
static size_t write_body(unsigned char *body, const struct tensor_layout *layout)
{
    const struct element_type *type = layout->type;

    for (unsigned a = 0; a < A; a++)
        for (unsigned b = 0; b < B; b++)
            for (unsigned c = 0; c < C; c++)
                for (unsigned part = 0; part < type->parts; part++) {
                    const unsigned place =
                        layout->fortran ? (c * B + b) * A + a : (a * B + b) * C + c;

                    put_part(body + (place * type->parts + part) * type->size, type,
                             layout->big_endian, ((a * B + b) * C + c) * 2 + part);
                }
    return A * B * C * type->parts * type->size;
}

static void fill(const struct tensor_layout *layout, const unsigned char *body, size_t len,
                 size_t chunk, unsigned char *out)
{
    struct tensor_fill state;

    memset(out, 0xa5, BYTES_MAX);
    tensor_fill_begin(&state, layout, out);
    ck_assert_uint_eq(state.left, len);
    for (size_t at = 0; at < len; at += chunk) {
        const size_t part = len - at < chunk ? len - at : chunk;

        ck_assert(tensor_fill_add(&state, (const char *)body + at, part));
    }
    ck_assert_uint_eq(state.left, 0);
}

START_TEST(a_type_is_read_in_every_order_and_in_pieces_of_any_size)
{
    struct tensor_layout layout = {.type = element_type_find_npy(codes[_i]),
                                   .rank = 3,
                                   .dims = {A, B, C}};
    unsigned char body[BYTES_MAX], expected[BYTES_MAX], got[BYTES_MAX];
    size_t len = write_body(body, &layout);

    ck_assert(
        element_type_read(layout.type, false, expected, 1, body, len / layout.type->size));
    const size_t kept = len / layout.type->size * pe_dtype_size(layout.type->dtype);
    for (int order = 0; order < 4; order++) {
        layout.fortran = order % 2 == 1;
        layout.big_endian = order / 2 == 1;
        len = write_body(body, &layout);
        for (size_t chunk = 1; chunk <= len; chunk++) {
            fill(&layout, body, len, chunk, got);
            ck_assert_mem_eq(got, expected, kept);
        }
    }
}
END_TEST

START_TEST(an_axis_of_one_or_of_none_has_no_order)
{
    struct tensor_layout layout = {.type = element_type_find_npy("f4"),
                                   .fortran = true,
                                   .rank = 3,
                                   .dims = {1, 0, 7}};
    const float numbers[] = {1, 2, 3};
    unsigned char out[BYTES_MAX];

    fill(&layout, NULL, 0, 1, out);
    layout = (struct tensor_layout){.type = layout.type,
                                    .fortran = true,
                                    .rank = 4,
                                    .dims = {1, 3, 1, 1}};
    fill(&layout, (const unsigned char *)numbers, sizeof numbers, 5, out);
    ck_assert_mem_eq(out, numbers, sizeof numbers);
}
END_TEST

/* A body in Fortran order reaches a page with each element. */
START_TEST(memory_is_counted_before_it_becomes_resident)
{
    struct tensor_layout layout = {.type = element_type_find_npy("i2"),
                                   .rank = 2,
                                   .dims = {1024, 1024}};
    struct tensor_fill state;
    char unused[1];

    tensor_fill_begin(&state, &layout, unused);
    ck_assert_uint_eq(tensor_fill_touches(&state, 10), 20);
    ck_assert_uint_eq(tensor_fill_touches(&state, 1), 0);
    layout.fortran = true;
    tensor_fill_begin(&state, &layout, unused);
    ck_assert_uint_eq(tensor_fill_touches(&state, 10), 5 * 4096);
    layout =
        (struct tensor_layout){.type = element_type_find_npy("f4"), .rank = 1, .dims = {1024}};
    tensor_fill_begin(&state, &layout, unused);
    ck_assert_uint_eq(tensor_fill_touches(&state, 10), 10);
}
END_TEST

SUITE(tensor_fill, TEST_EACH(a_type_is_read_in_every_order_and_in_pieces_of_any_size, codes),
      TEST(an_axis_of_one_or_of_none_has_no_order),
      TEST(memory_is_counted_before_it_becomes_resident));
