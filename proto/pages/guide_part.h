/* SPDX-License-Identifier: Apache-2.0
 * guide_part.h - what a document of docs/ is as a page: texts, pictures, and figures with
 * controls. */
#pragma once

#include <stdbool.h>

/* A control of a figure: a slider, or a choice of values. */
struct guide_control {
    const char *name, *value;   /* that the figure begins with */
    long low, high;             /* of a slider */
    const char *const *options; /* values of a choice, up to NULL; NULL: a slider */
};

struct guide_part {
    const char *text;                     /* HTML, or "/v1/X?Q" */
    bool is_picture;                      /* the text is the address of a picture */
    const char *request;                  /* of a figure, with holes: "/v1/X?dim={d}" */
    const struct guide_control *controls; /* up to one without a name; NULL: it is no figure */
};

struct guide {
    const char *slug;    /* "api", "verify/ladder": the path below /docs/; "learn/waves" */
    const char *title;   /* plain text */
    const char *summary; /* the first paragraph, plain text */
    const struct guide_part *parts; /* the page; the last one has no text */
};
