/* SPDX-License-Identifier: Apache-2.0
 * hf_both.h - configurations that say the scaling of their rotation twice. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Checks that rope_parameters and rope_scaling, which are two names of one dictionary, say the
 * same; what only one of them says is a problem, too, since transformers reads rope_scaling
 * alone where it is there. rope_theta and what else may stand outside of a dictionary counts as
 * said where it stands there. An empty dictionary counts as absent. Returns false if
 * rope_parameters is empty, so that rope_scaling is the one to read. */
bool hf_both_check(struct hf_reader *reader, const struct json_body_value *parameters,
                   const struct json_body_value *scaling);
