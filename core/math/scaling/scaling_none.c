/* SPDX-License-Identifier: Apache-2.0
 * scaling_none.c - no scaling: the frequencies as trained (Hugging Face's rope_type
 * default). */
#include "core/math/scaling/scaling.h"

const struct scaling_rule scaling_none = {.resolve = NULL};
