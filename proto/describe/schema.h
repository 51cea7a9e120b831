/* SPDX-License-Identifier: Apache-2.0
 * schema.h - writes parameter rows as JSON: for the catalog, and as JSON Schema for OpenAPI. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

enum schema_place { SCHEMA_QUERY, SCHEMA_BODY };

/* Returns the catalog's word for a type: "integer", "choice", "positions" ... */
const char *schema_type_name(enum pe_type type);
/* Writes a row of the catalog: {"name":"dim","type":"integer","minimum":2,...,"doc":"..."}. */
void schema_write_row(struct buffer *out, const struct pe_param *param, bool required);
/* Writes a JSON Schema of the value, as a query or a body spells it. */
void schema_write(struct buffer *out, const struct pe_param *param, enum schema_place place);
/* Writes a comma-separated list of the row's choices ("cos,sin") as a JSON Schema. */
void schema_write_list(struct buffer *out, const struct pe_param *param);
