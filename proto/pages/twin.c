/* SPDX-License-Identifier: Apache-2.0
 * twin.c - see twin.h. */
#include "proto/pages/twin.h"

#include <string.h>

#define APPLY "/apply"

bool twin_is_applied(const struct pe_encoding *enc)
{
    return strstr(pe_name(enc), APPLY);
}

const struct pe_encoding *twin_find(const struct pe_encoding *enc)
{
    const char *name = pe_name(enc);
    size_t len = strcspn(name, "/");

    if (twin_is_applied(enc))
        return pe_find(name, len);
    for (size_t i = 0; i < pe_count(); i++) {
        const char *other = pe_name(pe_at(i));

        if (strncmp(other, name, len) == 0 && strcmp(other + len, APPLY) == 0)
            return pe_at(i);
    }
    return NULL;
}
