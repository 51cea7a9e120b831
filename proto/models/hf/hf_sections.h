/* SPDX-License-Identifier: Apache-2.0
 * hf_sections.h - the rotation of text dealt to several axes: mrope_section, xdrope_section,
 * and what the family has where a configuration has neither. Private to proto/hf_*. */
#ifndef PROTO_HF_SECTIONS_H
#define PROTO_HF_SECTIONS_H

#include "proto/models/hf/hf_reader.h"

/* Adds a use of mrope beside `text`, the use of rope whose frequencies it has, if the family or
 * the dictionary (NULL: none) says that there are sections. */
void hf_sections_add(struct hf_reader *reader, const struct model_use *text,
                     const struct json_body_value *dict);
/* A list of numbers as the setting of that name; another kind of value is a problem. */
void hf_sections_add_list(struct hf_reader *reader, struct model_use *use, const char *name,
                          const struct json_body_value *value);

#endif
