/* SPDX-License-Identifier: Apache-2.0
 * shown_ids.h - what positions show: where they begin again, and which tokens they count. */
#pragma once

#include "core/verify/sight/shown.h"

/* Adds what a tensor of whole numbers shows, and nothing for another. */
void shown_read_ids(struct shown *shown, const struct view *view);
