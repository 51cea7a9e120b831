/* SPDX-License-Identifier: Apache-2.0
 * svg.c - draws an answer as a figure: a title, the values that were asked for, and a panel for
 * each output. A matrix is an embedded PNG picture, whose base64 text is written as it is made;
 * only the texts around it are held in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/output/figure_words.h"
#include "proto/output/svg_panel_write.h"
#include "proto/pictures/png_writer.h"
#include "proto/pictures/svg_mark.h"
#include "proto/text/base64.h"

enum {
    TEXT_SIZE = 96 << 10, /* no text between two pictures is longer */
    PIECE = 3 << 10,      /* bytes of a picture at once: whole groups of base64 */
    TITLE_CHARS = 44,     /* of a line */
    QUERY_CHARS = 56,
    QUERY_LINES = 2,
    TITLE_LINE = 26,
    QUERY_LINE = 20,
    TITLE_TOP = 36,
    PANELS_TOP = 24, /* from the last line of text */
    PANEL_GAP = 12,
};

enum phase { PHASE_HEAD, PHASE_OPEN, PHASE_IMAGE, PHASE_CLOSE, PHASE_TAIL, PHASE_END };

struct svg {
    struct buffer text; /* the bytes between two pictures */
    size_t taken;       /* of them */
    enum phase phase;
    struct svg_panel panels[PE_MAX_OUTPUTS];
    size_t panel, panel_count;
    struct buffer title, query;
    double height;
    unsigned char piece[PIECE];
    char warning[PICTURE_WARNING_SIZE];
};

/* ---- the words above ---------------------------------------------------------------- */

/* Adds "Rotary position embedding: cosines, sines", which says what is seen. */
static void add_title(struct buffer *out, const struct encoder *encoder)
{
    buffer_add_text(out, pe_title(pe_args_encoding(pe_plan_args(encoder->plan))));
    for (size_t i = 0; i < pe_plan_tensor_count(encoder->plan); i++)
        buffer_add_format(out, "%s%s", i == 0 ? ": " : ", ",
                          pe_plan_tensor(encoder->plan, i)->output->label);
}

/* Returns the length of the first line of a text: at most `most` bytes, up to a blank where
 * there is one. */
static size_t line_of(const char *text, size_t len, size_t most)
{
    size_t at = most;

    if (len <= most)
        return len;
    while (at > 0 && text[at] != ' ')
        at--;
    if (at > 0)
        return at;
    for (at = most; at > 1 && ((unsigned char)text[at] & 0xc0) == 0x80;)
        at--; /* in the middle of a character */
    return at;
}

/* Writes a text in lines; `lines` at most, the last of which ends in "…" where more is left.
 * most <= QUERY_CHARS; out may be NULL. Returns where the next line would stand. */
static double write_lines(struct buffer *out, enum svg_mark_role role, double y, double step,
                          const struct buffer *text, size_t most, size_t lines)
{
    const char *at = text->bytes;
    size_t left = text->len;

    for (size_t i = 0; i < lines && left > 0; i++, y += step) {
        const size_t len = line_of(at, left, most);
        const bool cut = i + 1 == lines && len < left;
        char line[QUERY_CHARS + 8];

        if (out) {
            const int used =
                snprintf(line, sizeof line, "%.*s%s", (int)len, at, cut ? " \xe2\x80\xa6" : "");
            svg_mark_text(out, role, SVG_MARK_START, SVG_PANEL_MARGIN, y, line, (size_t)used);
        }
        at += len;
        left -= len;
        while (left > 0 && *at == ' ') {
            at++;
            left--;
        }
    }
    return y;
}

static struct buffer title_of(const struct encoder *encoder)
{
    const char *title = pe_title(pe_args_encoding(pe_plan_args(encoder->plan)));

    return (struct buffer){.bytes = (char *)(uintptr_t)title, .len = strlen(title)};
}

/* Writes the title and the query; out may be NULL. Returns the last line's place. */
static double write_words(struct buffer *out, const struct encoder *encoder,
                          const struct svg *svg)
{
    const struct buffer title = title_of(encoder);
    double y =
        write_lines(out, SVG_MARK_TITLE, TITLE_TOP, TITLE_LINE, &title, TITLE_CHARS, title.len);

    y = write_lines(out, SVG_MARK_QUERY, y - 2, QUERY_LINE, &svg->query, QUERY_CHARS,
                    QUERY_LINES);
    return y - QUERY_LINE;
}

/* ---- reading ------------------------------------------------------------------------ */

/* Computes the colours of all pictures: how many numbers are beyond range= is known then. */
static void begin_pictures(struct encoder *encoder, struct svg *svg)
{
    uint64_t beyond = 0, elements = 0;

    for (size_t i = 0; i < svg->panel_count; i++) {
        if (!svg->panels[i].picture)
            continue;
        picture_begin(encoder, svg->panels[i].picture, &beyond);
        elements += encoder_elements(svg->panels[i].tensor);
    }
    if (beyond > 0)
        picture_warn(encoder, beyond, elements, svg->warning);
}

static void write_head(struct encoder *encoder, struct svg *svg)
{
    begin_pictures(encoder, svg);
    svg_mark_open(&svg->text, SVG_PANEL_WIDTH, svg->height, svg->title.bytes);
    (void)write_words(&svg->text, encoder, svg);
}

