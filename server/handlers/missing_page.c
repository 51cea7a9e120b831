/* SPDX-License-Identifier: Apache-2.0
 * missing_page.c - see missing_page.h. */
#include "server/handlers/missing_page.h"

#include <ctype.h>
#include <string.h>

#include "proto/http/accept.h"
#include "proto/pages/html.h"
#include "server/handlers/html_frame.h"

bool missing_page_write(const struct exchange *ex, struct buffer *out)
{
    const struct config *config = &exchange_service(ex)->config;
    struct page_frame frame = html_frame_of(config);
    char first[2] = "";
    const bool is_page = ex->target.path_len < 3 || memcmp(ex->target.path, "/v1", 3) != 0;

    if (!config->ui || !is_page || ex->connection->listener_kind == LISTENER_KIND_ADMIN ||
        !accept_html(exchange_head(ex)->accept))
        return false;
    frame.title = "No such page";
    frame.kind = "docs";
    page_frame_open(out, &frame);
    first[0] = (char)toupper((unsigned char)ex->problem.detail[0]);
    html_add(out,
             "<article><h1>No such page</h1>\n<p class=\"lead\">%s%s</p>\n<ul>\n"
             "<li><a href=\"%s/\">Explore</a> draws every encoding.</li>\n"
             "<li><a href=\"%s/models\">Models</a> has the published ones.</li>\n"
             "<li><a href=\"%s/docs\">Docs</a> explains encodings, mistakes and the "
             "interface.</li>\n</ul></article>\n",
             first, ex->problem.detail + 1, frame.base, frame.base, frame.base);
    page_frame_close(out, &frame);
    return true;
}
