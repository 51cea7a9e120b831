/* SPDX-License-Identifier: Apache-2.0
 * test_verify_known.c - tests the list of models as claims. */
#include <string.h>

#include "proto/models/model_output.h"
#include "proto/verify/verify_known.h"
#include "tests/support/suite.h"

/* Returns the claim of a use, which models share; known->count: it is none. */
static size_t place_of(const struct verify_known *known, const struct model *model,
                       const struct model_use *use)
{
    size_t i = 0;

    while (i < known->count &&
           (known->uses[i] != use || strcmp(known->at[i].name, model->id) != 0))
        i++;
    return i;
}

/* Masks and position ids are those of many models. */
START_TEST(every_use_of_every_model_that_tells_it_is_a_claim)
{
    const struct models *models = models_embedded();
    struct verify_known known;
    size_t count = 0;

    ck_assert(verify_known_init(&known, models));
    for (size_t i = 0; i < models_count(models); i++) {
        const struct model *model = models_at(models, i);

        for (size_t j = 0; j < model->use_count; j++) {
            const struct pe_encoding *enc = model_output_encoding(&model->uses[j]);

            if (!enc || pe_family_of(enc) == PE_MASK || pe_family_of(enc) == PE_INDEX)
                continue;
            const size_t at = place_of(&known, model, &model->uses[j]);
            ck_assert_uint_lt(at, known.count);
            ck_assert_str_eq(pe_name(known.at[at].enc), model->uses[j].encoding);
            count++;
        }
    }
    ck_assert_uint_eq(count, known.count);
    verify_known_fini(&known);
}
END_TEST

START_TEST(the_claims_of_the_most_downloaded_models_come_first)
{
    const struct models *models = models_embedded();
    struct verify_known known;
    int64_t last = INT64_MAX;

    ck_assert(verify_known_init(&known, models));
    for (size_t i = 0; i < known.count; i++) {
        const struct model *model =
            models_find(models, known.at[i].name, strlen(known.at[i].name));

        ck_assert_ptr_nonnull(model);
        ck_assert_int_le(model->downloads, last);
        last = model->downloads;
    }
    ck_assert_int_eq(last, 0); /* not every model has a number, */
    const char *first = known.at[0].name;
    ck_assert_int_gt(models_find(models, first, strlen(first))->downloads, 0); /* some have */
    verify_known_fini(&known);
}
END_TEST

START_TEST(the_query_of_a_claim_is_the_settings_of_the_model)
{
    struct verify_known known;
    size_t i = 0;

    ck_assert(verify_known_init(&known, models_embedded()));
    while (strcmp(known.at[i].name, "llama-3-8b") != 0)
        i++;
    ck_assert_str_eq(known.at[i].query, "dim=128&base=500000&pairing=half");
    verify_known_fini(&known);
}
END_TEST

SUITE(verify_known, TEST(every_use_of_every_model_that_tells_it_is_a_claim),
      TEST(the_claims_of_the_most_downloaded_models_come_first),
      TEST(the_query_of_a_claim_is_the_settings_of_the_model));
