/* SPDX-License-Identifier: Apache-2.0
 * test_hf_plain.c - tests that a configuration of each model_type of hf_plain.def, with no
 * other key but its condition, has uses of its encodings: legal requests but for what the
 * client must bring. */
#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

static const struct {
    const char *type, *key, *word;
    bool absent;
    const char *encoding, *group, *pattern;
} rows[] = {
#define HF_PLAIN(TYPE, ...) {TYPE, NULL, NULL, true, __VA_ARGS__},
#define HF_PLAIN_IF(...) {__VA_ARGS__},
#include "proto/models/hf/hf_plain.def"
#undef HF_PLAIN
#undef HF_PLAIN_IF
};

static bool same(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

START_TEST(every_type_has_a_use_of_its_encoding)
{
    struct pe_errors errors = {0};
    char config[160], condition[100] = "";
    const char *word = rows[_i].word;
    const char *quote = word && strcmp(word, "true") != 0 ? "\"" : "";

    if (word)
        snprintf(condition, sizeof condition, ", \"%s\": %s%s%s", rows[_i].key, quote, word,
                 quote);
    snprintf(config, sizeof config, "{\"model_type\": \"%s\"%s}", rows[_i].type, condition);
    struct json_body *body = configs_parse(config);
    struct hf_config *read = hf_config_read(body, NULL, NULL, &errors);
    ck_assert_msg(read != NULL, "%s: %s", config, errors.at[0].detail);
    const struct model *model = hf_config_model(read);
    bool found = false;
    for (size_t i = 0; i < model->use_count; i++)
        found |= same(model->uses[i].encoding, rows[_i].encoding) &&
                 same(model->uses[i].layer_type, rows[_i].group);
    ck_assert_msg(found, "%s", config);
    hf_config_free(read);
    json_body_free(body);
}
END_TEST

SUITE(hf_plain, TEST_EACH(every_type_has_a_use_of_its_encoding, rows));
