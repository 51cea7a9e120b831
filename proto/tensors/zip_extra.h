/* SPDX-License-Identifier: Apache-2.0
 * zip_extra.h - the extra fields of a member's header and of its entry in the directory of a
 * ZIP archive (APPNOTE.TXT 4.5, 4.6.9): numbers of eight bytes, and another form of the
 * name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zip_extra {
    bool zip64;                /* it has a field of zip64 */
    const unsigned char *next; /* that field's next number */
    size_t left;               /* its bytes from there on */
};

enum zip_extra_state {
    ZIP_EXTRA_OK,
    ZIP_EXTRA_CUT,     /* a field goes on after the last one's end */
    ZIP_EXTRA_TWICE,   /* two fields of zip64, of which readers take different ones */
    ZIP_EXTRA_RENAMED, /* a field gives another name, which some readers take */
};

/* Reads the fields of a member of this name. */
enum zip_extra_state zip_extra_read(struct zip_extra *extra, const unsigned char *fields,
                                    size_t len, const char *name, size_t name_len);
/* Takes the next number of zip64 if `number`, of four bytes, leaves it to that field; false if
 * the field ends before it. */
bool zip_extra_take(struct zip_extra *extra, uint64_t *number);
