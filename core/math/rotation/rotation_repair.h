/* SPDX-License-Identifier: Apache-2.0
 * rotation_repair.h - elements of the fast path that are computed one by one: those that the
 * kernel marked, and those of columns that it does not serve. */
#pragma once

#include "core/math/rotation/rotation_stretch.h"

/* A sum smaller than this, times the sizes of its terms, has cancelled (rotation_fast.c). */
#define ROTATION_NEAR_ZERO 0x1p-16
/* By how much, times the amplitude, values of one element may differ on the paths: direct
 * evaluation, fine rows of positions, fine rows of a stride (rotation_fast.c). */
#define ROTATION_APART 0x1.2p-49

/* Repair row r of the stretch: elements that cancelled are evaluated directly, zeros lose
 * their sign; `all` repairs the others too. */
void rotation_repair(const struct rotation_fast *fast, const struct rotation_lane *lane,
                     const struct rotation_stretch *stretch, uint64_t r, bool all);
/* Fills row r of a sure stretch, whose values are fine ones up to their signs. */
void rotation_repair_copy(const struct rotation_fast *fast, const struct rotation_lane *lane,
                          const struct rotation_stretch *stretch, uint64_t r);
/* Makes row r of the stretch what the deciding path makes it: direct evaluation, or fine
 * rows of positions where there are ROTATION_FINE_FROM positions. Elements that both paths
 * round to the same number stay; `all` repairs these too. */
void rotation_repair_exact(const struct rotation_fast *fast, const struct rotation_lane *lane,
                           const struct rotation_stretch *stretch, uint64_t r, bool all);
