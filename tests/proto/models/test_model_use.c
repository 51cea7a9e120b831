/* SPDX-License-Identifier: Apache-2.0
 * test_model_use.c - tests which use a request has, by group of layers, for a model of the
 * test's own: two types of layers, a tower, an embedding and a use of all layers. */
#include <string.h>

#include "proto/models/model_use.h"
#include "tests/support/suite.h"

static const char *const pattern[] = {"sliding_attention", "full_attention"};
static const char *const tower[] = {"window", "whole"};
static const struct model_stack stacks[] = {
    {"vision", 4, tower, 2},
    {"audio", 2, NULL, 0},
};
static const struct model_use uses[] = {
    {.encoding = "rope", .layer_type = "sliding_attention"},
    {.encoding = "sliding-window-mask", .layer_type = "sliding_attention"},
    {.layer_type = "full_attention"},
    {.encoding = "softmax-scale"},
    {.encoding = "softmax-scale", .layer_type = "vision"},
    {.encoding = "rope2d-axial", .layer_type = "window"},
    {.encoding = "learned", .layer_type = "embeddings"},
};
static const struct model mixed = {
    .id = "mixed",
    .layers = 5,
    .pattern = pattern,
    .pattern_len = 2,
    .stacks = stacks,
    .stack_count = 2,
    .uses = uses,
    .use_count = sizeof uses / sizeof *uses,
};
static const struct model_use tower_uses[] = {
    {.encoding = "t5", .layer_type = "vision"},
    {.encoding = "t5", .layer_type = "audio"},
};
static const struct model towers = {
    .id = "towers", .stacks = stacks, .stack_count = 2, .uses = tower_uses, .use_count = 2};
static const struct model_use plain_uses[] = {{.encoding = "rope"}};
static const struct model plain = {
    .id = "plain", .layers = 3, .uses = plain_uses, .use_count = 1};

enum { NO = -1 }; /* no layer, no use */

static const struct {
    const struct model *model;
    const char *encoding, *type;
    int64_t layer;
    int use;             /* its number */
    const char *refused; /* "parameter detail" */
} choices[] = {
    {&mixed, "rope", NULL, NO, 0, NULL},
    {&mixed, "rope/apply", NULL, NO, 0, NULL},
    {&mixed, "rope", "sliding_attention", NO, 0, NULL},
    {&mixed, "rope", NULL, 2, 0, NULL},
    {&mixed, "softmax-scale", NULL, 0, 3, NULL},
    {&mixed, "softmax-scale", NULL, 1, 3, NULL},
    {&mixed, "softmax-scale", "full_attention", NO, 3, NULL},
    {&mixed, "softmax-scale", MODEL_ALL_LAYERS, NO, 3, NULL},
    {&mixed, "softmax-scale", "vision", NO, 4, NULL},
    {&mixed, "rope2d-axial", "window", NO, 5, NULL},
    {&mixed, "learned", NULL, NO, 6, NULL},
    {&mixed, "learned", "embeddings", NO, 6, NULL},
    {&plain, "rope", NULL, 2, 0, NULL},
    {&plain, "rope", MODEL_ALL_LAYERS, NO, 0, NULL},
    {&towers, "t5", "audio", NO, 1, NULL},

    {&mixed, "rope", NULL, 1, NO,
     "layer_type full_attention of mixed has no rope; it has softmax-scale"},
    {&mixed, "rope", "vision", NO, NO,
     "layer_type vision of mixed has no rope; it has softmax-scale"},
    {&mixed, "alibi", NULL, NO, NO,
     "model mixed has no alibi; it has rope, sliding-window-mask, softmax-scale, rope2d-axial "
     "and learned"},
    {&mixed, "softmax-scale", NULL, NO, NO,
     "layer_type is required: layers of mixed differ; give layer_type=all_layers or vision"},
    {&mixed, "rope", "global", NO, NO,
     "layer_type must be sliding_attention, full_attention, all_layers, vision, window or "
     "embeddings for mixed; got global"},
    {&mixed, "rope", NULL, 5, NO, "layer must be 0..4, a layer of mixed; got 5"},
    {&mixed, "rope", "vision", 0, NO,
     "layer_type and layer both choose layers; give one of the two"},
    {&plain, "rope", "full_attention", NO, NO,
     "layer_type has no effect: all layers of plain are alike; leave it out"},
    {&towers, "t5", NULL, NO, NO,
     "layer_type is required: layers of towers differ; give layer_type=vision or audio"},
    {&towers, "t5", NULL, 0, NO,
     "layer of towers is of no known type; give layer_type=vision or audio"},
};

START_TEST(a_group_has_its_uses_and_those_of_the_whole_stack)
{
    const struct model *model = choices[_i].model;
    const char *name = choices[_i].encoding;
    const struct model_use_layer layer = {choices[_i].type, choices[_i].layer};
    struct pe_errors errors = {0};
    const struct model_use *use =
        model_use_choose(model, pe_find(name, strlen(name)), &layer, &errors);

    if (!choices[_i].refused) {
        ck_assert_msg(use == &model->uses[choices[_i].use], "%s", errors.at[0].detail);
        ck_assert_uint_eq(errors.count, 0);
        return;
    }
    ck_assert_ptr_null(use);
    ck_assert_uint_eq(errors.count, 1);
    size_t len = strlen(errors.at[0].parameter);
    ck_assert_msg(strncmp(choices[_i].refused, errors.at[0].parameter, len) == 0 &&
                      strcmp(choices[_i].refused + len + 1, errors.at[0].detail) == 0,
                  "%s %s", errors.at[0].parameter, errors.at[0].detail);
}
END_TEST

static const struct {
    int use;
    int64_t layers;    /* of the stack; 0: none are known */
    const char *which; /* a letter for each layer: x where the use is about it */
} stacked[] = {
    {0, 5, "x.x.x"}, {2, 5, ".x.x."}, {3, 0, ""}, {4, 4, "xxxx"}, {5, 4, "x.x."}, {6, 0, ""},
};

START_TEST(a_use_knows_its_layers)
{
    const struct model_use *use = &uses[stacked[_i].use];
    struct model_stack stack;
    bool known = model_use_stack(&mixed, use, &stack);

    ck_assert_int_eq(known, stacked[_i].layers > 0);
    for (int64_t i = 0; known && i < stack.layers; i++)
        ck_assert_int_eq(model_use_has_layer(use, &stack, i), stacked[_i].which[i] == 'x');
    ck_assert(!known || stack.layers == stacked[_i].layers);
}
END_TEST

SUITE(model_use, TEST_EACH(a_group_has_its_uses_and_those_of_the_whole_stack, choices),
      TEST_EACH(a_use_knows_its_layers, stacked));
