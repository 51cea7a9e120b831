/* SPDX-License-Identifier: Apache-2.0
 * content_coding.c - see content_coding.h. Measured at libdeflate's level 1, biases, masks and
 * indices shrink to 0.01 .. 0.05 of their bytes, JSON and CSV to 0.03 .. 0.45, the cosines of
 * rotary and absolute encodings to 0.85 .. 0.9. */
#include "proto/http/content_coding.h"

#include <string.h>
#include <strings.h>

#include "proto/http/format.h"
#include "proto/http/quality_list.h"

/* Families whose binary responses repeat themselves. */
static const bool repeats[PE_GRAPH + 1] = {
    [PE_BIAS] = true,
    [PE_INDEX] = true,
    [PE_MASK] = true,
};

bool content_coding_repeats(enum pe_family family)
{
    return repeats[family];
}

bool content_coding_suits(const struct format *format, enum pe_family family)
{
    return !format->picture &&
           (!format->binary || repeats[family]); /* pictures are compressed */
}

static bool is(const struct quality_list *element, const char *name)
{
    return element->len == strlen(name) && strncasecmp(element->text, name, element->len) == 0;
}

/* A coding that the header does not name has the weight of "*". If neither identity nor "*" is
 * named, identity is acceptable, but less preferred than any named coding. */
struct content_coding_accept content_coding_accept(const char *field)
{
    enum { UNSAID = -1 };
    int gzip = UNSAID, identity = UNSAID, other = UNSAID;
    struct quality_list element;
    if (!field)
        return (struct content_coding_accept){.identity = true};
    for (const char *end = field + strlen(field); quality_list_next(&field, end, &element);) {
        int q = (int)element.q;

        if (is(&element, "gzip") || is(&element, "x-gzip"))
            gzip = q;
        else if (is(&element, "identity"))
            identity = q;
        else if (is(&element, "*"))
            other = q;
    }
    gzip = gzip == UNSAID ? other : gzip;
    identity = identity == UNSAID && other == 0 ? 0 : identity;
    return (struct content_coding_accept){.identity = identity != 0,
                                          .gzip = gzip > 0 && gzip >= identity};
}
