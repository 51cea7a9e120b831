/* SPDX-License-Identifier: Apache-2.0
 * model_tables.h - all tables of a model in one safetensors: each under the name
 * GROUP.ENCODING.OUTPUT. The bytes are made as they are read, each part of them by itself; the
 * memory is that of the plans and of one block. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/request/request.h"

struct encoder;
struct model_tables;

/* Reads the query (model_parts.h). Returns PE_OK, or a failure with problems in *errors. The
 * models may be freed afterwards. */
enum pe_status model_tables_new(struct model_tables **tables, const struct models *models,
                                const struct model *model, const char *query, size_t len,
                                struct pe_errors *errors);
void model_tables_free(struct model_tables *tables); /* NULL is ignored */

/* Returns the strong entity tag with its quotes; borrowed. */
const char *model_tables_etag(const struct model_tables *tables);
/* Returns the operations that planning will take, roughly nanoseconds. */
double model_tables_operations(const struct model_tables *tables);

/* Sizes and prepares all tables. limits->max_elements is for all of them together, and
 * limits->max_operations for each. */
enum pe_status model_tables_plan(struct model_tables *tables,
                                 const struct request_limits *limits, struct pe_errors *errors);
/* Makes the encoder of the planned tables, which takes them over; NULL: out of memory, and the
 * caller keeps them. encoder_size, encoder_read, encoder_seek and encoder_free work on it. */
struct encoder *model_tables_encoder(struct model_tables *tables);
/* Returns the tables of such an encoder; borrowed. */
const struct model_tables *model_tables_of(const struct encoder *encoder);
