/* SPDX-License-Identifier: Apache-2.0
 * scenario_values.h - what the names of a scenario stand for: texts, and copies of answers. */
#pragma once

#include "tests/support/http_client.h"

enum { SCENARIO_VALUES = 16 };

struct scenario_value {
    char name[24], *text;
    struct http_answer copy;
};

struct scenario_values {
    struct scenario_value at[SCENARIO_VALUES]; /* the first without a name ends them */
};

/* Finds the value of this name; NULL: there is none. */
struct scenario_value *scenario_values_find(struct scenario_values *values, const char *name,
                                            size_t len);
/* Returns the value of this name, which is new if there was none. */
struct scenario_value *scenario_values_get(struct scenario_values *values, const char *name,
                                           size_t len);
void scenario_values_set_text(struct scenario_values *values, const char *name, size_t len,
                              const char *text, size_t text_len);
/* Returns the text with the values in place of their names, {NAME}; the caller frees. */
char *scenario_values_fill_in(const struct scenario_values *values, const char *text);
void scenario_values_fini(struct scenario_values *values);
