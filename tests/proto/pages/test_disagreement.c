/* SPDX-License-Identifier: Apache-2.0
 * test_disagreement.c - tests that the rows of disagreements.def name what exists. */
#include <stdlib.h>
#include <string.h>

#include "proto/output/encoder.h"
#include "proto/pages/disagreement.h"
#include "proto/request/request.h"
#include "tests/support/suite.h"

static const struct page_frame frame = {
    .title = "", .base = "/pe", .origin = "", .folder = "/", .kind = ""};

/* Returns the next word of a text that separators end, and moves past it; NULL at the end. */
static const char *next_word(const char **text, const char *separators, size_t *len)
{
    const char *word = *text + strspn(*text, separators);

    *len = strcspn(word, separators);
    *text = word + *len;
    return *len > 0 ? word : NULL;
}

START_TEST(every_row_names_encodings)
{
    const struct disagreement *row = disagreement_at((size_t)_i);
    const char *text = row->encodings, *word;
    size_t len;

    ck_assert(*text != '\0');
    while ((word = next_word(&text, " ", &len))) {
        const struct pe_encoding *enc = pe_find(word, len);

        ck_assert_msg(enc != NULL, "%s: %.*s", row->id, (int)len, word);
        ck_assert(disagreement_is_about(row, enc));
    }
}
END_TEST

/* Returns whether an encoding of the row has a parameter of that name. */
static bool has_param(const struct disagreement *row, const char *name, size_t len)
{
    for (size_t i = 0; i < pe_count(); i++)
        if (disagreement_is_about(row, pe_at(i)) && pe_param_find(pe_at(i), name, len))
            return true;
    return false;
}

START_TEST(what_chooses_is_a_parameter_or_an_encoding)
{
    const struct disagreement *row = disagreement_at((size_t)_i);

    for (const char *mark = row->chooses; (mark = strchr(mark, '`'));
         mark = strchr(mark + 1, '`') + 1) {
        size_t len = strcspn(mark + 1, "`"), name_len = strcspn(mark + 1, "=`");

        ck_assert_msg(mark[1] == '/' || pe_find(mark + 1, len) ||
                          has_param(row, mark + 1, name_len),
                      "%s: %.*s", row->id, (int)len, mark + 1);
    }
}
END_TEST

/* Writes the shape of the first tensor of the answer to "/v1/rope?dim=8", and its numbers. */
static void add_answer(struct buffer *shape, struct buffer *numbers, const char *text)
{
    static const struct request_limits limits = {.max_elements = 1 << 20,
                                                 .max_text_elements = 1 << 20,
                                                 .max_prepared = PE_DEFAULT_MAX_PREPARED};
    const char *name = text + strlen("/v1/"), *query = strchr(name, '?');
    const struct pe_encoding *enc = query ? pe_find(name, (size_t)(query - name)) : NULL;
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;
    char bytes[4096];
    size_t len;

    ck_assert_msg(enc != NULL, "%s", text);
    struct request *request = request_new(enc);
    bool right = request_set_query(request, query + 1, strlen(query + 1), &errors) == PE_OK &&
                 request_finish(request, NULL, 0, &errors) == PE_OK &&
                 request_plan(request, &plan, NULL, &limits, &errors) == PE_OK;
    ck_assert_msg(right, "%s: %s", text, errors.at[0].detail);
    const struct pe_tensor_info *tensor = pe_plan_tensor(plan, 0);
    struct encoder *encoder = encoder_new(request, plan);
    for (size_t i = 0; i < tensor->rank; i++)
        buffer_add_format(shape, "%zu ", (size_t)tensor->dims[i]);
    while ((len = encoder_read(encoder, bytes, sizeof bytes)) > 0)
        buffer_add(numbers, bytes, len);
    encoder_free(encoder);
    pe_plan_free(plan);
    request_free(request);
}

/* Returns the tensors of an answer of JSON, without the parameters before them. */
static const char *tensors_of(const struct buffer *numbers)
{
    return strstr(numbers->bytes, "\"data\"");
}

