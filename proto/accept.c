/* SPDX-License-Identifier: Apache-2.0
 * accept.c - reads media ranges and their q, and weighs every format against them. */
#include "proto/accept.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/format.h"

/* One media range: "application/json;q=0.5". */
struct range {
    const char *type; /* "application/json", without parameters */
    size_t len;
    unsigned q; /* thousandths */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static void trim(const char **text, size_t *len)
{
    while (*len > 0 && is_space(**text)) {
        (*text)++;
        (*len)--;
    }
    while (*len > 0 && is_space((*text)[*len - 1])) {
        (*len)--;
    }
}

/* 0, 0.5, 1.000: at most three decimals, at most 1. False if it is not that. */
static bool parse_q(const char *text, size_t len, unsigned *q)
{
    unsigned value = 0, unit = 1000;
    if (len == 0 || len > 5 || (text[0] != '0' && text[0] != '1') ||
        (len > 1 && text[1] != '.')) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (i == 1) {
            continue;
        }
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        value += (unsigned)(text[i] - '0') * unit;
        unit /= 10;
    }
    *q = value;
    return value <= 1000;
}

/* The next ";" or "," outside a quoted string, or the end. */
static const char *stop_of(const char *at, const char *end, const char *stops)
{
    bool quoted = false;
    for (; at < end; at++) {
        if (quoted && *at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '"') {
            quoted = !quoted;
        } else if (!quoted && strchr(stops, *at) != NULL && *at != '\0') {
            break;
        }
    }
    return at;
}

/* Reads text[0..len), one element of the list; false if it is not a media range. */
static bool parse_range(struct range *range, const char *text, size_t len)
{
    const char *end = text + len;
    const char *semicolon = stop_of(text, end, ";");
    *range = (struct range){.type = text, .len = (size_t)(semicolon - text), .q = 1000};
    trim(&range->type, &range->len);
    if (range->len == 0 || memchr(range->type, '/', range->len) == NULL) {
        return false;
    }
    while (semicolon < end) {
        const char *parameter = semicolon + 1;
        semicolon = stop_of(parameter, end, ";");
        size_t parameter_len = (size_t)(semicolon - parameter);
        trim(&parameter, &parameter_len);
        if (parameter_len >= 2 && strncasecmp(parameter, "q=", 2) == 0) {
            return parse_q(parameter + 2, parameter_len - 2, &range->q);
        }
    }
    return true;
}

/* How exactly the range names the media type: 0 not at all, 1 everything, 2 its first half,
 * 3 itself. */
static unsigned precision(const struct range *range, const char *media_type)
{
    size_t len = strcspn(media_type, "; ");
    size_t half = strcspn(media_type, "/") + 1;
    if (range->len == 3 && memcmp(range->type, "*/*", 3) == 0) {
        return 1;
    }
    if (range->len == half + 1 && range->type[half] == '*' &&
        strncasecmp(range->type, media_type, half) == 0) {
        return 2;
    }
    return range->len == len && strncasecmp(range->type, media_type, len) == 0 ? 3 : 0;
}

struct weight {
    unsigned precision, q;
};

/* The most precise range that names one of the format's media types decides its q. */
static void weigh(struct weight *weight, const struct range *range, const struct format *format)
{
    for (const char *const *type = format->accepts; *type != NULL; type++) {
        unsigned found = precision(range, *type);
        if (found > weight->precision ||
            (found > 0 && found == weight->precision && range->q > weight->q)) {
            *weight = (struct weight){found, range->q};
        }
    }
}

/* q of the format under the whole header. */
static struct weight weigh_all(const char *accept, size_t len, const struct format *format)
{
    struct weight weight = {0};
    for (const char *at = accept, *end = accept + len; at < end;) {
        const char *comma = stop_of(at, end, ",");
        struct range range;
        if (parse_range(&range, at, (size_t)(comma - at))) {
            weigh(&weight, &range, format);
        }
        at = comma + (comma < end);
    }
    return weight;
}

const struct format *accept_choose(const char *accept, size_t len)
{
    trim(&accept, &len);
    if (accept == NULL || len == 0) {
        return format_at(0);
    }
    const struct format *best = NULL;
    struct weight most = {0};
    for (size_t i = 0; i < format_count(); i++) {
        struct weight weight = weigh_all(accept, len, format_at(i));
        if (weight.q > most.q ||
            (weight.q == most.q && weight.precision > most.precision && weight.q > 0)) {
            most = weight;
            best = format_at(i);
        }
    }
    return best;
}
