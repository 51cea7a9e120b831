/* SPDX-License-Identifier: Apache-2.0
 * plan_row.h - what plans and masks of a request are, as functions of text_row.h. A request is
 * "alibi?heads=2&len=3". */
#pragma once

#include <stdio.h>

/* Writes the last tensor, "[5,4] as 5x4, group 0, slot 1". */
void plan_row_tensor(FILE *out, const char *text, const char *claim);
/* Makes the plan of "39,0 alibi?heads=2&len=3" under limits of 39 elements, 0 of them computed
 * while planning, and writes the problem, "sentence (40 of 39)". */
void plan_row_limited(FILE *out, const char *text, const char *claim);
/* Makes the plan, which succeeds, once more with a stop that is set, and writes the problem. */
void plan_row_stopped(FILE *out, const char *text, const char *claim);
/* Stops the plan after a quarter of its looks at the stop, and writes "soon" if the other looks
 * are left out. */
void plan_row_stopped_midway(FILE *out, const char *text, const char *claim);
/* Writes whether two requests, "rope?pos=0&dim=2 rope?pos=1&dim=2", have one table: "none",
 * or "same" if the second request has the same bytes by the table of the first. */
void plan_row_table(FILE *out, const char *text, const char *claim);
/* Writes the rows of a mask that see no key, by the output fully_masked_rows; fails where the
 * matrix shows others. */
void plan_row_empty(FILE *out, const char *text, const char *claim);
