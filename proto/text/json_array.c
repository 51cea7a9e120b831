/* SPDX-License-Identifier: Apache-2.0
 * json_array.c - decodes arrays of numbers into the store; long ones are cut out of the rest of
 * the document. */
#include "proto/text/json_array.h"

#include <math.h>
#include <string.h>

#include "proto/text/json_step.h"
#include "proto/text/json_whole.h"

enum { LIST_AT_ONCE = 4096 }; /* numbers to reserve memory for at once */

/* Returns whether a path leads to the value that comes next. */
static bool is_reachable(const struct json_scan *scan)
{
    for (size_t i = 0; i < scan->depth; i++)
        if (!scan->is_object[i] && (i + 1 == scan->depth || !scan->is_object[i + 1]))
            return false;
    return true;
}

bool json_array_open(struct json_scan *scan)
{
    if (scan->skipping)
        return true;
    if (!scan->in_array) {
        number_array_begin(&scan->array, &scan->numbers);
        scan->in_array = true;
        scan->reachable = is_reachable(scan);
        scan->digits = scan->truths = true;
        scan->array_depth = scan->depth;
        scan->array_rest = scan->rest.len;
    }
    const char *fault = number_array_open(&scan->array);
    return !fault ||
           json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan), "%s", fault);
}

/* Adds the record of an array, or of a number alone, at that depth; NULL when out of memory. */
static struct json_array *add_array(struct json_scan *scan, size_t depth)
{
    void *arrays = scan->arrays;
    struct json_array *kept =
        json_scan_add_element(&arrays, &scan->array_capacity, scan->array_count, sizeof(*kept));

    scan->arrays = arrays;
    if (!kept) {
        json_scan_fail_memory(scan);
        return NULL;
    }
    scan->array_count++;
    *kept = (struct json_array){.depth = depth};
    for (size_t i = 0; i < depth; i++)
        kept->path[i] = scan->members[i] - 1;
    return kept;
}

/* Ends a complete array, and records it if a path leads to it. */
static bool keep_array(struct json_scan *scan)
{
    scan->in_array = false;
    if (!scan->reachable) {
        number_array_drop(&scan->numbers, scan->array.first);
        return true;
    }
    struct json_array *kept = add_array(scan, scan->array_depth);
    if (!kept)
        return false;
    kept->first = scan->array.first;
    kept->rank = scan->array.rank;
    kept->digits = scan->digits;
    kept->truths = scan->truths;
    memcpy(kept->dims, scan->array.dims, sizeof(kept->dims));
    return true;
}

bool json_array_close(struct json_scan *scan)
{
    if (!scan->in_array)
        return true;
    const char *fault = number_array_close(&scan->array);
    if (fault)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, json_scan_here(scan), "%s", fault);
    return scan->array.level > 0 || keep_array(scan);
}

bool json_array_abandon(struct json_scan *scan)
{
    if (!scan->in_array)
        return true;
    if (scan->cut)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, scan->token_place,
                              "an array of more than %zu numbers holds nothing else",
                              scan->limits.few);
    scan->in_array = false;
    number_array_drop(&scan->numbers, scan->array.first);
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

/* Reserves memory for at most `capacity` more numbers of the array. */
static double *reserve(struct json_scan *scan, size_t *capacity)
{
    const size_t left =
        scan->limits.max_array - number_array_count(&scan->array, &scan->numbers);

    *capacity = *capacity < left ? *capacity : left;
    double *values = number_array_reserve(&scan->numbers, capacity);
    if (!values)
        json_scan_fail_memory(scan);
    return values;
}

/* Replaces the array by null in the rest, because it is too long for the parser. */
static bool cut_out(struct json_scan *scan)
{
    scan->cut = true;
    scan->digits = false;
    scan->rest.len = scan->array_rest;
    buffer_add_text(&scan->rest, "null");
    return !scan->rest.failed || json_scan_fail_memory(scan);
}

/* Adds one number; *index is its place in the store. */
static bool put_number(struct json_scan *scan, double number, size_t *index)
{
    scan->truths = false;
    const char *fault = number_array_expect(&scan->array);
    if (fault)
        return json_scan_fail(scan, JSON_SCAN_MALFORMED, scan->token_place, "%s", fault);
    size_t capacity = 1;
    double *values = reserve(scan, &capacity);
    if (!values)
        return false;
    if (capacity == 0)
        return fail_count(scan);
    *values = number;
    *index = scan->numbers.count;
    number_array_advance(&scan->array, &scan->numbers, 1);
    return scan->cut || number_array_count(&scan->array, &scan->numbers) <= scan->limits.few ||
           cut_out(scan);
}

