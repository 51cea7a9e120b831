/* SPDX-License-Identifier: Apache-2.0
 * page_picture.c - see page_picture.h. */
#include "proto/pages/page_picture.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proto/describe/output_row.h"
#include "proto/http/format.h"
#include "proto/pages/html.h"
#include "proto/request/request.h"
#include "proto/text/base64.h"

#define MEDIA_TYPE "image/svg+xml"

/* Most elements of a picture in a page: pictures of the catalogue have some thousands. */
enum { MAX_ELEMENTS = 1 << 20, READ_SIZE = 1 << 14 };

static const struct format *picture_format(void)
{
    for (size_t i = 0; i < format_count(); i++)
        if (strcmp(format_at(i)->media_type, MEDIA_TYPE) == 0)
            return format_at(i);
    return NULL;
}

const struct pe_output *page_picture_output(const struct pe_encoding *enc)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (outputs[i].by_default && (outputs[i].picture || pe_picture(enc)))
            return &outputs[i];
    return NULL;
}

/* Reads the answer of a plan, or `most` bytes of it and some more. */
static void read_some(struct buffer *out, const struct request *request, struct pe_plan *plan,
                      size_t most)
{
    struct encoder *encoder = encoder_new(request, plan);
    char *at;
    size_t len = 0;

    do {
        at = encoder ? buffer_reserve(out, READ_SIZE) : NULL;
        len = at ? encoder_read(encoder, at, READ_SIZE - 1) : 0;
        if (len > 0)
            buffer_advance(out, len);
    } while (len > 0 && out->len < most);
    if (!at || encoder_failed(encoder))
        buffer_fail(out);
    encoder_free(encoder);
}

/* Computes the answer to the query, or at least its first `most` bytes; false if it cannot be
 * had. */
