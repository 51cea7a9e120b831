/* SPDX-License-Identifier: Apache-2.0
 * configs.h - reads configurations of models in tests of proto/models/hf. */
#pragma once

#include "proto/text/json_body.h"

struct json_body *configs_parse(const char *text); /* the caller frees it */
