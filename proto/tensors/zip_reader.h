/* SPDX-License-Identifier: Apache-2.0
 * zip_reader.h - the members of a ZIP archive, read as it arrives and within bounds. An archive
 * is its members, then a central directory that lists them. Sizes in headers are compared with
 * the data, never trusted. Its calls are, in order: init, then add and next in turn, fini. */
#pragma once

#include "proto/tensors/zip_state.h"

/* Returns whether the bytes begin a pickle of Python by itself, with the opcode PROTO. */
bool zip_reader_is_pickle(const unsigned char *bytes, size_t len);
/* All zeros is an archive that begins. Frees the memory of decompression. */
void zip_reader_fini(struct zip_reader *zip);
/* Adds bytes; returns their number, which is less than len if events wait. */
size_t zip_reader_add(struct zip_reader *zip, const char *bytes, size_t len);
/* Says that no bytes follow. */
void zip_reader_complete(struct zip_reader *zip);
/* Returns the next event; ZIP_END, ZIP_WRONG, ZIP_TOO_LARGE and ZIP_NO_MEMORY are final. */
enum zip_event zip_reader_next(struct zip_reader *zip);
/* Says that the data of a stored member without a size in its header (.member.unsized, not
 * .deflated) has ended `unread` bytes before the end of the last ZIP_DATA. */
void zip_reader_end_data(struct zip_reader *zip, size_t unread);
