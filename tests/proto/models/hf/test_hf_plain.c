/* SPDX-License-Identifier: Apache-2.0
 * test_hf_plain.c - tests that a configuration of each class with encodings, with no other
 * key but their condition, has uses of them: legal requests but for what the client must
 * bring. */
#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_class.h"
#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/configs.h"
#include "tests/support/suite.h"

/* Encoding number i of all classes, and its class. */
struct row {
    const struct hf_class *class;
    const struct hf_encoding *one; /* NULL: there are fewer */
};

static struct row find_row(size_t i)
{
    struct row row;

    for (size_t at = 0; (row.class = hf_class_at(at)) != NULL; at++)
        for (row.one = row.class->encodings; row.one && !row.one->last; row.one++)
            if (i-- == 0)
                return row;
    return (struct row){NULL, NULL};
}

static size_t count(void)
{
    size_t rows = 0;

    while (find_row(rows).one)
        rows++;
    return rows;
}

static bool same(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

START_TEST(every_type_has_a_use_of_its_encoding)
{
    struct pe_errors errors = {0};
    char config[160], condition[100] = "";
    const struct row row = find_row((size_t)_i);
    const char *word = row.one->word;
    const char *quote = word && strcmp(word, "true") != 0 ? "\"" : "";

    if (word)
        snprintf(condition, sizeof condition, ", \"%s\": %s%s%s", row.one->key, quote, word,
                 quote);
    snprintf(config, sizeof config, "{\"model_type\": \"%s\"%s}", row.class->name, condition);
    struct json_body *body = configs_parse(config);
    struct hf_config *read = hf_config_read(body, NULL, NULL, &errors);
    ck_assert_msg(read != NULL, "%s: %s", config, errors.at[0].detail);
    const struct model *model = hf_config_model(read);
    bool found = false;
    for (size_t i = 0; i < model->use_count; i++)
        found |= same(model->uses[i].encoding, row.one->encoding) &&
                 same(model->uses[i].layer_type, row.one->group);
    ck_assert_msg(found, "%s", config);
    hf_config_free(read);
    json_body_free(body);
}
END_TEST

SUITE(hf_plain, TEST_COUNTED(every_type_has_a_use_of_its_encoding, count));