/* Frees the panel and goes on to the next one. */
static void next_panel(struct svg *svg)
{
    svg_panel_fini(&svg->panels[svg->panel++]);
    svg->phase = svg->panel < svg->panel_count ? PHASE_OPEN : PHASE_TAIL;
}

/* Makes the next text; PHASE_IMAGE and PHASE_END have none. */
static void next_text(struct encoder *encoder, struct svg *svg)
{
    struct svg_panel *panel = &svg->panels[svg->panel];

    svg->text.len = svg->taken = 0;
    switch (svg->phase) {
    case PHASE_HEAD:
        write_head(encoder, svg);
        svg->phase = PHASE_OPEN;
        break;
    case PHASE_OPEN:
        svg_panel_write_open(&svg->text, encoder, panel);
        if (panel->picture)
            svg->phase = PHASE_IMAGE;
        else
            next_panel(svg);
        break;
    case PHASE_CLOSE:
        svg_panel_write_close(&svg->text, panel);
        next_panel(svg);
        break;
    case PHASE_TAIL:
        svg_mark_close(&svg->text);
        svg->phase = PHASE_END;
        break;
    case PHASE_IMAGE:
    case PHASE_END:
        break;
    }
    encoder->failed |= svg->text.failed;
}

static size_t take_text(struct svg *svg, char *out, size_t capacity)
{
    const size_t left = svg->text.len - svg->taken, len = left < capacity ? left : capacity;

    memcpy(out, svg->text.bytes + svg->taken, len);
    svg->taken += len;
    return len;
}

/* Writes the base64 text of the next bytes of the picture, as many as fit; returns its length,
 * 0 if not even one group of characters fits. */
static size_t take_image(struct encoder *encoder, struct svg *svg, char *out, size_t capacity)
{
    const size_t fits = capacity / 4 * 3, wanted = fits < PIECE ? fits : PIECE;
    size_t len = 0, got = 1;

    while (len < wanted && got > 0) {
        got = picture_read(encoder, svg->panels[svg->panel].picture, (char *)svg->piece + len,
                           wanted - len);
        len += got;
    }
    if (len < wanted)
        svg->phase = PHASE_CLOSE;
    return (size_t)(base64_print(out, svg->piece, len) - out);
}

static size_t svg_read_bytes(struct encoder *encoder, char *out, size_t capacity)
{
    struct svg *svg = encoder->state;
    size_t used = 0;

    while (used < capacity && !encoder->failed) {
        if (svg->taken < svg->text.len) {
            used += take_text(svg, out + used, capacity - used);
        } else if (svg->phase == PHASE_IMAGE) {
            const size_t got = take_image(encoder, svg, out + used, capacity - used);

            if (got == 0 && svg->phase == PHASE_IMAGE)
                break;
            used += got;
        } else if (svg->phase == PHASE_END) {
            break;
        } else {
            next_text(encoder, svg);
        }
    }
    return encoder->failed ? 0 : used;
}

/* ---- beginning and ending ----------------------------------------------------------- */

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    const struct option_values *options = &request_options(request)->values;
    bool has_values = false;
    enum pe_status status = PE_OK;

    for (size_t i = 0; i < pe_plan_tensor_count(plan) && status == PE_OK; i++) {
        status = svg_panel_check(plan, i, errors);
        has_values |=
            picture_map(pe_plan_tensor(plan, i), options)->kind != COLOUR_MAP_KIND_TRUTH;
    }
    if (status == PE_OK && options->has_range && !has_values)
        return pe_fail(errors, PE_CONFLICT, "range",
                       "has no effect on truth values; leave it out, or give another cmap");
    return status;
}

static enum pe_status begin(struct encoder *encoder)
{
    struct svg *svg = calloc(1, sizeof *svg);
    double y;

    if (!svg)
        return PE_NO_MEMORY;
    encoder->state = svg;
    add_title(&svg->title, encoder);
    figure_words_query(&svg->query, pe_plan_args(encoder->plan));
    if (!buffer_reserve(&svg->text, TEXT_SIZE) || svg->title.failed || svg->query.failed)
        return PE_NO_MEMORY;
    y = write_words(NULL, encoder, svg) + PANELS_TOP;
    for (; svg->panel_count < pe_plan_tensor_count(encoder->plan); svg->panel_count++) {
        struct svg_panel *panel = &svg->panels[svg->panel_count];

        if (svg_panel_make(panel, encoder, svg->panel_count, y) != PE_OK) {
            svg->panel_count++;
            return PE_NO_MEMORY;
        }
        y += panel->height + PANEL_GAP;
    }
    svg->height = y;
    return PE_OK;
}

static void end(struct encoder *encoder)
{
    struct svg *svg = encoder->state;

    if (!svg)
        return;
    for (size_t i = 0; i < svg->panel_count; i++)
        svg_panel_fini(&svg->panels[i]);
    buffer_fini(&svg->text);
    buffer_fini(&svg->title);
    buffer_fini(&svg->query);
    free(svg);
}

static const char *const accepts[] = {"image/svg+xml", NULL};

const struct format format_svg = {
    .name = "svg",
    .media_type = "image/svg+xml",
    .accepts = accepts,
    .extension = "svg",
    .summary = "a figure: title, axes, colours by value, each output in a panel",
    .readable = true,
    .wire_version = 2,
    .wire_tag = PNG_WRITER_TAG,
    .policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
    .picture = true,
    .operations = 2.5e6,
    .check = check,
    .read = svg_read_bytes,
    .begin = begin,
    .end = end,
};
