/* SPDX-License-Identifier: Apache-2.0
 * hf_pattern.h - inserts numbers of a configuration into texts of a table. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"
#include "proto/text/buffer.h"

/* Writes the pattern with the object's number (NULL: the configuration's) for each
 * {key:number}, or with `number` where the object has none; {width:number} is the width of a
 * head. Returns false after adding the problem of a value that is not a number. */
bool hf_pattern_write(struct buffer *out, struct hf_reader *reader,
                      const struct json_body_value *object, const char *pattern);
/* Adds the pattern "name={key:number}&..." as settings of a use. Returns false after adding the
 * problem of a value that is not a number. */
bool hf_pattern_set(struct hf_reader *reader, struct model_use *use,
                    const struct json_body_value *object, const char *pattern);
