/* SPDX-License-Identifier: Apache-2.0
 * shown_mask.h - what a mask shows: how many keys a query sees before and after itself, where
 * runs of queries see from, which keys nothing sees. */
#pragma once

#include "core/verify/sight/shown.h"

/* Adds what a tensor shows that has two values, and nothing for another. */
void shown_read_mask(struct shown *shown, const struct view *view);
