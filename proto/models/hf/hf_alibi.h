/* SPDX-License-Identifier: Apache-2.0
 * hf_alibi.h - configurations of models with linear biases. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

bool hf_alibi_is(struct hf_reader *reader);
void hf_alibi_add(struct hf_reader *reader); /* adds a use of alibi, or problems */
