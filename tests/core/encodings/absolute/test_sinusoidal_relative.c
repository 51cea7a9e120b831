/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal_relative.c - a law beyond the rows of sinusoidal_relative.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(a_vector_is_the_row_that_the_index_names)
{
    static const char pairs[] = "q=0:40:3&k=10:30&max_distance=7&dim=16&dtype=f64";
    size_t count;
    double *vectors = core_query_values("sinusoidal-relative", pairs, "vectors", &count),
           *table =
               core_query_values("sinusoidal-relative",
                                 "max_distance=7&dim=16&dtype=f64&out=table", "table", NULL),
           *index =
               core_query_values("sinusoidal-relative",
                                 "q=0:40:3&k=10:30&max_distance=7&out=index", "index", NULL);

    ck_assert_uint_eq(count, (size_t)14 * 20 * 16);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(vectors[i], table[(size_t)index[i / 16] * 16 + i % 16]);
    free(vectors);
    free(table);
    free(index);
}
END_TEST

SUITE(sinusoidal_relative, TEST(a_vector_is_the_row_that_the_index_names));
