/* SPDX-License-Identifier: Apache-2.0
 * hf_sections.h - the rotation of text divided among several axes: mrope_section,
 * xdrope_section, and the class's sections as their default. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Adds a use of mrope with the settings of `text`, the use of rope, if the class or the
 * dictionary (may be NULL) has sections. */
void hf_sections_add(struct hf_reader *reader, const struct model_use *text,
                     const struct json_body_value *dict);
/* Adds a list of numbers as the setting of that name; another kind of value is a problem. */
void hf_sections_add_list(struct hf_reader *reader, struct model_use *use, const char *name,
                          const struct json_body_value *value);