START_TEST(two_requests_of_a_row_have_one_shape_and_other_numbers)
{
    const struct disagreement *row = disagreement_at((size_t)_i);
    struct buffer shapes[2] = {{0}}, numbers[2] = {{0}};

    ck_assert_msg((*row->first == '\0') == (*row->second == '\0'), "%s", row->id);
    if (*row->first == '\0')
        return;
    add_answer(&shapes[0], &numbers[0], row->first);
    add_answer(&shapes[1], &numbers[1], row->second);
    ck_assert_str_eq(shapes[0].bytes, shapes[1].bytes);
    ck_assert_msg(strcmp(tensors_of(&numbers[0]), tensors_of(&numbers[1])) != 0, "%s", row->id);
    for (size_t i = 0; i < 2; i++) {
        buffer_fini(&shapes[i]);
        buffer_fini(&numbers[i]);
    }
}
END_TEST

/* Returns whether the query of a request has that text, "scaling=linear", as a parameter. */
static bool query_has(const char *request, const char *text, size_t len)
{
    const char *at = strchr(request, '?');

    while (at && !(strncmp(at + 1, text, len) == 0 && strchr("&", at[1 + len])))
        at = strpbrk(at + 1, "&");
    return at != NULL;
}

START_TEST(a_value_that_chooses_is_in_a_request_of_the_row)
{
    const struct disagreement *row = disagreement_at((size_t)_i);

    for (const char *mark = row->chooses; (mark = strchr(mark, '`'));
         mark = strchr(mark + 1, '`') + 1) {
        const size_t len = strcspn(mark + 1, "`");

        ck_assert_msg(!memchr(mark + 1, '=', len) || query_has(row->first, mark + 1, len) ||
                          query_has(row->second, mark + 1, len),
                      "%s: no request has %.*s", row->id, (int)len, mark + 1);
    }
}
END_TEST

START_TEST(most_rows_are_shown)
{
    size_t shown = 0;

    for (size_t i = 0; i < disagreement_count(); i++)
        shown += *disagreement_at(i)->first != '\0';
    ck_assert_uint_ge(2 * shown, disagreement_count());
}
END_TEST

START_TEST(texts_are_sentences_and_ids_differ)
{
    const struct disagreement *row = disagreement_at((size_t)_i);

    ck_assert(row->differs[strlen(row->differs) - 1] == '.');
    ck_assert(row->chooses[strlen(row->chooses) - 1] != '.');
    ck_assert(*row->source != '\0' && row->title[strlen(row->title) - 1] != '.');
    for (size_t i = 0; i < (size_t)_i; i++)
        ck_assert_str_ne(disagreement_at(i)->id, row->id);
}
END_TEST

START_TEST(a_name_that_begins_alike_is_another_encoding)
{
    const struct disagreement row = {.encodings = "rope/apply xpos"};

    ck_assert(disagreement_is_about(&row, pe_find("xpos", 4)));
    ck_assert(!disagreement_is_about(&row, pe_find("rope", 4)));
}
END_TEST

START_TEST(a_section_links_to_the_other_encodings)
{
    const struct pe_encoding *rope = pe_find("rope", 4);
    struct buffer out = {0};

    disagreement_add(&out, disagreement_at(0), 3, &frame, rope);
    ck_assert_ptr_nonnull(strstr(out.bytes, "<h3 id=\"pairing\">"));
    ck_assert_ptr_nonnull(strstr(out.bytes, "href=\"/pe/docs/convert\""));
    ck_assert_ptr_null(strstr(out.bytes, "href=\"/pe/docs/rope\""));
    buffer_fini(&out);
}
END_TEST

SUITE(disagreement, TEST_COUNTED(every_row_names_encodings, disagreement_count),
      TEST_COUNTED(what_chooses_is_a_parameter_or_an_encoding, disagreement_count),
      TEST_COUNTED(two_requests_of_a_row_have_one_shape_and_other_numbers, disagreement_count),
      TEST_COUNTED(a_value_that_chooses_is_in_a_request_of_the_row, disagreement_count),
      TEST(most_rows_are_shown),
      TEST_COUNTED(texts_are_sentences_and_ids_differ, disagreement_count),
      TEST(a_name_that_begins_alike_is_another_encoding),
      TEST(a_section_links_to_the_other_encodings));
