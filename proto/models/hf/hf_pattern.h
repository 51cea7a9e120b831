/* SPDX-License-Identifier: Apache-2.0
 * hf_pattern.h - texts of a table with numbers of a configuration in them. Private to
 * proto/hf_*. */
#ifndef PROTO_HF_PATTERN_H
#define PROTO_HF_PATTERN_H

#include "proto/models/hf/hf_reader.h"
#include "proto/text/buffer.h"

/* The pattern with a number of the object (NULL: of the configuration) for each {key:number},
 * the number in it where the object has none; {width:number} is the width of a head. False
 * after adding a problem: the object has something else there. */
bool hf_pattern_write(struct buffer *out, struct hf_reader *reader,
                      const struct json_body_value *object, const char *pattern);
/* The pattern "name={key:number}&..." as settings of a use; the same. */
bool hf_pattern_set(struct hf_reader *reader, struct model_use *use,
                    const struct json_body_value *object, const char *pattern);

#endif
