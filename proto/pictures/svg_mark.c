/* SPDX-License-Identifier: Apache-2.0
 * svg_mark.c - see svg_mark.h. */
#include "proto/pictures/svg_mark.h"

#include <math.h>

#include "proto/text/xml_text.h"

#define SANS "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
#define MONO "ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace"

/* By role: the class, whose size is larger where the figure is shown small, and attributes. */
static const char *const roles[] = {
    [SVG_MARK_TITLE] = "class=\"title\" font-size=\"20\" font-weight=\"650\" fill=\"" //
    SVG_MARK_INK "\"",
    [SVG_MARK_QUERY] = "class=\"query\" font-size=\"13\" font-family=\"" MONO "\" fill=\"" //
    SVG_MARK_SOFT "\"",
    [SVG_MARK_HEADING] = "class=\"heading\" font-size=\"15\" font-weight=\"600\" fill=\"" //
    SVG_MARK_INK "\"",
    [SVG_MARK_NAME] = "class=\"name\" font-size=\"13\" fill=\"" SVG_MARK_SOFT "\"",
    [SVG_MARK_TICK] = "class=\"tick\" font-size=\"13\" fill=\"" SVG_MARK_SOFT "\"",
    [SVG_MARK_NUMBER] = "class=\"number\" font-size=\"36\" font-weight=\"400\" fill=\"" //
    SVG_MARK_INK "\"",
};

static const char *const anchors[] = {
    [SVG_MARK_START] = "",
    [SVG_MARK_MIDDLE] = " text-anchor=\"middle\"",
    [SVG_MARK_END] = " text-anchor=\"end\"",
};

/* Sizes where the whole figure has the width of a phone. */
static const char style[] =
    "<style>text{font-variant-numeric:tabular-nums}@media (max-width:440px){"
    ".title{font-size:23px}.query{font-size:16px}.heading{font-size:18px}"
    ".name,.tick{font-size:17px}}</style>\n";

void svg_mark_coordinate(struct buffer *out, double value)
{
    const double cents = round(value * 100);

    buffer_add_format(out, "%.*f",
                      fmod(cents, 100) == 0  ? 0
                      : fmod(cents, 10) == 0 ? 1
                                             : 2,
                      cents == 0 ? 0 : cents / 100);
}

static void add_attribute(struct buffer *out, const char *name, double value)
{
    buffer_add_format(out, " %s=\"", name);
    svg_mark_coordinate(out, value);
    buffer_add_text(out, "\"");
}

void svg_mark_open(struct buffer *out, double width, double height, const char *title)
{
    buffer_add_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    add_attribute(out, "width", width);
    add_attribute(out, "height", height);
    buffer_add_format(out, " viewBox=\"0 0 %.0f %.0f\" font-family=\"" SANS "\">\n<title>",
                      width, height);
    xml_text_add(out, title, strlen(title));
    buffer_add_text(out, "</title>\n");
    buffer_add_text(out, style);
    svg_mark_rect(out, 0, 0, width, height, SVG_MARK_PAPER);
}

void svg_mark_close(struct buffer *out)
{
    buffer_add_text(out, "</svg>\n");
}

void svg_mark_text(struct buffer *out, enum svg_mark_role role, enum svg_mark_anchor anchor,
                   double x, double y, const char *text, size_t len)
{
    buffer_add_text(out, "<text");
    add_attribute(out, "x", x);
    add_attribute(out, "y", y);
    buffer_add_format(out, " %s%s>", roles[role], anchors[anchor]);
    xml_text_add(out, text, len);
    buffer_add_text(out, "</text>\n");
}

void svg_mark_upright(struct buffer *out, enum svg_mark_role role, double x, double y,
                      const char *text)
{
    buffer_add_text(out, "<text transform=\"translate(");
    svg_mark_coordinate(out, x);
    buffer_add_text(out, " ");
    svg_mark_coordinate(out, y);
    buffer_add_format(out, ") rotate(-90)\" %s%s>", roles[role], anchors[SVG_MARK_END]);
    xml_text_add(out, text, strlen(text));
    buffer_add_text(out, "</text>\n");
}

void svg_mark_line(struct buffer *out, double x1, double y1, double x2, double y2,
                   const char *colour)
{
    buffer_add_text(out, "<line");
    add_attribute(out, "x1", x1);
    add_attribute(out, "y1", y1);
    add_attribute(out, "x2", x2);
    add_attribute(out, "y2", y2);
    buffer_add_format(out, " stroke=\"%s\"/>\n", colour);
}

void svg_mark_rect(struct buffer *out, double x, double y, double width, double height,
                   const char *fill)
{
    buffer_add_text(out, "<rect");
    add_attribute(out, "x", x);
    add_attribute(out, "y", y);
    add_attribute(out, "width", width);
    add_attribute(out, "height", height);
    buffer_add_format(out, " fill=\"%s\"/>\n", fill);
}
