/* SPDX-License-Identifier: Apache-2.0
 * stop_looks.h - counts how often the calling thread looks at a pe_stop, and sets the stop at a
 * look: in the midst of planning, without a clock. */
#pragma once

#include <stddef.h>

/* Counts from 0. From this look on every stop reads as set to this thread; 0: never. */
void stop_looks_begin(size_t set_at);
size_t stop_looks_count(void);
