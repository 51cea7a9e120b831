/* SPDX-License-Identifier: Apache-2.0
 * test_tables.c - tests stored tables by name, and requests that name them. */
#include "proto/tensors/tables.h"

#include <stdio.h>
#include <string.h>

#include "proto/request/request.h"
#include "tests/proto/support/table_bytes.h"
#include "tests/support/suite.h"

static struct tables *tables;

#define ENTRY(NAME, SHAPE, BEGIN, END)                                                         \
    "\"" NAME "\":{\"dtype\":\"F32\",\"shape\":[" SHAPE "],\"data_offsets\":[" BEGIN "," END   \
    "]}"

static void make(void)
{
    struct table_file *files[] = {
        table_bytes_right("t5",
                          "{" ENTRY("encoder.bias.weight", "2,2", "0", "16") "," ENTRY(
                              "decoder.bias.weight", "2,2", "16", "32") "}",
                          8),
        table_bytes_right("gpt2", "{" ENTRY("wpe.weight", "3,2", "0", "24") "}", 6),
    };

    tables = tables_new(files, 2);
    ck_assert_ptr_nonnull(tables);
}

static void unmake(void)
{
    tables_drop(tables);
}

static const struct {
    const char *text, *name; /* NULL: no table, or several */
    const char *detail, *hint;
} names[] = {
    {"gpt2.wpe.weight", "gpt2.wpe.weight", "", ""},
    {"gpt2.wpe", "gpt2.wpe.weight", "", ""},
    {"@gpt2.wpe", "gpt2.wpe.weight", "", ""},
    {"gpt2.weight", "gpt2.wpe.weight", "", ""},
    {"t5.encoder.bias", "t5.encoder.bias.weight", "", ""},
    {"t5.bias", NULL, "must mean one table; 2 are called t5.bias", ""},
    {"gpt2", NULL, "must be numbers, or one of /v1/tables; got gpt2", "did you mean gpt2.wpe?"},
    {"gpt2.pe", NULL, "one of /v1/tables; got gpt2.pe", "did you mean gpt2.wpe?"},
    {"wpe", NULL, "one of /v1/tables; got wpe", ""},
    {"gpt2.wpe@00", NULL, "is pinned to content that is not served any more", ""},
    {"../gpt2.wpe", NULL, "one of /v1/tables", "did you mean gpt2.wpe?"},
};

START_TEST(a_name_means_one_table_or_is_refused)
{
    const char *text = names[_i].text;
    struct pe_errors errors = {.count = 0};
    struct tables_found found = {0};
    enum pe_status status = tables_find(tables, "table", text, strlen(text), &found, &errors);

    if (names[_i].name) {
        ck_assert_int_eq(status, PE_OK);
        ck_assert_str_eq(found.table->name, names[_i].name);
        table_file_drop(found.file);
        return;
    }
    ck_assert_int_eq(status,
                     strstr(names[_i].detail, "/v1/tables") ? PE_UNKNOWN_NAME : PE_BAD_VALUE);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_msg(strstr(errors.at[0].detail, names[_i].detail), "%s", errors.at[0].detail);
    ck_assert_str_eq(errors.at[0].hint, names[_i].hint);
}
END_TEST