static bool compute(struct buffer *out, const struct pe_encoding *enc,
                    const struct buffer *query, size_t most)
{
    static const struct request_limits limits = {.max_elements = MAX_ELEMENTS,
                                                 .max_text_elements = MAX_ELEMENTS,
                                                 .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct request *request = query->failed ? NULL : request_new(enc);
    struct pe_errors errors = {.count = 0};
    struct pe_plan *plan = NULL;

    if (!request)
        return false;
    if (request_set_query(request, query->bytes, query->len, &errors) == PE_OK &&
        request_finish(request, NULL, 0, &errors) == PE_OK &&
        request_plan(request, &plan, NULL, &limits, &errors) == PE_OK)
        read_some(out, request, plan, most);
    pe_plan_free(plan);
    request_free(request);
    return out->len > 0;
}

/* Writes the answer to the query as a data: URL; false, and nothing is written, if it cannot
 * be had. */
static bool add_data(struct buffer *out, const struct pe_encoding *enc,
                     const struct buffer *query)
{
    struct buffer bytes = {0};
    size_t space = 0;
    char *at = NULL;

    if (compute(&bytes, enc, query, SIZE_MAX)) {
        space = (bytes.len + 2) / 3 * 4;
        buffer_add_text(out, "data:" MEDIA_TYPE ";base64,");
        at = buffer_reserve(out, space + 1);
    }
    if (at) {
        (void)base64_print(at, (const unsigned char *)bytes.bytes, bytes.len);
        buffer_advance(out, space);
    }
    buffer_fini(&bytes);
    return at;
}

/* "Cosines: position by column": a picture's meaning for a reader who does not see it. */
static void add_words(struct buffer *out, const struct pe_output *output)
{
    html_add(out, "%s", output->label);
    for (size_t i = 0; i < PE_MAX_RANK && output->axes[i]; i++) {
        const struct pe_axis *axis = pe_axis_find(output->axes[i]);

        buffer_add_text(out, i == 0 ? ": " : " by ");
        html_add(out, "%s", axis ? axis->label : output->axes[i]);
    }
}

/* Writes the next attributes of the image, its size, which leaves the last one open as the
 * address was: a page keeps the place of a picture that is loaded later. */
static void add_size(struct buffer *out, const struct pe_encoding *enc,
                     const struct buffer *query)
{
    static const char *const names[] = {"width", "height"};
    struct buffer head = {0};
    bool found = compute(&head, enc, query, 1);

    for (size_t i = 0; found && i < sizeof names / sizeof names[0]; i++) {
        char mark[16];

        snprintf(mark, sizeof mark, " %s=\"", names[i]);
        const char *at = strstr(head.bytes, mark);

        if (at) {
            at += strlen(mark);
            html_add(out, "\" %s=\"%.*s", names[i], (int)strspn(at, "0123456789"), at);
        }
    }
    if (!found)
        buffer_fail(out);
    buffer_fini(&head);
}

/* Writes the address of the picture at the query, or the picture itself where the address needs
 * a key, and the size of the picture. */
static void add_source(struct buffer *out, const struct page_frame *frame,
                       const struct pe_encoding *enc, struct buffer *query)
{
    buffer_add_format(query, "&format=%s", picture_format()->name);
    if (query->failed || !frame->keyed || !add_data(out, enc, query))
        html_add(out, "%s/v1/%s?%s", frame->base, pe_name(enc),
                 query->failed ? "" : query->bytes);
    if (!query->failed)
        add_size(out, enc, query);
}

void page_picture_add_source(struct buffer *out, const struct page_frame *frame,
                             const char *address)
{
    const char *name = address + strlen("/v1/"), *end = strchr(name, '?');
    const struct pe_encoding *enc = end ? pe_find(name, (size_t)(end - name)) : NULL;
    struct buffer query = {0};

    assert(enc);
    buffer_add_text(&query, end + 1);
    add_source(out, frame, enc, &query);
    if (query.failed)
        buffer_fail(out);
    buffer_fini(&query);
}

/* Writes the figure of the picture at the query, which has no format= yet. */
static void add_figure(struct buffer *out, const struct page_frame *frame,
                       const struct pe_encoding *enc, const struct pe_output *output,
                       struct buffer *query)
{
    const char *name = pe_name(enc);

    html_add(out, "<figure class=\"picture\">\n<a href=\"%s/explore/%s?%s\"><img src=\"",
             frame->base, name, query->bytes);
    add_source(out, frame, enc, query);
    buffer_add_text(out, "\" alt=\"");
    add_words(out, output);
    html_add(out,
             "\"></a>\n<figcaption><code>%s</code>: %s. <code class=\"url\">%s/v1/%s?%s</code>"
             "</figcaption>\n</figure>\n",
             output->name, output->summary, frame->base, name,
             query->failed ? "" : query->bytes);
    if (query->failed)
        buffer_fail(out);
}

void page_picture_add(struct buffer *out, const struct page_frame *frame,
                      const struct pe_encoding *enc, const struct pe_output *output)
{
    struct buffer query = {0};

    if (picture_format() && output_row_write_picture(&query, enc, output)) {
        if (query.failed)
            buffer_fail(out);
        else
            add_figure(out, frame, enc, output, &query);
    }
    buffer_fini(&query);
}

void page_picture_add_card(struct buffer *out, const struct page_frame *frame,
                           const struct pe_output *output, const char *card)
{
    const char *format = strstr(card, "&format=");

    if (!format || frame->keyed || !picture_format())
        return;
    html_add(out, "<figure class=\"picture\">\n<img src=\"%s%.*s&amp;format=%s\" alt=\"",
             frame->base, (int)(format - card), card, picture_format()->name);
    add_words(out, output);
    html_add(out,
             "\">\n<figcaption><code>%s</code>: %s. <code class=\"url\">%s%.*s</code>"
             "</figcaption>\n</figure>\n",
             output->name, output->summary, frame->base, (int)(format - card), card);
}
