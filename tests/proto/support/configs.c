/* SPDX-License-Identifier: Apache-2.0
 * configs.c - see configs.h. */
#include "tests/proto/support/configs.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "proto/models/hf/hf_body.h"
#include "proto/models/hf/hf_config.h"

struct json_body *configs_parse(const char *text)
{
    struct json_body *body = hf_body_new(1 << 20);

    ck_assert_ptr_nonnull(body);
    json_body_add(body, text, strlen(text));
    ck_assert_msg(json_body_finish(body) == JSON_BODY_OK, "%s: %s", text,
                  json_body_error(body));
    return body;
}

void configs_describe(const struct model *model, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];

        used +=
            (size_t)snprintf(text + used, size - used, "%s%s%s%s", i == 0 ? "" : "; ",
                             use->layer_type ? use->layer_type : "",
                             use->layer_type ? ": " : "", use->encoding ? use->encoding : "-");
        for (size_t j = 0; j < use->count; j++) {
            const char *value = use->settings[j].text;
            size_t commas = 0;
            char list[24];

            for (const char *at = value; *at != '\0'; at++)
                commas += *at == ',';
            snprintf(list, sizeof list, "[%zu]", commas + 1);
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", j == 0 ? "?" : "&",
                                     use->settings[j].name, commas > 0 ? list : value);
        }
    }
}

void configs_expect(const char *config, const char *uses, const char *const notes[])
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(config);
    struct hf_config *read = hf_config_read(body, NULL, &errors);
    size_t count, expected = 0;
    char text[1024];

    ck_assert_msg(read != NULL, "%s: %s %s", config, errors.at[0].parameter,
                  errors.at[0].detail);
    configs_describe(hf_config_model(read), text, sizeof text);
    ck_assert_str_eq(text, uses);
    const char *const *said = hf_config_notes(read, &count);
    for (; notes[expected]; expected++) {
        ck_assert_uint_lt(expected, count);
        ck_assert_str_eq(said[expected], notes[expected]);
    }
    ck_assert_msg(count == expected, "%s: %s", config, said[count - 1]);
    hf_config_free(read);
    json_body_free(body);
}

void configs_expect_refusal(const char *config, const char *parameter, const char *detail)
{
    struct pe_errors errors = {0};
    struct json_body *body = configs_parse(config);

    ck_assert_msg(!hf_config_read(body, NULL, &errors), "%s is taken", config);
    ck_assert_uint_ge(errors.count, 1);
    ck_assert_msg(strcmp(errors.at[0].parameter, parameter) == 0 &&
                      strstr(errors.at[0].detail, detail),
                  "%s\n is told: %s %s", config, errors.at[0].parameter, errors.at[0].detail);
    json_body_free(body);
}
