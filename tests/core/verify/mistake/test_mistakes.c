/* SPDX-License-Identifier: Apache-2.0
 * test_mistakes.c - the rows of mistakes.def: each has a slug and half a sentence, and applies
 * to the numbers of some encoding. */
#include "core/verify/mistake/mistakes.h"

#include <ctype.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

START_TEST(a_slug_is_a_word_and_a_summary_half_a_sentence)
{
    const struct pe_mistake_row *row = pe_mistake_at((size_t)_i);
    const size_t len = strlen(row->summary);

    ck_assert_uint_eq(strspn(row->slug, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                      strlen(row->slug));
    ck_assert_uint_gt(len, 10);
    ck_assert(islower(row->summary[0]));
    ck_assert(row->summary[len - 1] != '.');
    for (size_t i = 0; i < (size_t)_i; i++)
        ck_assert_str_ne(pe_mistake_at(i)->slug, row->slug);
}
END_TEST

/* Mistakes that are read from the numbers, and numbers that show them. */
static const struct {
    const char *slug, *made, *claim;
} shown[] = {
    {"position-scale", "rope?dim=8&pos=0:32:2&out=cos,sin", "rope?dim=8&pos=0:16"},
    {"rows-shuffled", "rope?dim=8&pos=3,1,0,2,5,4&out=cos,sin", "rope?dim=8&pos=0:6"},
    {"columns-shuffled", "rope-nd?pos=0:6&freqs=1,0.1,0.3&out=cos",
     "rope-nd?pos=0:6&freqs=0.1,0.3,1"},
};

/* Returns whether a variant applies to the numbers of a request, against a claim. */
static bool is_made(const struct mistake *mistake, const char *request, const char *said)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case own;
    struct claim claim;
    bool made = false;

    verify_case_of(&own, request);
    if (!verify_case_try_claim(&own, said, &errors) &&
        claim_init(&claim, own.claim, own.tensor, own.count, own.role, NULL,
                   &verify_case_limits)) {
        struct candidate *base = candidate_new(&claim, NULL, NULL);

        for (size_t i = 0; base && i < mistake->variants && !made; i++) {
            struct candidate *other = mistake->make(base, i);

            made = other != NULL;
            candidate_free(other);
        }
        candidate_free(base);
        claim_fini(&claim);
    }
    verify_case_free(&own);
    return made;
}

static bool is_made_of(const struct mistake *mistake, const struct pe_encoding *enc)
{
    char request[VERIFY_CASE_REQUEST];

    for (const char *const *example = pe_examples(enc); *example; example++)
        for (size_t i = 0; i < enc->output_count; i++)
            if (verify_case_request(request, enc, *example, enc->outputs[i].name, NULL) &&
                is_made(mistake, request, request))
                return true;
    return false;
}

START_TEST(a_mistake_applies_to_the_numbers_of_some_encoding)
{
    const struct mistake *mistake = &mistakes[_i];
    bool made = false;

    for (size_t i = 0; i < PE_LEN(shown) && !made; i++)
        made = strcmp(shown[i].slug, mistake->row.slug) == 0 &&
               is_made(mistake, shown[i].made, shown[i].claim);
    for (size_t i = 0; i < pe_count() && !made; i++)
        made = is_made_of(mistake, pe_at(i));
    ck_assert_msg(made, "%s applies to no numbers", mistake->row.slug);
}
END_TEST

SUITE(mistakes, TEST_COUNTED(a_slug_is_a_word_and_a_summary_half_a_sentence, pe_mistake_count),
      TEST_COUNTED(a_mistake_applies_to_the_numbers_of_some_encoding, pe_mistake_count));