/* Notes what a number of the store lacks to its text. */
static bool note_rest(struct json_scan *scan, size_t index, const char *text, size_t len)
{
    const int16_t rest = json_whole_rest(text, len, scan->numbers.values[index]);

    return rest == 0 || number_array_note(&scan->numbers, index, rest) ||
           json_scan_fail_memory(scan);
}

bool json_array_put_text(struct json_scan *scan, double number, const char *text, size_t len)
{
    size_t index = 0;

    return put_number(scan, number, &index) && note_rest(scan, index, text, len);
}

/* Keeps a number that is no item of an array, if no double holds it. */
static bool keep_alone(struct json_scan *scan, double number)
{
    const int16_t rest = json_whole_rest(scan->token, scan->token_len, number);
    size_t capacity = 1;

    if (rest == 0 || scan->skipping || !is_reachable(scan))
        return true;
    double *values = number_array_reserve(&scan->numbers, &capacity);
    if (values && capacity == 0)
        return json_scan_fail(scan, JSON_SCAN_TOO_LARGE, scan->token_place,
                              "all arrays of a body together have at most %zu numbers",
                              scan->limits.max_numbers);
    struct json_array *kept = values ? add_array(scan, scan->depth) : NULL;
    if (!kept)
        return json_scan_fail_memory(scan);
    *values = number;
    kept->first = scan->numbers.count++;
    return number_array_note(&scan->numbers, kept->first, rest) || json_scan_fail_memory(scan);
}

bool json_array_put_token(struct json_scan *scan, double number)
{
    for (size_t i = 0; i < scan->token_len; i++)
        scan->digits &= (unsigned char)(scan->token[i] - '0') < 10;
    return scan->in_array ? json_array_put_text(scan, number, scan->token, scan->token_len)
                          : keep_alone(scan, number);
}

/* Returns whether the word in .token is a number in arrays. */
static bool read_word(const struct json_scan *scan, double *number)
{
    static const struct {
        const char *word;
        double number;
    } words[] = {{"true", 1},
                 {"false", 0},
                 {"NaN", NAN},
                 {"Infinity", INFINITY},
                 {"-Infinity", -INFINITY}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (json_step_is(scan, words[i].word)) {
            *number = words[i].number;
            return true;
        }
    return false;
}

bool json_array_put_word(struct json_scan *scan)
{
    double number = 0;

    if (!scan->limits.words || !scan->in_array || !read_word(scan, &number))
        return json_array_abandon(scan);
    const bool truths = scan->truths && (scan->token[0] == 't' || scan->token[0] == 'f');
    size_t index = 0;
    const bool put = put_number(scan, number, &index);
    scan->truths = truths;
    scan->digits = false;
    return put;
}

static bool is_between_numbers(char byte)
{
    return byte == ',' || byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Notes the rests of `count` numbers, which stand in the text [at, end), a comma after each.
 * Few arrays have a number beyond 2^53, so that the text is read again for those alone. */
static bool note_rests(struct json_scan *scan, size_t first, size_t count, const char *at,
                       const char *end)
{
    const double *values = scan->numbers.values + first;
    bool large = false;

    for (size_t i = 0; i < count; i++)
        large |= fabs(values[i]) >= 0x1p53;
    for (size_t i = 0; large && i < count; i++) {
        const char *const number = at;

        while (at < end && !is_between_numbers(*at))
            at++;
        if (!note_rest(scan, first + i, number, (size_t)(at - number)))
            return false;
        while (at < end && is_between_numbers(*at))
            at++;
    }
    return true;
}

size_t json_array_put_list(struct json_scan *scan, const char *at, const char *end,
                           const char **next)
{
    size_t capacity = LIST_AT_ONCE;
    double *values = reserve(scan, &capacity);

    *next = at;
    if (!values)
        return 0;
    const size_t count = json_numbers_f64_list(at, end, values, capacity, next);
    number_array_advance(&scan->array, &scan->numbers, count);
    if (!note_rests(scan, scan->numbers.count - count, count, at, *next))
        return 0;
    scan->truths &= count == 0;
    for (const char *line = at; (line = memchr(line, '\n', (size_t)(*next - line))) != NULL;)
        json_scan_pass_line(scan, scan->offset + (uint64_t)(++line - at));
    scan->offset += (uint64_t)(*next - at);
    return count;
}

static int compare_paths(const struct json_array *array, const uint32_t *path, size_t depth)
{
    for (size_t i = 0; i < depth && i < array->depth; i++)
        if (path[i] != array->path[i])
            return path[i] < array->path[i] ? -1 : 1;
    return (depth > array->depth) - (depth < array->depth);
}

const struct json_array *json_array_find(const struct json_scan *scan, const uint32_t *path,
                                         size_t depth)
{
    /* Arrays are in the order of the document, which is also the order of paths. */
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
