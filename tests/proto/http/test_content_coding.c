/* SPDX-License-Identifier: Apache-2.0
 * test_content_coding.c - tests which responses have a gzip variant; content_coding.txt has
 * what clients accept. */
#include <string.h>

#include "proto/http/content_coding.h"
#include "proto/http/format.h"
#include "tests/support/suite.h"

START_TEST(text_has_a_variant_and_binary_where_it_repeats_itself)
{
    static const bool repeats[] = {
        [PE_ABSOLUTE] = false, [PE_ROTARY] = false,  [PE_BIAS] = true,   [PE_INDEX] = true,
        [PE_MASK] = true,      [PE_SPATIAL] = false, [PE_GRAPH] = false,
    };

    for (size_t i = 0; i < format_count(); i++) {
        for (int family = PE_ABSOLUTE; family <= PE_GRAPH; family++)
            ck_assert_int_eq(content_coding_suits(format_at(i), (enum pe_family)family),
                             !format_at(i)->picture &&
                                 (!format_at(i)->binary || repeats[family]));
    }
}
END_TEST

SUITE(content_coding, TEST(text_has_a_variant_and_binary_where_it_repeats_itself));
