/* SPDX-License-Identifier: Apache-2.0
 * test_model_parts.c - tests what a query for all tables of a model is read as. */
#include <string.h>

#include "proto/output/model_parts.h"
#include "tests/support/suite.h"

static enum pe_status parts_of(struct model_parts *parts, const char *name, const char *query,
                               struct pe_errors *errors)
{
    const struct models *models = models_embedded();

    return model_parts_init(parts, models, models_find(models, name, strlen(name)), query,
                            strlen(query), errors);
}

static const struct {
    const char *query, *parameter, *detail; /* detail NULL: that of the parameter's type */
} wrong[] = {
    {"", "pos", "is required: the positions of every table, as pos=0:4096"},
    {"pos=x", "pos", NULL},
    {"pos=0:4&masks=both", "masks", "must be runs, dense or none; got both"},
    {"pos=0:4&pos=0:4", "pos", "is given twice; give it once"},
    {"pos=0:4&colour=1", "colour", "no table of gemma-3-4b depends on it"},
    {"pos=0:4&scores=1,2", "scores", "no table of gemma-3-4b depends on it"},
    {"pos=0:4&format=npy", "format",
     "has no place here: the file has every table of the model"},
    {"pos=0:4&layer=1", "layer", "has no place here: the file has every table of the model"},
    {"pos=0:4&dtype=f8", "dtype", NULL},
    {"pos=0:4&base=none", "base", NULL},
    {"pos=0:4&window=-7", "window", NULL},
    {"pos", "", NULL},
};

START_TEST(what_is_wrong_is_told_once)
{
    struct model_parts parts;
    struct pe_errors errors = {0};

    ck_assert_int_ne(parts_of(&parts, "gemma-3-4b", wrong[_i].query, &errors), PE_OK);
    ck_assert_uint_eq(parts.count, 0);
    ck_assert_uint_ge(errors.count, 1);
    ck_assert(errors.count == 1 || wrong[_i].parameter[0] == '\0');
    if (wrong[_i].detail)
        ck_assert_str_eq(errors.at[0].detail, wrong[_i].detail);
    if (wrong[_i].parameter[0] != '\0')
        ck_assert_str_eq(errors.at[0].parameter, wrong[_i].parameter);
}
END_TEST

static const struct {
    const char *model, *query, *name;
    const char *canonical; /* a part of the request; NULL: there is no such part */
    const char *needs;     /* of a use that is left out; NULL: it is not */
} read[] = {
    {"gemma-3-4b", "pos=3:9", "sliding_attention.rope", "&pos=3:9&", NULL},
    {"gemma-3-4b", "pos=3:9", "full_attention.causal-mask", "&out=runs&", NULL},
    {"gemma-3-4b", "pos=3:9", "full_attention.causal-mask", "k=3:9&", NULL},
    {"gemma-3-4b", "pos=3:9&masks=dense", "full_attention.causal-mask", "&out=mask&", NULL},
    {"gemma-3-4b", "pos=3:9&masks=none", "full_attention.causal-mask", NULL, NULL},
    {"gemma-3-4b", "pos=3:9&masks=none", "full_attention.rope", "base=1000000&", NULL},
    {"gemma-3-4b", "pos=3:9&dtype=f64", "full_attention.rope", "&dtype=f64&", NULL},
    {"gemma-3-4b", "pos=3:9&dtype=f64", "full_attention.causal-mask", "dtype=i64&", NULL},
    {"gemma-3-4b", "pos=3:9&rope_theta=7", "full_attention.rope", "base=7&", NULL},
    {"gemma-3-4b", "pos=5,9,1", "sliding_attention.sliding-window-mask", "q=5,9,1&", NULL},
    {"qwen2-vl-7b", "pos=0:4", "vision.rope2d-qwen-vit", NULL, "grid_thw"},
    {"qwen2-vl-7b", "pos=0:4&grid_thw=1,4,4", "vision.rope2d-qwen-vit", "grid_thw=1,4,4", NULL},
    {"qwen2-vl-7b", "pos=0:4", "all_layers.ids-mrope", NULL, "segments"},
    {"internlm2.5-7b", "pos=0:99999&masks=none", "all_layers.rope", "&seq_len=99999&", NULL},
    {"internlm2.5-7b", "pos=0:99&seq_len=70000", "all_layers.rope", "&seq_len=70000&", NULL},
    {"internlm2.5-7b", "pos=1,2", "all_layers.rope", NULL, "seq_len"},
    {"t5-small", "pos=0:4", "decoder.t5", "bidirectional=0&", NULL},
    {"swin-tiny", "pos=0", "stage_2.swin", "window_size=7x7", NULL},
};

START_TEST(each_use_has_the_request_for_its_tables)
{
    struct model_parts parts;
    struct pe_errors errors = {0};
    const struct model_part *part = NULL;

    ck_assert_msg(parts_of(&parts, read[_i].model, read[_i].query, &errors) == PE_OK, "%s: %s",
                  errors.at[0].parameter, errors.at[0].detail);
    for (size_t i = 0; i < parts.count; i++)
        if (strcmp(parts.at[i].name, read[_i].name) == 0)
            part = &parts.at[i];
    ck_assert((part != NULL) == (read[_i].canonical || read[_i].needs));
    if (read[_i].canonical)
        ck_assert_msg(strstr(request_canonical(part->request, NULL), read[_i].canonical) !=
                          NULL,
                      "%s", request_canonical(part->request, NULL));
    if (read[_i].needs) {
        ck_assert_ptr_null(part->request);
        ck_assert_str_eq(part->needs, read[_i].needs);
    }
    model_parts_fini(&parts);
}
END_TEST

SUITE(model_parts, TEST_EACH(what_is_wrong_is_told_once, wrong),
      TEST_EACH(each_use_has_the_request_for_its_tables, read));
