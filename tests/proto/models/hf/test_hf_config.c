/* SPDX-License-Identifier: Apache-2.0
 * test_hf_config.c - tests what no row can say of configurations: dictionaries that are too
 * long, and reading without memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_config.h"
#include "tests/proto/support/configs.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/row.h"
#include "tests/support/suite.h"

/* Writes an object of count members into a configuration: open, {"key0": 0, ...}, end. */
static void print_crowd(char *text, size_t size, const char *open, size_t count,
                        const char *end)
{
    size_t used = (size_t)snprintf(
        text, size,
        "{\"model_type\": \"llama\", \"head_dim\": 64, \"rope_theta\": 10000, %s: {", open);

    for (size_t i = 0; i < count; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s\"key%zu\": 0", i > 0 ? ", " : "", i);
    snprintf(text + used, size - used, "}%s}", end);
}

static const struct {
    const char *open, *end, *parameter;
} crowded[] = {
    {"\"rope_scaling\"", "", "#/rope_scaling"},
    {"\"rope_parameters\"", "", "#/rope_parameters"},
    {"\"rope_scaling\": {}, \"rope_parameters\"", "", "#/rope_parameters"},
    {"\"rope_parameters\": {}, \"rope_scaling\"", "", "#/rope_scaling"},
    {"\"rope_parameters\": {\"full_attention\"", "}", "#/rope_parameters/full_attention"},
};

START_TEST(a_dictionary_of_rope_has_at_most_64_members)
{
    char text[4096];

    for (size_t count = 64; count <= 65; count++) {
        struct pe_errors errors = {0};

        print_crowd(text, sizeof text, crowded[_i].open, count, crowded[_i].end);
        struct json_body *body = configs_parse(text);
        struct hf_config *config = hf_config_read(body, NULL, NULL, &errors);
        ck_assert_msg(!config == (count == 65), "%s: %s", text, errors.at[0].detail);
        if (!config) {
            ck_assert_str_eq(errors.at[0].parameter, crowded[_i].parameter);
            ck_assert_ptr_nonnull(strstr(errors.at[0].detail, "at most 64 members are read"));
        }
        hf_config_free(config);
        json_body_free(body);
    }
}
END_TEST

/* Returns the configurations of all rows, each once, and their number. */
static const char *const *all_configs(size_t *count)
{
    static struct rows rows;
    static const char **configs;
    static size_t kept;

    if (!configs) {
        rows_read(&rows, "tests/proto/models/hf");
        configs = calloc(rows.count, sizeof *configs);
        for (size_t i = 0; configs && i < rows.count; i++) {
            const char *input = rows.at[i].input;

            if (input && strncmp(input, "config ", 7) == 0 &&
                (kept == 0 || strcmp(input + 7, configs[kept - 1]) != 0))
                configs[kept++] = input + 7;
        }
    }
    *count = kept;
    return configs;
}

static size_t config_count(void)
{
    size_t count;

    all_configs(&count);
    return count;
}

/* Writes the configuration as a model; nothing where it is refused. */
static void describe(struct buffer *text, const struct json_body *body,
                     struct pe_errors *errors)
{
    struct hf_config *config = hf_config_read(body, NULL, "name", errors);
    size_t count;

    if (config) {
        const char *const *notes = hf_config_notes(config, &count);

        model_text_one(text, hf_config_model(config), false, notes, count);
    }
    hf_config_free(config);
}

/* Each allocation fails once: the model is described whole, or the lack of memory is told. A
 * configuration without uses and problems would be taken for a model of no layers. */
START_TEST(without_memory_nothing_is_left_out_and_nothing_is_kept)
{
    size_t count;
    struct json_body *body = configs_parse(all_configs(&count)[_i]);
    static struct pe_errors errors;
    struct buffer whole = {0};
    bool asked = true;

    pe_errors_clear(&errors);
    describe(&whole, body, &errors);
    size_t failing = 0;
    for (; asked; failing++) {
        struct buffer text = {0};

        pe_errors_clear(&errors);
        alloc_fail_start(failing);
        describe(&text, body, &errors);
        bool told = text.failed || errors.count > 0;
        bool same = text.len == whole.len &&
                    (whole.len == 0 || memcmp(text.bytes, whole.bytes, whole.len) == 0);
        buffer_fini(&text);
        asked = alloc_fail_stop();
        ck_assert_msg(told || same, "allocation %zu", failing);
        ck_assert(asked || !whole.bytes || same);
        ck_assert_int_eq(alloc_fail_live(), 0);
    }
    ck_assert_uint_gt(failing, 1); /* at least one allocation failed */
    buffer_fini(&whole);
    json_body_free(body);
}
END_TEST

SUITE(hf_config, TEST_EACH(a_dictionary_of_rope_has_at_most_64_members, crowded),
      TEST_COUNTED(without_memory_nothing_is_left_out_and_nothing_is_kept, config_count));
