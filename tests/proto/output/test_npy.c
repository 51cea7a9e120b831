/* SPDX-License-Identifier: Apache-2.0
 * test_npy.c - tests headers to the byte, and data as the plan fills it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

static const struct {
    const char *encoding, *query, *dictionary;
    size_t element;
} cases[] = {
    {"rope", "pos=0:128&dim=128&out=cos",
     "{'descr': '<f4', 'fortran_order': False, 'shape': (128, 64), }", 4},
    {"rope", "pos=0:3&dim=8&out=cos&dtype=f64",
     "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }", 8},
    {"rope", "pos=0:3&dim=8&out=cos&dtype=f16",
     "{'descr': '<f2', 'fortran_order': False, 'shape': (3, 4), }", 2},
    {"rope", "pos=0:0&dim=8&out=cos",
     "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), }", 4},
    {"rope", "dim=8&out=inv_freq", "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }",
     4},
    {"rope", "dim=8&out=attention_factor",
     "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 4},
    {"rope", "pos=0:2&dim=4&out=matrix",
     "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4, 4), }", 4},
};

START_TEST(the_header_is_exact)
{
    char query[128];
    size_t len;

    snprintf(query, sizeof query, "%s&format=npy", cases[_i].query);
    char *bytes = ask_answer(cases[_i].encoding, query, &len);
    ck_assert_uint_ge(len, 64);
    ck_assert_mem_eq(bytes, "\x93NUMPY\x01\x00", 8);
    size_t header = (size_t)(unsigned char)bytes[8] + ((size_t)(unsigned char)bytes[9] << 8);
    ck_assert_uint_eq((header + 10) % 64, 0);
    ck_assert_uint_lt(header + 10, strlen(cases[_i].dictionary) + 11 + 64);
    ck_assert_mem_eq(bytes + 10, cases[_i].dictionary, strlen(cases[_i].dictionary));
    for (size_t i = strlen(cases[_i].dictionary); i < header - 1; i++)
        ck_assert_int_eq(bytes[10 + i], ' ');
    ck_assert_int_eq(bytes[10 + header - 1], '\n');
    ck_assert_uint_eq((len - header - 10) % cases[_i].element, 0);
    free(bytes);
}
END_TEST

START_TEST(the_data_is_what_the_plan_fills)
{
    struct ask ask;
    size_t len;
    float direct[4 * 4];
    void *slots[PE_MAX_OUTPUTS] = {NULL};

    ask_query(&ask, "rope", "pos=7,1,2,900&dim=8&out=sin&format=npy", NULL);
    const struct pe_tensor_info *tensor = pe_plan_tensor(ask.plan, 0);
    const struct pe_rect rect = {.rows = 4, .cols = 4};
    void *scratch = aligned_alloc(64, pe_plan_scratch(ask.plan, 16) / 64 * 64 + 64);
    slots[tensor->slot] = direct;
    pe_fill(ask.plan, tensor->group, &rect, slots, NULL, scratch);
    char *bytes = ask_read(&ask, 4096, &len);
    ck_assert_uint_eq(len, 128 + sizeof direct);
    ck_assert_mem_eq(bytes + 128, direct, sizeof direct);
    free(bytes);
    free(scratch);
    ask_free(&ask);
}
END_TEST

SUITE(npy, TEST_EACH(the_header_is_exact, cases), TEST(the_data_is_what_the_plan_fills));
