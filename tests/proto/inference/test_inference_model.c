/* SPDX-License-Identifier: Apache-2.0
 * test_inference_model.c - every model has one name, which leads back to it. */
#include "proto/inference/inference_model.h"

#include <string.h>

#include "proto/inference/inference_metadata.h"
#include "tests/support/suite.h"

START_TEST(every_name_leads_back_to_its_model)
{
    const struct models *models = models_embedded();
    struct inference_model_walk walk = {0};
    struct inference_model model;
    size_t count = 0, encodings = 0;

    for (; inference_model_next(&walk, models, &model); count++) {
        struct buffer name = {0};
        struct inference_model found;
        char why[INFERENCE_MODEL_WHY_SIZE];

        inference_model_write_name(&name, &model);
        ck_assert_msg(inference_model_find(&found, models, name.bytes, name.len, NULL, 0, why),
                      "%s", why);
        ck_assert_ptr_eq(found.enc, model.enc);
        ck_assert_ptr_eq(found.preset, model.preset);
        encodings += !model.preset;
        buffer_fini(&name);
    }
    ck_assert_uint_eq(encodings, pe_count());
    ck_assert_uint_gt(count, pe_count() + 100);
}
END_TEST

START_TEST(no_part_of_a_name_can_be_taken_for_another)
{
    const struct models *models = models_embedded();

    for (size_t i = 0; i < pe_count(); i++)
        ck_assert_msg(!strchr(pe_name(pe_at(i)), '.'), "%s has a dot", pe_name(pe_at(i)));
    for (size_t i = 0; i < models_count(models); i++) {
        const char *id = models_at(models, i)->id;

        ck_assert_msg(strcmp(id, "apply") != 0 && strncmp(id, "apply.", 6) != 0, "%s", id);
    }
}
END_TEST

START_TEST(the_index_and_the_list_have_every_model)
{
    struct buffer index = {0}, names = {0};

    inference_metadata_write_index(&index, models_embedded());
    inference_metadata_write_names(&names, models_embedded());
    ck_assert(!index.failed && !names.failed);
    ck_assert_ptr_nonnull(strstr(names.bytes, "\"rope.apply.llama-3.1-8b\""));
    ck_assert_ptr_nonnull(
        strstr(index.bytes, "{\"name\":\"rope.apply.llama-3.1-8b\",\"version\":\""));
    buffer_fini(&index);
    buffer_fini(&names);
}
END_TEST

SUITE(inference_model, TEST(every_name_leads_back_to_its_model),
      TEST(no_part_of_a_name_can_be_taken_for_another),
      TEST(the_index_and_the_list_have_every_model));
