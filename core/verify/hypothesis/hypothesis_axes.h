/* SPDX-License-Identifier: Apache-2.0
 * hypothesis_axes.h - the axis of vectors along which positions run. */
#pragma once

#include "core/verify/hypothesis/hypothesis.h"

/* Adds every other axis of the vectors along which positions may run, with as many positions as
 * it is long, where the parameter is seq_axis; nothing for other parameters. */
void hypothesis_axes_add(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param);
