/* SPDX-License-Identifier: Apache-2.0
 * inference_format.h - the format of the response to a request for inference, which no query
 * can name: JSON, and behind it the outputs that are wanted in binary. */
#pragma once

#include "proto/http/format.h"
#include "proto/inference/inference_answer.h"

/* Returns the format of the response. */
const struct format *inference_format_of(const struct inference_answer *answer);
