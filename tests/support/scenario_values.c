/* SPDX-License-Identifier: Apache-2.0
 * scenario_values.c - see scenario_values.h. */
#include "tests/support/scenario_values.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/buffer.h"

static bool is_named(const struct scenario_value *value, const char *name, size_t len)
{
    return strlen(value->name) == len && strncmp(value->name, name, len) == 0;
}

struct scenario_value *scenario_values_find(struct scenario_values *values, const char *name,
                                            size_t len)
{
    struct scenario_value *value = values->at;

    while (value->name[0] && !is_named(value, name, len))
        value++;
    return value->name[0] ? value : NULL;
}

struct scenario_value *scenario_values_get(struct scenario_values *values, const char *name,
                                           size_t len)
{
    struct scenario_value *value = values->at;

    while (value->name[0] && !is_named(value, name, len))
        value++;
    assert(value < values->at + SCENARIO_VALUES - 1 && len < sizeof value->name);
    snprintf(value->name, sizeof value->name, "%.*s", (int)len, name);
    return value;
}

void scenario_values_set_text(struct scenario_values *values, const char *name, size_t len,
                              const char *text, size_t text_len)
{
    struct scenario_value *value = scenario_values_get(values, name, len);

    free(value->text);
    value->text = strndup(text, text_len);
}

char *scenario_values_fill_in(const struct scenario_values *values, const char *text)
{
    struct buffer filled = {0};
    size_t len;

    buffer_add_text(&filled, "");
    while (*text) {
        const struct scenario_value *value = values->at;
        size_t name_len = text[0] == '{' ? strcspn(text + 1, "}") : 0;

        while (value->name[0] && !(value->text && is_named(value, text + 1, name_len)))
            value++;
        if (name_len > 0 && value->name[0]) {
            buffer_add_text(&filled, value->text);
            text += name_len + 2;
        } else {
            buffer_add(&filled, text++, 1);
        }
    }
    return buffer_take(&filled, &len);
}

void scenario_values_fini(struct scenario_values *values)
{
    for (size_t i = 0; i < SCENARIO_VALUES; i++) {
        free(values->at[i].text);
        http_answer_fini(&values->at[i].copy);
    }
}
