/* SPDX-License-Identifier: Apache-2.0
 * hypothesis_list.h - hypotheses about parameters that are lists. */
#pragma once

#include "core/verify/hypothesis/hypothesis.h"

/* Adds other values of positions, a grid or a list of numbers; nothing for other types. */
void hypothesis_list_add(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param);
