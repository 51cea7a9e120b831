/* SPDX-License-Identifier: Apache-2.0
 * progress.h - the line on a terminal that tells how far a long piece of work is. A thread
 * of its own draws it once a second of work is over, since a step of the work may take
 * longer. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "proto/text/buffer.h"

enum { PROGRESS_AFTER_MS = 1000, PROGRESS_EVERY_MS = 200 };
#define PROGRESS_UNKNOWN UINT64_MAX

struct progress;

/* Starts to watch work; NULL if standard error is no terminal (or a thread cannot be had): the
 * other functions accept NULL. */
struct progress *progress_start(void);
/* Sets the bytes of the whole, or PROGRESS_UNKNOWN, which it is before. */
void progress_set_total(struct progress *progress, uint64_t total);
void progress_add(struct progress *progress, uint64_t bytes);
/* Ends the watch and wipes the line away. */
void progress_end(struct progress *progress);

/* Writes the line for `done` of `total` bytes after so many milliseconds: a bar and the
 * time that is left, or what was done if the total is unknown. */
void progress_write(struct buffer *out, uint64_t done, uint64_t total, uint64_t elapsed_ms);
