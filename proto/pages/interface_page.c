/* SPDX-License-Identifier: Apache-2.0
 * interface_page.c - see interface_page.h. The rows are those of endpoints.def and of the
 * registry, as in the document. */
#include "proto/pages/interface_page.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/http/endpoint.h"
#include "proto/pages/html.h"

static void add_actions(struct buffer *out, const char *base)
{
    html_add(
        out,
        "<p class=\"actions\">"
        "<a href=\"%s/openapi.json\" download=\"openapi.json\">openapi.json</a>, the whole "
        "document · <a href=\"%s/docs/clients\">Clients made of it</a> · "
        "<a href=\"%s/docs/api\">The interface explained</a></p>\n"
        "<pre class=\"shell\" tabindex=\"0\">curl -s "
        "&#39;localhost:8080%s/openapi.json&#39;\ncurl -s "
        "&#39;localhost:8080%s/openapi.json?encoding=rope,alibi&#39;\n</pre>\n",
        base, base, base, base, base);
}

/* Writes a path, which may be broken behind a slash and nowhere else. */
static void add_path(struct buffer *out, const char *path)
{
    while (*path) {
        const size_t len = strcspn(path, "/"), slash = path[len] == '/';

        html_add_text(out, path, len + slash);
        path += len + slash;
        if (slash && *path)
            buffer_add_text(out, "<wbr>");
    }
}

static void add_paths(struct buffer *out)
{
    buffer_add_text(
        out, "<h2 id=\"paths\">Paths</h2>\n<div class=\"wide\" tabindex=\"0\">"
             "<table class=\"paths\">\n<thead><tr>"
             "<th scope=\"col\">Path and methods</th><th scope=\"col\">What it answers</th>"
             "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        const struct endpoint *endpoint = endpoint_at(i);
        struct buffer allow = {0};

        if (endpoint->access & (ENDPOINT_PAGE | ENDPOINT_FOREIGN))
            continue;
        endpoint_allow(endpoint, &allow);
        buffer_add_text(out, "<tr><th scope=\"row\"><code>");
        add_path(out, endpoint->path);
        html_add(out, "</code><span class=\"unit\">%s</span></th><td>%s</td></tr>\n",
                 allow.failed ? "" : allow.bytes, endpoint->summary);
        if (allow.failed)
            buffer_fail(out);
        buffer_fini(&allow);
    }
    buffer_add_text(out, "</tbody>\n</table></div>\n");
}

static void add_parts(struct buffer *out, const char *base)
{
    buffer_add_text(out, "<h2 id=\"encodings\">Encodings</h2>\n<p>Each has its parameters, its "
                         "examples and its answers in a part of the document of its own.</p>\n"
                         "<ul class=\"problems\">\n");
    for (size_t i = 0; i < pe_count(); i++)
        html_add(out,
                 "<li><a href=\"%s/openapi.json?encoding=%s\"><code>/v1/%s</code></a></li>\n",
                 base, pe_name(pe_at(i)), pe_name(pe_at(i)));
    buffer_add_text(out, "</ul>\n");
}

void interface_page_write(struct buffer *out, const struct page_frame *frame)
{
    static const struct page_frame_lead lead = {
        .title = "The interface as OpenAPI",
        .name = "openapi",
        .description = "Every path, parameter, body and answer of the service, as a document "
                       "that programs read: OpenAPI 3.1."};
    struct page_frame own = *frame;

    page_frame_open_document(out, &own, &lead);
    add_actions(out, own.base);
    add_paths(out);
    add_parts(out, own.base);
    page_frame_close_document(out, &own);
}
