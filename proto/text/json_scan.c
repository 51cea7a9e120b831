/* SPDX-License-Identifier: Apache-2.0
 * json_scan.c - the start and end of a scan, its places and errors, and the rest. */
#include "proto/text/json_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void json_scan_init(struct json_scan *scan, const struct json_scan_limits *limits)
{
    *scan = (struct json_scan){.limits = *limits, .line = 1};
    scan->numbers.max_count = limits->max_numbers;
}

void json_scan_fini(struct json_scan *scan)
{
    buffer_fini(&scan->rest);
    free(scan->arrays);
    free(scan->cuts);
    free(scan->numbers.values);
    free(scan->numbers.rests);
    scan->arrays = NULL;
    scan->cuts = NULL;
    scan->numbers.values = NULL;
    scan->numbers.rests = NULL;
}

struct json_place json_scan_here(const struct json_scan *scan)
{
    return (struct json_place){.line = scan->line,
                               .column = scan->offset - scan->line_start + 1};
}

bool json_scan_fail(struct json_scan *scan, enum json_scan_state verdict,
                    struct json_place place, const char *format, ...)
{
    va_list values;
    const int len =
        snprintf(scan->error, sizeof(scan->error),
                 "line %ju, column %ju: ", (uintmax_t)place.line, (uintmax_t)place.column);

    va_start(values, format);
    vsnprintf(scan->error + len, sizeof(scan->error) - (size_t)len, format, values);
    va_end(values);
    scan->verdict = verdict;
    return false;
}

bool json_scan_fail_memory(struct json_scan *scan)
{
    return json_scan_fail(scan, JSON_SCAN_NO_MEMORY, json_scan_here(scan), "out of memory");
}

void *json_scan_add_element(void **elements, size_t *capacity, size_t count, size_t size)
{
    if (count == *capacity) {
        const size_t more = *capacity > 0 ? *capacity * 2 : 8;
        void *larger = reallocarray(*elements, more, size);

        if (!larger)
            return NULL;
        *elements = larger;
        *capacity = more;
    }
    return (char *)*elements + count * size;
}

bool json_scan_add_cut(struct json_scan *scan)
{
    void *cuts = scan->cuts;
    struct json_cut *cut =
        json_scan_add_element(&cuts, &scan->cut_capacity, scan->cut_count, sizeof(*cut));

    scan->cuts = cuts;
    if (!cut)
        return json_scan_fail_memory(scan);
    scan->cut_count++;
    cut->place = json_scan_here(scan);
    cut->rest = scan->rest.len;
    return true;
}

/* Ends an array that was cut out, whose ] comes next; later bytes are kept again. */
static bool end_cut(struct json_scan *scan)
{
    if (!json_scan_add_cut(scan))
        return false;
    scan->cuts[scan->cut_count - 1].place.column++;
    scan->cut = false;
    return true;
}

bool json_scan_keep(struct json_scan *scan, char byte)
{
    if (scan->skipping)
        return true;
    if (scan->cut)
        return scan->in_array || end_cut(scan);
    if (scan->rest.len >= scan->limits.max_rest)
        return json_scan_fail(scan, JSON_SCAN_TOO_LARGE, json_scan_here(scan),
                              "apart from arrays of more than %zu numbers a body has at most "
                              "%zu bytes",
                              scan->limits.few, scan->limits.max_rest);
    buffer_add(&scan->rest, &byte, 1);
    return !scan->rest.failed || json_scan_fail_memory(scan);
}

void json_scan_pass_line(struct json_scan *scan, uint64_t behind)
{
    scan->line++;
    scan->line_start = behind;
}

void json_scan_pass(struct json_scan *scan, char byte)
{
    scan->offset++;
    if (byte == '\n')
        json_scan_pass_line(scan, scan->offset);
    else if (((unsigned char)byte & 0xc0) == 0x80)
        scan->line_start++; /* a later byte of a UTF-8 character has no column */
}

size_t json_scan_put_text(struct json_scan *scan, const char *at, const char *end)
{
    const size_t max = scan->skipping ? SIZE_MAX : scan->limits.max_rest;
    const size_t left = scan->rest.len < max ? max - scan->rest.len : 0;
    const size_t most = (size_t)(end - at) < left ? (size_t)(end - at) : left;
    size_t count = 0;

    for (; count < most; count++) {
        const unsigned char byte = (unsigned char)at[count];

        if (byte < 32 || byte == '"' || byte == '\\')
            break;
        scan->line_start += (byte & 0xc0) == 0x80;
    }
    scan->offset += count;
    if (!scan->skipping)
        buffer_add(&scan->rest, at, count);
    if (scan->rest.failed)
        json_scan_fail_memory(scan);
    return count;
}

struct json_place json_scan_place(const struct json_scan *scan, size_t rest)
{
    struct json_place place = {.line = 1, .column = 1};
    size_t from = 0;

    for (size_t i = 0; i < scan->cut_count && scan->cuts[i].rest <= rest; i++) {
        place = scan->cuts[i].place;
        from = scan->cuts[i].rest;
    }
    for (size_t i = from; i < rest && i < scan->rest.len; i++) {
        const unsigned char byte = (unsigned char)scan->rest.bytes[i];

        if (byte == '\n')
            place = (struct json_place){.line = place.line + 1, .column = 1};
        else if ((byte & 0xc0) != 0x80)
            place.column++;
    }
    return place;
}

size_t json_scan_held(const struct json_scan *scan)
{
    return scan->rest.size + scan->array_capacity * sizeof(*scan->arrays) +
           scan->cut_capacity * sizeof(*scan->cuts) +
           scan->numbers.capacity * (sizeof(*scan->numbers.values) +
                                     (scan->numbers.rests ? sizeof(*scan->numbers.rests) : 0));
}
