/* SPDX-License-Identifier: Apache-2.0
 * line_drafts.h - claims of tables whose pairs all turn by one coordinate, at positions in
 * any order: rotary tables, and rows of sines and cosines. Positions that fall below 0 are
 * those of nobody: then sight->mistaken becomes the claim without their sign, whose sines have
 * the other one, and NULL is returned. */
#pragma once

#include "core/verify/sight/wave_ladder.h"

/* Tries rotary tables whose axes were read and are one. */
struct pe_args *line_drafts_rotary(struct sight *sight, const struct wave_tables *tables,
                                   const struct wave_axes *axes, struct pe_verify_role *roles);
/* Tries one tensor as rows of sines and cosines, in each order that rows of an encoding
 * have; not where its name says that it is a rotary table, or where the positions are those
 * of one: cosines before sines, from 0 on. Return arguments that have the tensors' numbers,
 * whose roles are set, or NULL. */
struct pe_args *line_drafts_sines(struct sight *sight, struct pe_verify_role *roles);
