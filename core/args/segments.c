/* SPDX-License-Identifier: Apache-2.0
 * segments.c - parses and prints the grammar of segments. */
#include "core/args/segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"

enum { ECHO_MAX = 40 };

static const struct {
    const char *word;
    size_t sizes;
} kinds[] = {
    [PE_SEGMENT_TEXT] = {"text", 1},
    [PE_SEGMENT_IMAGE] = {"image", 3},
    [PE_SEGMENT_VIDEO] = {"video", 3},
    [PE_SEGMENT_AUDIO] = {"audio", 1},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static size_t kind_of(const char *text, size_t len)
{
    size_t i = 0;

    while (i < KINDS && (strlen(kinds[i].word) != len || memcmp(kinds[i].word, text, len) != 0))
        i++;
    return i;
}

/* Parses "1x4x6": exactly `count` sizes. */
static bool parse_sizes(int64_t *sizes, size_t count, const char *text, size_t len)
{
    for (size_t i = 0; i < count; i++) {
        const char *cross = i + 1 < count ? memchr(text, 'x', len) : text + len;
        size_t part = cross ? (size_t)(cross - text) : 0;

        if (!cross || !number_parse_whole(text, part, &sizes[i]) || sizes[i] < 1 ||
            sizes[i] > SEGMENTS_MAX_SIZE)
            return false;
        text += part + 1;
        len -= i + 1 < count ? part + 1 : part;
    }
    return true;
}

static bool parse_item(struct pe_segment *item, const char *text, size_t len)
{
    const char *colon = memchr(text, ':', len), *at, *end = text + len;
    size_t kind = colon ? kind_of(text, (size_t)(colon - text)) : KINDS;

    if (kind == KINDS)
        return false;
    *item = (struct pe_segment){.kind = (enum pe_segment_kind)kind, .seconds = NAN};
    at = kinds[kind].sizes == 3 ? memchr(colon, '@', (size_t)(end - colon)) : NULL;
    if (at && (!number_parse(at + 1, (size_t)(end - at - 1), &item->seconds) ||
               item->seconds < 0 || item->seconds > 1e9))
        return false;
    return parse_sizes(item->size, kinds[kind].sizes, colon + 1,
                       (size_t)((at ? at : end) - colon - 1));
}

static enum pe_status refuse(const char *parameter, const char *text, size_t len,
                             struct pe_errors *errors)
{
    return pe_fail(errors, PE_BAD_VALUE, parameter,
                   "must be segments such as text:3,image:1x4x6,video:4x4x6@0.5,audio:100 "
                   "(sizes 1..1073741824); got %.*s%s",
                   (int)(len < ECHO_MAX ? len : ECHO_MAX), text, len > ECHO_MAX ? "..." : "");
}

enum pe_status segments_parse(struct pe_segments *segments, const char *parameter,
                              const char *text, size_t len, struct pe_errors *errors)
{
    size_t count = 1, i = 0;
    struct pe_segment *items;

    for (size_t at = 0; at < len; at++)
        count += text[at] == ',';
    if (count > SEGMENTS_MAX)
        return pe_fail(errors, PE_OUT_OF_RANGE, parameter,
                       "must have at most 65536 segments; got %zu", count);
    items = malloc(count * sizeof *items);
    if (!items)
        return pe_fail(errors, PE_NO_MEMORY, parameter, "out of memory");
    for (const char *item = text, *end = text + len; i < count; i++) {
        const char *comma = memchr(item, ',', (size_t)(end - item));
        size_t item_len = (size_t)((comma ? comma : end) - item);

        if (!parse_item(&items[i], item, item_len)) {
            free(items);
            return refuse(parameter, item, item_len, errors);
        }
        item += item_len + (comma != NULL);
    }
    *segments = (struct pe_segments){items, count};
    return PE_OK;
}

void segments_free(struct pe_segments *segments)
{
    free((void *)(uintptr_t)segments->items);
    *segments = (struct pe_segments){0};
}

size_t segments_print(const struct pe_segments *segments, char *text, size_t size)
{
    size_t len = 0;

    for (size_t i = 0; i < segments->count; i++) {
        const struct pe_segment *item = &segments->items[i];
        char one[128], number[NUMBER_TEXT_MAX];
        size_t used = (size_t)snprintf(one, sizeof one, "%s%s:%lld", i ? "," : "",
                                       kinds[item->kind].word, (long long)item->size[0]);

        for (size_t axis = 1; axis < kinds[item->kind].sizes; axis++)
            used += (size_t)snprintf(one + used, sizeof one - used, "x%lld",
                                     (long long)item->size[axis]);
        if (!isnan(item->seconds)) {
            number_print(number, item->seconds);
            used += (size_t)snprintf(one + used, sizeof one - used, "@%s", number);
        }
        if (len < size)
            snprintf(text + len, size - len, "%s", one);
        len += used;
    }
    return len;
}
