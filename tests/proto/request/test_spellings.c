/* SPDX-License-Identifier: Apache-2.0
 * test_spellings.c - tests that a request by another spelling of a parameter is the request by
 * its own name: one canonical form, one key, one tag; and that no row of spellings.def is
 * dead. */
#include <stdlib.h>
#include <string.h>

#include "core/args/names.h"
#include "proto/text/buffer.h"
#include "tests/proto/support/ask.h"
#include "tests/support/suite.h"

static bool serves(const struct pe_spelling *spelling, const struct pe_encoding *enc)
{
    return pe_spelling_find(enc, spelling->name, strlen(spelling->name)) == spelling;
}

START_TEST(every_row_serves_an_encoding_and_none_is_an_own_name)
{
    const struct pe_spelling *spelling = names_spelling_at((size_t)_i);
    size_t served = 0;

    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_encoding *enc = pe_at(i);
        size_t count;
        const struct pe_param *params = pe_params(enc, &count), *means;

        if (!serves(spelling, enc))
            continue;
        served++;
        means = pe_param_find(enc, spelling->name, strlen(spelling->name));
        ck_assert_ptr_nonnull(means);
        ck_assert_str_eq(means->name, spelling->means);
        for (size_t p = 0; p < count; p++)
            ck_assert_str_ne(params[p].name, spelling->name);
    }
    ck_assert_msg(served > 0, "no encoding has %s, which %s would mean", spelling->means,
                  spelling->name);
}
END_TEST

/* Writes the query with another name for the parameter; returns false where it has none. */
static bool rename_pair(struct buffer *out, const char *query,
                        const struct pe_spelling *spelling)
{
    const size_t len = strlen(spelling->means);
    bool found = false;

    for (const char *pair = query, *end; *pair; pair = *end ? end + 1 : end) {
        const bool is = strncmp(pair, spelling->means, len) == 0 && pair[len] == '=';

        end = strchrnul(pair, '&');
        found = found || is;
        buffer_add_format(out, "%s%s%.*s", pair == query ? "" : "&", is ? spelling->name : "",
                          (int)(end - pair) - (is ? (int)len : 0), pair + (is ? len : 0));
    }
    return found;
}

static void expect_one_request(const struct pe_encoding *enc, const char *query,
                               const struct pe_spelling *spelling)
{
    struct buffer other = {0};

    if (rename_pair(&other, query, spelling)) {
        struct ask own, asked;

        ask_query(&own, pe_name(enc), query, NULL);
        ask_query(&asked, pe_name(enc), other.bytes, NULL);
        ck_assert_msg(own.status == PE_OK && asked.status == PE_OK, "%s?%s: %s", pe_name(enc),
                      other.bytes, asked.errors.at[0].detail);
        ck_assert_str_eq(request_canonical(own.request, NULL),
                         request_canonical(asked.request, NULL));
        ck_assert_str_eq(request_etag(own.request, CONTENT_CODING_IDENTITY),
                         request_etag(asked.request, CONTENT_CODING_IDENTITY));
        ck_assert_str_eq(request_old_names(own.request), "");
        ck_assert_int_eq(strstr(request_old_names(asked.request), spelling->name) != NULL,
                         spelling->old);
        ask_free(&own);
        ask_free(&asked);
    }
    buffer_fini(&other);
}

START_TEST(examples_and_pictures_are_one_request_by_every_spelling)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t s = 0; s < names_spelling_count(); s++) {
        const struct pe_spelling *spelling = names_spelling_at(s);

        if (!serves(spelling, enc))
            continue;
        for (const char *const *example = pe_examples(enc); *example; example++)
            expect_one_request(enc, *example, spelling);
        for (size_t i = 0; i < count; i++)
            if (outputs[i].picture) {
                struct buffer query = {0};

                buffer_add_format(&query, "%s&out=%s", outputs[i].picture, outputs[i].name);
                expect_one_request(enc, query.bytes, spelling);
                buffer_fini(&query);
            }
    }
}
END_TEST

SUITE(spellings,
      TEST_COUNTED(every_row_serves_an_encoding_and_none_is_an_own_name, names_spelling_count),
      TEST_COUNTED(examples_and_pictures_are_one_request_by_every_spelling, pe_count));
