/* SPDX-License-Identifier: Apache-2.0
 * accept.c - reads media ranges and their q, and computes the weight of every format. */
#include "proto/http/accept.h"

#include <string.h>
#include <strings.h>

#include "proto/http/format.h"
#include "proto/http/quality_list.h"

/* Returns how exactly the range names the media type: 0 not at all, 1 by any type, 2 by its
 * type alone, 3 by type and subtype. */
static unsigned precision(const struct quality_list *range, const char *media_type)
{
    size_t len = strcspn(media_type, "; ");
    size_t half = strcspn(media_type, "/") + 1;

    if (range->len == 3 && memcmp(range->text, "*/*", 3) == 0)
        return 1;
    if (range->len == half + 1 && range->text[half] == '*' &&
        strncasecmp(range->text, media_type, half) == 0)
        return 2;
    return range->len == len && strncasecmp(range->text, media_type, len) == 0 ? 3 : 0;
}

struct weight {
    unsigned precision, q;
};

/* Gives the format the q of the most precise range that names one of its media types. */
static void weigh(struct weight *weight, const struct quality_list *range,
                  const struct format *format)
{
    for (const char *const *type = format->accepts; *type; type++) {
        unsigned found = precision(range, *type);

        if (found > weight->precision ||
            (found > 0 && found == weight->precision && range->q > weight->q))
            *weight = (struct weight){found, range->q};
    }
}

/* Computes the weight of the format under all ranges of the header. An element without a slash
 * is not a media range. */
static struct weight weigh_all(const char *accept, size_t len, const struct format *format)
{
    const char *at = accept, *end = accept + len;
    struct weight weight = {0};
    struct quality_list range;

    while (quality_list_next(&at, end, &range))
        if (memchr(range.text, '/', range.len))
            weigh(&weight, &range, format);
    return weight;
}

/* Returns the greatest weight that the list gives the media type by its name. */
static unsigned weight_of(const char *accept, size_t len, const char *media_type)
{
    const char *at = accept, *end = accept + len;
    struct quality_list range;
    unsigned most = 0;

    while (quality_list_next(&at, end, &range))
        if (precision(&range, media_type) == 3 && range.q > most)
            most = range.q;
    return most;
}

const struct format *accept_choose_among(const struct format *const *formats, size_t count,
                                         const char *accept, size_t len,
                                         const struct format *first)
{
    while (len > 0 && (accept[len - 1] == ' ' || accept[len - 1] == '\t'))
        len--;
    if (len == 0)
        return first ? first : formats[0];
    const struct format *best = NULL;
    struct weight most = {0};
    const bool page = weight_of(accept, len, "text/html") > 0; /* pictures come beside it */
    for (size_t i = 0; i < count; i++) {
        if (page && formats[i]->picture)
            continue;
        struct weight weight = weigh_all(accept, len, formats[i]);

        if (weight.q > most.q ||
            (weight.q == most.q && weight.q > 0 &&
             (weight.precision > most.precision ||
              (weight.precision == most.precision && formats[i] == first)))) {
            most = weight;
            best = formats[i];
        }
    }
    return best;
}

const struct format *accept_choose(const char *accept, size_t len, const struct format *first)
{
    return accept_choose_among(format_all(), format_count(), accept, len, first);
}

bool accept_html(const char *accept)
{
    if (!accept)
        return false;
    const size_t len = strlen(accept);
    const unsigned html = weight_of(accept, len, "text/html");

    return html > 0 && html >= weight_of(accept, len, "application/json");
}
