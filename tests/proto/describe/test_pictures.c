/* SPDX-License-Identifier: Apache-2.0
 * test_pictures.c - tests that the picture of every output is worth seeing: it is answered, its
 * numbers are finite, have the sign and the scale that the row says, and are not all equal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/catalog.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/ask.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { ELEMENTS_MOST = 1 << 20 };

/* Whether all numbers may be equal: no row is fully masked, rows of zeros are the encoding
 * (nope), or all positions count as one (rerope). */
static bool may_be_constant(const struct pe_output *output, size_t count, const char *url)
{
    return count == 1 || strcmp(output->name, "fully_masked_rows") == 0 ||
           strstr(url, "/nope?") != NULL || strstr(url, "/rerope?") != NULL;
}

static void expect_values(const struct pe_output *output, const double *values, size_t count,
                          const char *url)
{
    bool constant = true;

    for (size_t i = 0; i < count; i++) {
        const double value = values[i];

        ck_assert_msg(!isnan(value), "%s: number %zu is NaN", url, i);
        ck_assert_msg(output->sign != PE_NOT_NEGATIVE || value >= 0,
                      "%s: number %zu is %g, and the row says not-negative", url, i, value);
        ck_assert_msg(output->sign != PE_NOT_POSITIVE || value <= 0,
                      "%s: number %zu is %g, and the row says not-positive", url, i, value);
        ck_assert_msg(output->scale != PE_LOGARITHMIC || value >= 0,
                      "%s: number %zu is %g, and the scale is logarithmic", url, i, value);
        constant = constant && value == values[0];
    }
    ck_assert_msg(!constant || may_be_constant(output, count, url), "%s: all numbers are %g",
                  url, values[0]);
}

/* Returns the URL of the picture in the catalogue, borrowed. */
static const char *url_of(const json_t *document, size_t output)
{
    const json_t *row = json_array_get(json_object_get(document, "outputs"), output);

    return json_string_value(json_object_get(row, "picture"));
}

START_TEST(the_picture_of_every_output_is_worth_seeing)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);
    struct buffer text = {0};
    json_t *document;

    catalog_write_encoding(&text, enc);
    document = json_loadb(text.bytes, text.len, 0, NULL);
    ck_assert_ptr_nonnull(document);
    for (size_t i = 0; i < count; i++) {
        const char *url = url_of(document, i);
        struct ask ask;

        ck_assert_msg(url != NULL, "%s: %s has no picture", pe_name(enc), outputs[i].name);
        ask_url(&ask, url);
        ck_assert_msg(ask.status == PE_OK, "%s: %s", url, ask.errors.at[0].detail);
        ck_assert_msg(pe_plan_elements(ask.plan) <= ELEMENTS_MOST, "%s", url);
        if (!request_has_tensors(ask.request)) {
            double *values = core_query_doubles(ask.plan, 0);

            ck_assert_uint_gt(pe_plan_elements(ask.plan), 0);
            expect_values(&outputs[i], values, (size_t)pe_plan_elements(ask.plan), url);
            free(values);
        }
        ask_free(&ask);
    }
    json_decref(document);
    buffer_fini(&text);
}
END_TEST

SUITE(pictures, TEST_COUNTED(the_picture_of_every_output_is_worth_seeing, pe_count));
