/* SPDX-License-Identifier: Apache-2.0
 * config_value.h - the value of a flag: text to field and back, by the flag's row of
 * flags.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"

enum { CONFIG_LIST_MAX = 16, CONFIG_ITEM_SIZE = 144 };

struct config_list { /* the values of a flag that may be repeated */
    char item[CONFIG_LIST_MAX][CONFIG_ITEM_SIZE];
    size_t count;
};

enum config_kind {
    KIND_ADDRESSES,
    KIND_HOSTS,
    KIND_ORIGINS,
    KIND_LISTS_END, /* the kinds above are lists */
    KIND_COUNT,
    KIND_AUTO,
    KIND_BYTES,
    KIND_ELEMENTS,
    KIND_TIME,
    KIND_FILE,
    KIND_URL,
    KIND_CHOICE,
    KIND_SWITCH,
    KIND_FIELDS, /* a set of choices, bit i for the i-th */
};

struct config_row { /* a row of flags.def */
    const char *name;
    enum config_kind kind;
    const char *fallback;
    uint64_t low, high;
    const char *choices; /* "off|errors|all" */
    const char *help;
    size_t offset; /* into struct config */
};

static inline bool config_value_is_list(const struct config_row *row)
{
    return row->kind < KIND_LISTS_END;
}

/* Sets `field` from text; a list gets one more item. False, and in `why` what would be right
 * ("must be ..."). */
bool config_value_parse(const struct config_row *row, void *field, const char *text, char *why,
                        size_t why_size);
/* Prints the value as on the command line; the items of a list are joined by blanks. */
void config_value_print(const struct config_row *row, const void *field, struct buffer *out);
