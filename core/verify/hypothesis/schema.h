/* SPDX-License-Identifier: Apache-2.0
 * schema.h - hypotheses from the schema of the claimed encoding: no encoding has code of its
 * own here. */
#pragma once

#include "core/verify/hypothesis/hypothesis.h"

/* Adds every other value of every parameter that the judged outputs depend on. */
void schema_add_values(struct hypotheses *list, struct claim *claim);
/* Adds values of the profiles: rules of arithmetic, which are no mistakes. */
void schema_add_profiles(struct hypotheses *list, struct claim *claim);
/* Writes the values that a missing parameter is tried with; returns their number. */
size_t schema_values_of_missing(const struct pe_param *param, double values[8]);
