/* SPDX-License-Identifier: Apache-2.0
 * test_slopes_line.c - many products of a slope at once, against one at a time. */
#include <math.h>
#include <stdint.h>

#include "core/math/relative/slopes.h"
#include "core/posenc.h"
#include "tests/support/suite.h"

START_TEST(a_line_has_the_bits_of_single_products_on_each_path)
{
    enum { COUNT = 300 };
    const struct slope slopes[] = {{0.5, 0}, {-0x1.6a09e667f3bcdp-1, 0x1.bdd3413b26456p-55}};
    const double firsts[] = {-150, 9007199254740000, -0.75}, steps[] = {1, -3, 0.5};
    const size_t path = pe_cpu_path();
    double out[COUNT];
    for (size_t i = 0; i < pe_cpu_path_count(); i++) {
        if (!pe_cpu_path_set(i))
            continue;
        for (int line = 0; line < 12; line++) {
            const struct slope slope = slopes[line % 2];
            const double first = firsts[line % 3], step = steps[line % 3];
            const bool sizes = line % 4 < 2;

            slopes_line(slope, sizes, first, step, COUNT, out);
            for (int t = 0; t < COUNT; t++) {
                const double distance = first + step * t;

                ck_assert(out[t] == slopes_times(slope, sizes ? fabs(distance) : distance));
            }
        }
    }
    ck_assert(pe_cpu_path_set(path));
}
END_TEST

SUITE(slopes_line, TEST(a_line_has_the_bits_of_single_products_on_each_path));
