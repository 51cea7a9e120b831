/* SPDX-License-Identifier: Apache-2.0
 * request_old_names.c - the sentence about old names of parameters that a request used. */
#include <stdio.h>
#include <string.h>

#include "proto/request/request_internal.h"

void request_write_old_names(struct request *request)
{
    static const char end[] = "; the next release no longer accepts old names";
    char *text = request->old_names;
    size_t len = 0, room = sizeof request->old_names - sizeof end;

    for (size_t i = 0; i < request->given_count; i++) {
        const struct pe_spelling *spelling = request->given[i].spelling;
        char more[128];

        if (!spelling || !spelling->old)
            continue;
        size_t size = (size_t)snprintf(more, sizeof more, "%s%s is the old name of %s",
                                       len > 0 ? ", " : "", spelling->name, spelling->means);
        if (len + size > room)
            break;
        memcpy(text + len, more, size);
        len += size;
    }
    if (len > 0)
        memcpy(text + len, end, sizeof end);
}

const char *request_old_names(const struct request *request)
{
    return request->old_names;
}
