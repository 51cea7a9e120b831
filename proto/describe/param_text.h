/* SPDX-License-Identifier: Apache-2.0
 * param_text.h - the values and the default of a parameter as a person reads them: in the
 * help of the command line and in the documentation. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the allowed values: "2..65536, a multiple of 2", "half | full". */
void param_text_values(struct buffer *out, const struct pe_param *param);
/* Writes the prefix and the default as a query has it; nothing where there is no default. */
void param_text_default(struct buffer *out, const char *prefix, const struct pe_param *param);
