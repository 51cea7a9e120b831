/* SPDX-License-Identifier: Apache-2.0
 * schema.h - writes parameter rows as JSON: for the catalog, and as JSON Schema for OpenAPI. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

enum schema_place { SCHEMA_QUERY, SCHEMA_BODY };

/* Returns an example of how a text has values of a type: "14x14"; NULL for numbers. */
const char *schema_type_form(enum pe_type type);
/* Writes a row of the catalog: {"name":"dim","type":"integer","minimum":2,...,"doc":"..."}. */
void schema_write_row(struct buffer *out, const struct pe_param *param, bool required);
/* Writes a JSON Schema of the value, as a query or a body spells it; a body's has the meaning
 * as its description, which a query's parameter has beside the schema. */
void schema_write(struct buffer *out, const struct pe_param *param, enum schema_place place);
/* Writes the schema of one of the row's choices, or of an array of them (out). */
void schema_write_names(struct buffer *out, const struct pe_param *param);
/* Returns whether the row's choices are 0 and 1: a truth value that may also be absent, which
 * OpenAPI has as a boolean. */
bool schema_is_truth(const struct pe_param *param);
/* Returns whether an array in a query is joined by commas, in one pair. */
bool schema_is_list(const struct pe_param *param);
/* Returns the component that has the schema of a parameter that all encodings have, but out. */
const char *schema_shared_name(const struct pe_param *param);
