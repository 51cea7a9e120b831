/* SPDX-License-Identifier: Apache-2.0
 * model_output.h - which outputs of an encoding a model's use makes, and what a client must
 * bring for them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/models/model.h"

/* Returns the use's encoding, NULL if there is none, or this build does not have it. */
const struct pe_encoding *model_output_encoding(const struct model_use *use);
/* Returns the text of a setting of the use, NULL if it has none of that name. */
const char *model_output_setting(const struct model_use *use, const char *name);

/* Returns an example of a parameter that says where tokens are (positions, a length, a grid,
 * the parts of a sequence), which is the client's to choose; NULL if the parameter says another
 * thing. */
const char *model_output_example(const struct pe_param *param);

/* Lists the parameters of the output that a client must bring, since the model does not have
 * them and they are no positions: a learned table, scores, vectors. Returns their number. */
enum { MODEL_OUTPUT_NEEDS_MAX = 8 };
size_t model_output_needs(const struct model_use *use, const struct pe_encoding *enc,
                          const struct pe_output *output,
                          const char *names[MODEL_OUTPUT_NEEDS_MAX]);
/* Lists the same parameters where the use is there for the output: it is a default one, or a
 * tensor of the checkpoint goes into it. Returns 0 for any other output. */
size_t model_output_meant_needs(const struct model_use *use, const struct pe_encoding *enc,
                                const struct pe_output *output,
                                const char *names[MODEL_OUTPUT_NEEDS_MAX]);

/* Lists the outputs that hold the use's tables: the default outputs; or, unless dense, those of
 * less memory that say the same: runs of a mask, slopes of a bias. Outputs for which the client
 * must bring something are left out; where these are all, the index of the rows of the client's
 * table stands in their place, if the encoding has one. Returns their number. */
size_t model_output_tables(const struct model_use *use, bool dense,
                           const struct pe_output *outputs[PE_MAX_OUTPUTS]);
