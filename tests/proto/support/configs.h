/* SPDX-License-Identifier: Apache-2.0
 * configs.h - configurations of models in tests of proto/hf_*. */
#ifndef TESTS_PROTO_SUPPORT_CONFIGS_H
#define TESTS_PROTO_SUPPORT_CONFIGS_H

#include <stddef.h>

#include "proto/models/model.h"
#include "proto/text/json_body.h"

struct json_body *configs_parse(const char *text); /* the caller frees it */
/* "rope?dim=64&base=10000&...; full_attention: -": every use. Lists show their length. */
void configs_describe(const struct model *model, char *text, size_t size);

/* The configuration is read as these uses, and its notes are these, NULL after the last. */
void configs_expect(const char *config, const char *uses, const char *const notes[]);
/* It is refused: the first problem names the parameter and its sentence holds the detail. */
void configs_expect_refusal(const char *config, const char *parameter, const char *detail);

#endif