START_TEST(numbers_are_no_names)
{
    static const char *const numbers[] = {"1", "1.5", "-3e5", "1,2;3,5", "", "1,x", "a,b", "-"};
    static const char *const words[] = {"gpt2.wpe", "@1", "e5.w", "5e.x", "x"};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        ck_assert_msg(!tables_is_name(numbers[i], strlen(numbers[i])), "%s", numbers[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ck_assert_msg(tables_is_name(words[i], strlen(words[i])), "%s", words[i]);
}
END_TEST

/* Makes the finished request, which keeps the tables that it names after the set is freed. */
static struct request *ask(const char *encoding, const char *query, struct pe_errors *errors)
{
    struct request *request = request_new(pe_find(encoding, strlen(encoding)));

    pe_errors_clear(errors);
    request_set_tables(request, tables);
    request_set_query(request, query, strlen(query), errors);
    request_finish(request, NULL, 0, errors);
    return request;
}

START_TEST(a_named_table_is_looked_up_and_told_by_its_content)
{
    struct pe_errors errors;
    struct request *request = ask("learned", "table=gpt2.wpe&pos=2", &errors), *again;
    const void *input[TENSOR_MAX];
    double numbers[6];
    char query[160];

    ck_assert_msg(errors.count == 0, "%s", errors.at[0].detail);
    tables_drop(tables);
    request_inputs(request, input);
    pe_dtype_to_f64(PE_F32, numbers, input[0], 6);
    ck_assert(numbers[0] == 0 && numbers[5] == 5);
    make();
    ck_assert(request_options(request)->named);
    ck_assert(!request_has_tensors(request));
    const char *canonical = strstr(request_canonical(request, NULL), "table=");
    ck_assert_int_eq(strncmp(canonical, "table=gpt2.wpe.weight%40", 24), 0);
    snprintf(query, sizeof query, "table=gpt2.wpe@%.32s&pos=2", canonical + 24);
    again = ask("learned", query, &errors);
    ck_assert_uint_eq(errors.count, 0);
    ck_assert(!request_options(again)->named); /* the hash pins the content */
    ck_assert_str_eq(request_etag(again, CONTENT_CODING_IDENTITY),
                     request_etag(request, CONTENT_CODING_IDENTITY));
    request_free(again);
    request_free(request);
}
END_TEST

START_TEST(lists_and_matrices_take_a_tables_numbers)
{
    struct pe_errors errors;
    struct request *request =
        ask("fope", "pos=0:2&dim=4&num_inv_freq=2&cos_coef=@t5.encoder.bias&sin_coef=1,0;0,1",
            &errors);

    ck_assert_msg(errors.count == 0, "%s", errors.at[0].detail);
    ck_assert_ptr_nonnull(strstr(request_canonical(request, NULL), "cos_coef=0,1%3B2,3"));
    ck_assert(request_options(request)->named);
    request_free(request);
}
END_TEST

START_TEST(an_unknown_name_is_told_what_there_is)
{
    struct pe_errors errors;
    struct request *request = ask("learned", "table=gpt2.nope&pos=2", &errors);

    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.at[0].status, PE_UNKNOWN_NAME);
    request_free(request);
    tables_drop(tables);
    tables = NULL;
    request = ask("learned", "table=gpt2.wpe&pos=2", &errors);
    ck_assert_ptr_nonnull(
        strstr(errors.at[0].detail, "this service has none (--learned-tables-dir)"));
    request_free(request);
}
END_TEST

START_TEST(lists_say_names_shapes_and_hashes)
{
    struct buffer text = {0};

    tables_write(tables, 1000, &text);
    ck_assert_ptr_nonnull(strstr(text.bytes, "\"name\":\"gpt2.wpe.weight\",\"alias\":"
                                             "\"gpt2.wpe\",\"dtype\":\"f32\",\"shape\":[3,2],"
                                             "\"bytes\":24,\"hash\":\""));
    ck_assert_ptr_nonnull(strstr(text.bytes, "\"budget\":1000}"));
    buffer_fini(&text);
    ck_assert(tables_write_one(tables, "t5", 2, &text));
    ck_assert_ptr_nonnull(strstr(text.bytes, "{\"file\":\"t5\",\"bytes\":"));
    buffer_fini(&text);
    ck_assert(!tables_write_one(tables, "t5.bias", 7, &text));
    ck_assert(tables_has(tables, "t5", 2) && tables_has(tables, "gpt2.wpe", 8));
    ck_assert(!tables_has(tables, "t5.bias", 7));
    ck_assert(tables_write_one(tables, "gpt2.wpe", 8, &text));
    buffer_fini(&text);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(a_name_means_one_table_or_is_refused, names),
    TEST(numbers_are_no_names),
    TEST(a_named_table_is_looked_up_and_told_by_its_content),
    TEST(lists_and_matrices_take_a_tables_numbers),
    TEST(an_unknown_name_is_told_what_there_is),
    TEST(lists_say_names_shapes_and_hashes),
};

const struct suite tables_suite = {SUITE_TESTS(tests), .setup = make, .teardown = unmake};
