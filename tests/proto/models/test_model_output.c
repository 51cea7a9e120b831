/* SPDX-License-Identifier: Apache-2.0
 * test_model_output.c - tests which outputs hold a use's tables, and what a client must
 * bring. */
#include <stdio.h>
#include <string.h>

#include "proto/models/model_output.h"
#include "tests/support/suite.h"

static const struct model_setting dim[] = {{"dim", "8"}};
static const struct model_setting window[] = {{"window", "4"}};
static const struct model_setting heads[] = {{"heads", "4"}};

static const struct model_setting flux[] = {{"preset", "flux"}};
static const struct model_setting wan[] = {{"preset", "wan"}, {"dim", "128"}};
static const struct model_setting whisper[] = {{"preset", "whisper"}, {"dim", "8"}};
static const struct model_setting musicgen[] = {{"preset", "musicgen"}};

static const struct {
    struct model_use use;
    bool dense;
    const char *outputs; /* "cos sin" */
} cases[] = {
    {{.encoding = "rope", .settings = dim, .count = 1}, false, "cos sin"},
    {{.encoding = "rope", .settings = dim, .count = 1}, true, "cos sin"},
    {{.encoding = "rope"}, false, ""}, /* the width of the heads is no position */
    {{.encoding = "sliding-window-mask", .settings = window, .count = 1}, false, "runs"},
    {{.encoding = "sliding-window-mask", .settings = window, .count = 1}, true, "mask"},
    {{.encoding = "alibi", .settings = heads, .count = 1}, false, "slopes"},
    {{.encoding = "alibi", .settings = heads, .count = 1}, true, "bias"},
    {{.encoding = "sincos3d", .settings = dim, .count = 1}, false, "table"},
    {{.encoding = "t5"}, false, "buckets"},
    {{.encoding = "softcap"}, false, ""},
    {{.encoding = "learned"}, false, "index"}, /* in the place of rows of the client's table */
    {{.encoding = "learned"}, true, "index"},
    {{.encoding = "resize-table-2d"}, false, ""},
    {{.encoding = "rope-axes", .settings = flux, .count = 1}, false, "cos sin"},
    {{.encoding = "rope-axes", .settings = wan, .count = 2}, false, "cos sin"},
    {{.encoding = "sinusoidal", .settings = whisper, .count = 2}, false, "rows"},
    {{.encoding = "sinusoidal", .settings = musicgen, .count = 1}, false, ""}, /* no width */
    {{.layer_type = "nope"}, false, ""},
};

START_TEST(tables_are_what_needs_nothing_of_the_client_but_positions)
{
    const struct pe_output *outputs[PE_MAX_OUTPUTS];
    size_t count = model_output_tables(&cases[_i].use, cases[_i].dense, outputs);
    char names[200] = "";
    size_t len = 0;

    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", i == 0 ? "" : " ",
                                outputs[i]->name);
    ck_assert_str_eq(names, cases[_i].outputs);
}
END_TEST

static const struct {
    const char *encoding, *output, *needs;
} needs[] = {
    {"softcap", "capped", "scores"},
    {"sink-softmax", "sink_probability", "scores sink_logit"},
    {"learned", "rows", "table"},
    {"t5", "bias", "table"},
    {"t5", "buckets", ""},
    {"deberta", "c2p", "queries key_table"},
    {"causal-mask", "runs", ""},
    {"rope", "cos", "dim"},
    {"ids-mrope", "ids", ""},
    {"rope2d-qwen-vit", "cos", "dim"},
    {"blockwise-or-causal-mask", "mask", "block_ids"},
};

START_TEST(needs_are_the_parameters_that_neither_model_nor_positions_give)
{
    const struct model_use use = {.encoding = needs[_i].encoding};
    const struct pe_encoding *enc = model_output_encoding(&use);
    const char *names[MODEL_OUTPUT_NEEDS_MAX];
    char found[200] = "";
    size_t count, i = 0;
    const struct pe_output *output = pe_outputs(enc, &count);

    while (strcmp(output[i].name, needs[_i].output) != 0)
        i++;
    size_t lacking = model_output_needs(&use, enc, &output[i], names), len = 0;
    for (size_t j = 0; j < lacking; j++)
        len += (size_t)snprintf(found + len, sizeof found - len, "%s%s", j == 0 ? "" : " ",
                                names[j]);
    ck_assert_str_eq(found, needs[_i].needs);
}
END_TEST

SUITE(model_output, TEST_EACH(tables_are_what_needs_nothing_of_the_client_but_positions, cases),
      TEST_EACH(needs_are_the_parameters_that_neither_model_nor_positions_give, needs));
