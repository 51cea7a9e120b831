/* SPDX-License-Identifier: Apache-2.0
 * hf_pattern.h - inserts numbers of a configuration into texts of a table. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"
#include "proto/text/buffer.h"

/* Adds the pattern "name={key:default}&..." as settings: the object's number (NULL: the
 * configuration's) for each {key:default}, or the default where the object has none. A default
 * with a comma is a list of at most four numbers. {a/b:4/2} is the number of a divided by that
 * of b, each with its default, and {a/2:4} by 2, rounded down; {a|b:4} is the first of the two
 * that is above 0. {width:number} is the width of a head, {inner:number} that of a diffusion
 * model. A class's own default comes before that of the pattern. Returns false after adding
 * the problem of a value that is no number or no list. */
bool hf_pattern_set(struct hf_reader *reader, struct model_use *use,
                    const struct json_body_value *object, const char *pattern);
