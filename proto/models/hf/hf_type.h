/* SPDX-License-Identifier: Apache-2.0
 * hf_type.h - the type of model that a configuration names. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

/* Returns model_type, or _class_name of a diffusion model, or else the known type that the
 * class in architectures is named after. NULL if the configuration names none. */
const char *hf_type_read(struct hf_reader *reader);
