/* SPDX-License-Identifier: Apache-2.0
 * zip_step.h - what the steps of zip_reader share. */
#pragma once

#include "proto/tensors/zip_state.h"

/* Writes why the archive is refused; returns the event. */
enum zip_event zip_step_refuse(struct zip_reader *zip, enum zip_event event, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));
/* Goes on to a step without an event. */
enum zip_event zip_step_go(struct zip_reader *zip, enum zip_step step);
/* Returns the bytes of the block that no step has read. */
size_t zip_step_unread(const struct zip_reader *zip);
/* Copies the ZIP_READER_BEFORE bytes before the first unread one; the archive has that many. */
void zip_step_copy_before(const struct zip_reader *zip, unsigned char *bytes);
/* Gives the block up, of which all bytes are read, for the next one. */
void zip_step_next_block(struct zip_reader *zip);
/* Returns whether .part has `size` bytes, after taking the missing ones. */
bool zip_step_gather(struct zip_reader *zip, size_t size);
