/* SPDX-License-Identifier: Apache-2.0
 * test_verify_url.c - tests that a short URL means the arguments that it was made of. */
#include <stdio.h>
#include <string.h>

#include "proto/request/request.h"
#include "proto/verify/verify_url.h"
#include "tests/proto/support/verdicts.h"
#include "tests/support/suite.h"

static size_t encoding_count(void)
{
    return pe_count();
}

static bool has_tensors(const struct pe_args *args)
{
    for (size_t i = 0; i < pe_args_value_count(args); i++) {
        const char *name = pe_args_value(args, i)->name;
        const struct pe_param *param =
            pe_param_find(pe_args_encoding(args), name, strlen(name));

        if (param && param->type == PE_TENSOR)
            return true;
    }
    return false;
}

/* Checks that the query of the URL has the arguments' values, and no more words than needed. */
static void check_url(const struct pe_args *args, const char *url)
{
    char prefix[64];
    int len = snprintf(prefix, sizeof prefix, "/v1/%s", pe_name(pe_args_encoding(args)));

    ck_assert_int_eq(strncmp(url, prefix, (size_t)len), 0);
    struct pe_args *again =
        verdicts_args(pe_name(pe_args_encoding(args)), url + len + (url[len] == '?'));
    ck_assert_uint_eq(pe_args_value_count(again), pe_args_value_count(args));
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        ck_assert_str_eq(pe_args_value(again, i)->text, pe_args_value(args, i)->text);
    pe_args_free(again);
}

START_TEST(the_url_of_each_example_means_the_same_in_no_more_words)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *example = pe_examples(enc); *example; example++) {
        struct pe_args *args = verdicts_args(pe_name(enc), *example);
        struct buffer url = {0};
        bool written = verify_url_write(&url, &(struct verify_url){.args = args});

        ck_assert_int_eq(written, !has_tensors(args));
        if (written)
            check_url(args, url.bytes);
        buffer_fini(&url);
        pe_args_free(args);
    }
}
END_TEST

START_TEST(defaults_and_settings_of_the_model_are_left_out)
{
    struct pe_args *args =
        verdicts_args("rope", "model=gemma-3-1b&layer=5&pos=0:64&pairing=half&out=cos");
    struct verify_url url = {.args = args};
    struct buffer out = {0};

    ck_assert(verify_url_write(&out, &url));
    ck_assert_str_eq(out.bytes, "/v1/rope?base=1000000&dim=256&out=cos&pos=0:64");
    out.len = 0;
    url.model = "gemma-3-1b";
    url.layer_type = "full_attention";
    url.models = models_embedded();
    ck_assert(verify_url_write_words(&out, &url));
    ck_assert_str_eq(out.bytes,
                     "rope model=gemma-3-1b layer_type=full_attention out=cos pos=0:64");
    buffer_fini(&out);
    pe_args_free(args);
}
END_TEST

START_TEST(a_long_list_has_no_url)
{
    struct buffer query = {0}, url = {0};

    buffer_add_text(&query, "dim=4&pos=0");
    for (int i = 0; i < PE_LONG_LIST; i++)
        buffer_add_format(&query, ",%d", i % 2 ? i : 2 * i);
    struct pe_args *args = verdicts_args("rope", query.bytes);
    ck_assert(!verify_url_write(&url, &(struct verify_url){.args = args}));
    ck_assert_uint_eq(url.len, 0);
    pe_args_free(args);
    buffer_fini(&query);
    buffer_fini(&url);
}
END_TEST

SUITE(verify_url,
      TEST_COUNTED(the_url_of_each_example_means_the_same_in_no_more_words, encoding_count),
      TEST(defaults_and_settings_of_the_model_are_left_out), TEST(a_long_list_has_no_url));
