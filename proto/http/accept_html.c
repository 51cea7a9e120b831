/* SPDX-License-Identifier: Apache-2.0
 * accept_html.c - see accept_html.h. */
#include "proto/http/accept_html.h"

#include <string.h>
#include <strings.h>

#include "proto/http/quality_list.h"

/* Returns the greatest weight that the list gives the media type by its name. */
static unsigned weight_of(const char *accept, const char *media_type)
{
    const char *end = accept + strlen(accept);
    struct quality_list range;
    unsigned most = 0;

    while (quality_list_next(&accept, end, &range))
        if (range.len == strlen(media_type) &&
            strncasecmp(range.text, media_type, range.len) == 0 && range.q > most)
            most = range.q;
    return most;
}

bool accept_html(const char *accept)
{
    unsigned html = accept ? weight_of(accept, "text/html") : 0;

    return html > 0 && html >= weight_of(accept, "application/json");
}
