/* SPDX-License-Identifier: Apache-2.0
 * test_csv_in.c - matrices as text, in the dialects of those who write them. */
#include <stdio.h>
#include <string.h>

#include "tests/proto/support/reading.h"
#include "tests/support/suite.h"

static const struct {
    const char *text, *says; /* the dims and numbers, or the error */
} rows[] = {
    {"1,2.5\n-3,4e2\n", "2 2: 1 2.5 -3 400"},
    {"1;2\r\n3;4", "2 2: 1 2 3 4"},
    {"# of a program\ncos,sin\n1 0\n\n0 1 # last\n", "2 2: 1 0 0 1"},
    {"\"a\",\"b\"\n1,inf\n-inf,nan\n", "2 2: 1 inf -inf nan"},
    {"1\n2\n3\n", "3: 1 2 3"},
    {"1 2 3", "3: 1 2 3"},
    {"1,2\n3\n", "line 2 must have 2 numbers, as the lines before it; got 1"},
    {",0,1\n0,1,2\n1,3,4,\n", "2 3: 0 1 2 1 3 4"},
    {"1,2,3\n4,,6\n", "line 2 must have a number, or nan, between its commas"},
    {"1,#\n2\n", "2: 1 2"},
    {"1,2\n3,x\n", "line 2 must have numbers, separated by commas; got x"},
    {"1,2\n0x3,4\n", "line 2 must have numbers, separated by commas; got 0x3"},
    {"a,b\nc,d\n", "the text has no numbers"},
    {"", "the text has no numbers"},
    {"# none\n", "the text has no numbers"},
};

START_TEST(text_has_rows_of_numbers)
{
    for (size_t chunk = 1; chunk < 20; chunk += 6) {
        struct reading reading;
        char text[200];
        size_t len = 0;

        reading_init(&reading);
        reading_any(&reading);
        reading_run(&reading, "text/csv", rows[_i].text, strlen(rows[_i].text), chunk);
        if (reading.state != TENSOR_OK) {
            ck_assert_str_eq(reading.error, rows[_i].says);
            reading_fini(&reading);
            continue;
        }
        const struct tensor *tensor = &reading.set.at[0];
        size_t count = 1;
        ck_assert_uint_eq(reading.set.count, 1);
        ck_assert_str_eq(tensor->name, "");
        ck_assert_str_eq(tensor->type, "f32");
        for (size_t i = 0; i < tensor->info.rank; i++) {
            count *= tensor->info.dims[i];
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", i > 0 ? " " : "",
                                    (int)tensor->info.dims[i]);
        }
        for (size_t i = 0; i < count; i++)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s %g", i == 0 ? ":" : "",
                                    (double)((const float *)tensor->data)[i]);
        ck_assert_str_eq(text, rows[_i].says);
        reading_fini(&reading);
    }
}
END_TEST

START_TEST(text_is_charged_for_its_numbers_alone)
{
    static char text[300000];
    struct reading reading;
    size_t len = 8000;

    for (size_t i = 0; i < len; i += 2)
        memcpy(text + i, "1\n", 2);
    memset(text + len, '#', sizeof text - len);
    reading_init(&reading);
    reading_any(&reading);
    reading_run(&reading, "text/csv", text, sizeof text, 5000);
    ck_assert_int_eq(reading.state, TENSOR_OK);
    ck_assert_uint_eq(reading.reserved, 4096 * sizeof(double) + 4000 * sizeof(float));
    reading_fini(&reading);
    reading_init(&reading);
    reading_any(&reading);
    reading.budget = 4095 * sizeof(double);
    reading_run(&reading, "text/csv", text, sizeof text, 5000);
    ck_assert_int_eq(reading.state, TENSOR_OVER_BUDGET);
    reading_fini(&reading);
}
END_TEST

SUITE(csv_in, TEST(text_is_charged_for_its_numbers_alone),
      TEST_EACH(text_has_rows_of_numbers, rows));
