/* SPDX-License-Identifier: Apache-2.0
 * zip_end.h - what the end of a ZIP archive must say of its directory (APPNOTE.TXT 4.3.14 to
 * 4.3.16). Other readers begin there, and look for the end from the last byte backwards: an
 * archive of which two readers could see two directories is refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the zip64 end record, of its locator, and of the end record before its comment. */
enum { ZIP_END_ZIP64 = 56, ZIP_END_LOCATOR = 20, ZIP_END_SIZE = 22 };

struct zip_end {
    uint64_t members, begins, size; /* of the directory */
    uint64_t zip64_begins;          /* offset of the zip64 end record */
    bool zip64;                     /* it has one */
    uint32_t last;                  /* the last four bytes that zip_end_is_hidden has seen */
};

/* Returns whether a record, from its signature on, says what is true. */
bool zip_end_zip64_is(const struct zip_end *end, const unsigned char *record);
bool zip_end_locator_is(const struct zip_end *end, const unsigned char *locator);
bool zip_end_record_is(const struct zip_end *end, const unsigned char *record);
/* Returns whether the end record leaves a number to a zip64 end that the archive has not. */
bool zip_end_lacks_zip64(const struct zip_end *end, const unsigned char *record);
/* Returns whether other readers take these ZIP_END_LOCATOR bytes, which are before an end
 * record without a zip64 end, for the locator of one. */
bool zip_end_is_located(const unsigned char *before);
/* Returns whether the signature of an end record is in these bytes, behind those of the calls
 * before. */
bool zip_end_is_hidden(struct zip_end *end, const unsigned char *bytes, size_t len);
