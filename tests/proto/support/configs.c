/* SPDX-License-Identifier: Apache-2.0
 * configs.c - a configuration in, its uses as one line out. */
#include "tests/proto/support/configs.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

struct json_body *configs_parse(const char *text)
{
    struct json_body *body = json_body_new(1 << 20);
    ck_assert_ptr_nonnull(body);
    json_body_add(body, text, strlen(text));
    ck_assert_msg(json_body_finish(body) == BODY_OK, "%s: %s", text, json_body_error(body));
    return body;
}

void configs_describe(const struct model *model, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < model->use_count; i++) {
        const struct model_use *use = &model->uses[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", i == 0 ? "" : "; ",
                                 use->layer_type != NULL ? use->layer_type : "",
                                 use->layer_type != NULL ? ": " : "",
                                 use->encoding != NULL ? use->encoding : "-");
        for (size_t j = 0; j < use->count; j++) {
            const char *value = use->settings[j].text;
            size_t commas = 0;
            char list[24];
            for (const char *at = value; *at != '\0'; at++) {
                commas += *at == ',';
            }
            snprintf(list, sizeof list, "[%zu]", commas + 1);
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", j == 0 ? "?" : "&",
                                     use->settings[j].name, commas > 0 ? list : value);
        }
    }
}
