/* SPDX-License-Identifier: Apache-2.0
 * configs.h - reads configurations of models in tests of proto/models/hf. */
#ifndef TESTS_PROTO_SUPPORT_CONFIGS_H
#define TESTS_PROTO_SUPPORT_CONFIGS_H

#include <stddef.h>

#include "proto/models/model.h"
#include "proto/text/json_body.h"

struct json_body *configs_parse(const char *text); /* the caller frees it */
/* Writes every use, lists as lengths: "rope?dim=64&base=10000&...; full_attention: -". */
void configs_describe(const struct model *model, char *text, size_t size);

/* Checks that the configuration has these uses and these notes (NULL after the last). */
void configs_expect(const char *config, const char *uses, const char *const notes[]);
/* Checks that the first problem names the parameter and its sentence has the detail. */
void configs_expect_refusal(const char *config, const char *parameter, const char *detail);

#endif
