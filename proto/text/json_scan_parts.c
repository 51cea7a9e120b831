/* SPDX-License-Identifier: Apache-2.0
 * json_scan_parts.c - places and errors, the rest of the document, arrays of numbers. */
#include "proto/text/json_scan_parts.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_AT_ONCE = 4096 }; /* numbers that room is made for at once */

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
    scan->arrays = NULL;
    scan->cuts = NULL;
    scan->numbers.values = NULL;
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

static bool fail_memory(struct json_scan *scan)
{
    return json_scan_fail(scan, JSON_SCAN_NO_MEMORY, json_scan_here(scan), "out of memory");
}

/* One more element at the end of a growing array of them; NULL when out of memory. */
static void *add_element(void **elements, size_t *room, size_t count, size_t size)
{
    if (count == *room) {
        const size_t more = *room > 0 ? *room * 2 : 8;
        void *larger = reallocarray(*elements, more, size);

        if (!larger)
            return NULL;
        *elements = larger;
        *room = more;
    }
    return (char *)*elements + count * size;
}

bool json_scan_add_cut(struct json_scan *scan)
{
    void *cuts = scan->cuts;
    struct json_cut *cut = add_element(&cuts, &scan->cut_room, scan->cut_count, sizeof(*cut));

    scan->cuts = cuts;
    if (!cut)
        return fail_memory(scan);
    scan->cut_count++;
    cut->place = json_scan_here(scan);
    cut->rest = scan->rest.len;
    return true;
}

/* The ] of an array that was cut out is due; what comes behind it is kept again. */
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
    return !scan->rest.failed || fail_memory(scan);
}

static void pass_line(struct json_scan *scan, uint64_t behind)
{
    scan->line++;
    scan->line_start = behind;
}

void json_scan_pass(struct json_scan *scan, char byte)
{
    scan->offset++;
    if (byte == '\n')
        pass_line(scan, scan->offset);
    else if (((unsigned char)byte & 0xc0) == 0x80)
        scan->line_start++; /* within a UTF-8 character: the same column */
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
        fail_memory(scan);
    return count;
}

bool json_scan_open_array(struct json_scan *scan)
{
    if (scan->skipping)
        return true;
    if (!scan->in_array) {
        number_array_begin(&scan->array, &scan->numbers);
        scan->in_array = true;
        scan->reachable = true;
        scan->digits = true;
        for (size_t i = 0; i < scan->depth; i++)
            scan->reachable = scan->reachable && scan->is_object[i];
        scan->array_depth = scan->depth;
        scan->array_rest = scan->rest.len;
    }
    const char *fault = number_array_open(&scan->array);
    return !fault ||
           json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan), "%s", fault);
}

/* The array is complete: remembered, if a name leads to it. */
static bool keep_array(struct json_scan *scan)
{
    scan->in_array = false;
    if (!scan->reachable) {
        scan->numbers.count = scan->array.first;
        return true;
    }
    void *arrays = scan->arrays;
    struct json_array *kept =
        add_element(&arrays, &scan->array_room, scan->array_count, sizeof(*kept));
    scan->arrays = arrays;
    if (!kept)
        return fail_memory(scan);
    scan->array_count++;
    *kept = (struct json_array){.depth = scan->array_depth,
                                .first = scan->array.first,
                                .rank = scan->array.rank,
                                .digits = scan->digits};
    for (size_t i = 0; i < scan->array_depth; i++)
        kept->path[i] = scan->members[i] - 1;
    memcpy(kept->dims, scan->array.dims, sizeof(kept->dims));
    return true;
}

bool json_scan_close_array(struct json_scan *scan)
{
    if (!scan->in_array)
        return true;
    const char *fault = number_array_close(&scan->array);
    if (fault)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan), "%s", fault);
    return scan->array.level > 0 || keep_array(scan);
}

bool json_scan_leave_array(struct json_scan *scan)
{
    if (!scan->in_array)
        return true;
    if (scan->cut)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, scan->token_place,
                              "an array of more than %zu numbers holds nothing else",
                              scan->limits.few);
    scan->in_array = false;
    scan->numbers.count = scan->array.first;
    return true;
}

static bool fail_count(struct json_scan *scan)
{
    const size_t count = number_array_count(&scan->array, &scan->numbers);
    const bool one = count >= scan->limits.max_array;

    return json_scan_fail(scan, JSON_SCAN_TOO_LARGE, scan->token_place,
                          one ? "an array has at most %zu numbers"
                              : "all arrays of a body together have at most %zu numbers",
                          one ? scan->limits.max_array : scan->limits.max_numbers);
}

/* Room for at most `room` more numbers of the array. */
static double *find_room(struct json_scan *scan, size_t *room)
{
    const size_t left =
        scan->limits.max_array - number_array_count(&scan->array, &scan->numbers);

    *room = *room < left ? *room : left;
    double *values = number_array_room(&scan->numbers, room);
    if (!values)
        fail_memory(scan);
    return values;
}

/* The array is too long for the parser: null takes its place. */
static bool cut_out(struct json_scan *scan)
{
    scan->cut = true;
    scan->digits = false;
    scan->rest.len = scan->array_rest;
    buffer_add_text(&scan->rest, "null");
    return !scan->rest.failed || fail_memory(scan);
}

bool json_scan_put_number(struct json_scan *scan, double number)
{
    if (!scan->in_array)
        return true;
    const char *fault = number_array_expect(&scan->array);
    if (fault)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, scan->token_place, "%s", fault);
    size_t room = 1;
    double *values = find_room(scan, &room);
    if (!values)
        return false;
    if (room == 0)
        return fail_count(scan);
    *values = number;
    number_array_advance(&scan->array, &scan->numbers, 1);
    return scan->cut || number_array_count(&scan->array, &scan->numbers) <= scan->limits.few ||
           cut_out(scan);
}

bool json_scan_put_token(struct json_scan *scan, double number)
{
    for (size_t i = 0; i < scan->token_len; i++)
        scan->digits &= (unsigned char)(scan->token[i] - '0') < 10;
    return json_scan_put_number(scan, number);
}

size_t json_scan_put_list(struct json_scan *scan, const char *at, const char *end,
                          const char **next)
{
    size_t room = LIST_AT_ONCE;
    double *values = find_room(scan, &room);

    *next = at;
    if (!values)
        return 0;
    const size_t count = json_numbers_f64_list(at, end, values, room, next);
    number_array_advance(&scan->array, &scan->numbers, count);
    for (const char *line = at; (line = memchr(line, '\n', (size_t)(*next - line))) != NULL;)
        pass_line(scan, scan->offset + (uint64_t)(++line - at));
    scan->offset += (uint64_t)(*next - at);
    return count;
}

/* The place of a byte of the rest: on from the last cut before it. */
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

static int compare_paths(const struct json_array *array, const uint32_t *path, size_t depth)
{
    for (size_t i = 0; i < depth && i < array->depth; i++)
        if (path[i] != array->path[i])
            return path[i] < array->path[i] ? -1 : 1;
    return (depth > array->depth) - (depth < array->depth);
}

const struct json_array *json_scan_array(const struct json_scan *scan, const uint32_t *path,
                                         size_t depth)
{
    /* In the order of the document, which is the order of paths. */
    size_t low = 0, high = scan->array_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_paths(&scan->arrays[middle], path, depth);

        if (order == 0)
            return &scan->arrays[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

size_t json_scan_held(const struct json_scan *scan)
{
    return scan->rest.size + scan->array_room * sizeof(*scan->arrays) +
           scan->cut_room * sizeof(*scan->cuts) +
           scan->numbers.room * sizeof(*scan->numbers.values);
}
