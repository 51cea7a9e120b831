/* SPDX-License-Identifier: Apache-2.0
 * axes_drafts.h - claims of tables that turn by several axes (wave_axes.h): a grid of
 * patches, sections of one ladder of frequencies, or a ladder for each axis. */
#pragma once

#include "core/verify/sight/sight.h"

/* Returns arguments that have the tensors' numbers, whose roles are set; NULL: the tensors
 * are no tables of several axes, or of none that is read here. */
struct pe_args *axes_drafts_try(struct sight *sight, struct pe_verify_role *roles);
/* Returns the encoding of rotary tables of the shortest name, by which the roles of tensors are
 * found: they are those of its outputs. NULL: there is none. */
const struct pe_encoding *axes_drafts_encoding(const struct sight *sight);
