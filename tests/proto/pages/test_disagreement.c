/* SPDX-License-Identifier: Apache-2.0
 * test_disagreement.c - tests that the rows of disagreements.def name what exists. */
#include <stdlib.h>
#include <string.h>

#include "proto/pages/disagreement.h"
#include "tests/support/suite.h"

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

    disagreement_add(&out, disagreement_at(0), 3, "/pe", rope);
    ck_assert_ptr_nonnull(strstr(out.bytes, "<h3 id=\"pairing\">"));
    ck_assert_ptr_nonnull(strstr(out.bytes, "href=\"/pe/docs/convert\""));
    ck_assert_ptr_null(strstr(out.bytes, "href=\"/pe/docs/rope\""));
    buffer_fini(&out);
}
END_TEST

SUITE(disagreement, TEST_COUNTED(every_row_names_encodings, disagreement_count),
      TEST_COUNTED(what_chooses_is_a_parameter_or_an_encoding, disagreement_count),
      TEST_COUNTED(texts_are_sentences_and_ids_differ, disagreement_count),
      TEST(a_name_that_begins_alike_is_another_encoding),
      TEST(a_section_links_to_the_other_encodings));
