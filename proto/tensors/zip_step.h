/* SPDX-License-Identifier: Apache-2.0
 * zip_step.h - what the steps of zip_reader share, and those of the data of a member. */
#pragma once

#include "proto/tensors/zip_state.h"

/* Writes why the archive is wrong; returns that event. */
enum zip_event zip_step_refuse(struct zip_reader *zip, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Goes on to a step without an event. */
enum zip_event zip_step_go(struct zip_reader *zip, enum zip_step step);
/* Returns the bytes of the block that no step has read. */
size_t zip_step_unread(const struct zip_reader *zip);
/* Copies the ZIP_READER_BEFORE bytes before the first unread one; the archive has that many. */
void zip_step_copy_before(const struct zip_reader *zip, unsigned char *bytes);
/* Gives the block up for the next one, which begins with the bytes that no step has read. */
void zip_step_next_block(struct zip_reader *zip);
/* Returns whether .part has `size` bytes, after taking the missing ones. */
bool zip_step_gather(struct zip_reader *zip, size_t size);

/* Begins the data of a member: a deflated one has no framing, and a window of 32 KiB, in the
 * stream that a member before has made. False: out of memory. */
bool zip_step_begin_data(struct zip_reader *zip);
/* Have an event of the next bytes of a member that is stored, of one that is deflated; ZIP_NONE
 * when it has ended. */
enum zip_event zip_step_store(struct zip_reader *zip);
enum zip_event zip_step_inflate(struct zip_reader *zip);
/* Counts the data of the last event, when the caller has said where it ends. */
void zip_step_settle_data(struct zip_reader *zip);
