/* SPDX-License-Identifier: Apache-2.0
 * position_text.c - parses the position grammar: "0:128", "0:128:4", "5,9,12" and mixtures (the
 * half-open slices of Python). Other common spellings get an error that shows the right one. */
#include "core/args/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/number.h"
#include "core/encoding.h"
#include "core/text/whole_text.h"

#define WHOLE_MAX 0x1p53 /* doubles hold whole numbers up to here exactly */
#define POSITIONS_MAX (UINT64_C(1) << 53)

/* Returns the hint for an item that is nearly a position, such as "0-127" or "0..127". */
static const char *hint_of(const char *item, size_t len)
{
    if (len == 0)
        return "a comma stands between two positions, never first or last";
    if (memchr(item, '[', len) || memchr(item, ']', len) || memchr(item, '(', len))
        return "without brackets: 0,1,2";
    if (memchr(item, ';', len))
        return "encodings of several axes take rows, as ids=0,1;2,3; here write 0,1,2";
    if (memchr(item, ' ', len))
        return "without spaces: 0,1,2";
    if (item[0] == '+')
        return "without the +";
    return item[len - 1] == ':' ? "a slice says where it ends: 0:128" : NULL;
}

static enum pe_status refuse_item(const char *parameter, const char *item, size_t len,
                                  struct pe_errors *errors)
{
    enum pe_status status =
        pe_fail(errors, PE_BAD_VALUE, parameter,
                "must be positions such as 0:128, 0:128:4 or 5,9,12 (half-open slices and "
                "numbers, joined by commas); cannot read \"%.*s\"",
                (int)(len < 40 ? len : 40), item);
    const char *range = NULL, *hint = hint_of(item, len);
    size_t at, gap = 0;
    int64_t start, stop;

    for (at = 1; at + 1 < len && !range; at++) { /* find "0..127" and "0-127" */
        gap = item[at] == '.' && item[at + 1] == '.' ? 2 : item[at] == '-';
        if (gap)
            range = item + at + gap;
    }
    if (range && number_parse_whole(item, (size_t)(range - item) - gap, &start) &&
        number_parse_whole(range, len - (size_t)(range - item), &stop))
        pe_hint(errors, "for %lld to %lld inclusive write %lld:%lld", (long long)start,
                (long long)stop, (long long)start, (long long)stop + 1);
    else if (hint)
        pe_hint(errors, "%s", hint);
    return status;
}

static enum pe_status refuse_size(const char *parameter, struct pe_errors *errors)
{
    return pe_fail(errors, PE_OUT_OF_RANGE, parameter,
                   "must lie in -9007199254740992..9007199254740992 (2^53)");
}

/* Parses one position: a decimal number, also "1e6" and, where fractions are allowed, "0.5". */
static enum pe_status parse_number(struct position_slice *slice, const char *parameter,
                                   const char *item, size_t len, bool fractions,
                                   struct pe_errors *errors)
{
    double number;

    if (!number_parse(item, len, &number))
        return refuse_item(parameter, item, len, errors);
    if (fabs(number) > WHOLE_MAX || !whole_text_is_exact(item, len, number))
        return refuse_size(parameter, errors);
    if (!fractions && number != trunc(number))
        return pe_fail(errors, PE_BAD_VALUE, parameter,
                       "must be whole positions here; got %.*s", (int)len, item);
    *slice = (struct position_slice){number + 0.0, 0, 1}; /* -0 becomes 0 */
    return PE_OK;
}

/* Parses a part of a slice; an empty part is valid and leaves *value as it is. */
static bool parse_part(const char *text, size_t len, int64_t *value)
{
    return len == 0 || number_parse_whole(text, len, value);
}

static enum pe_status parse_slice(struct position_slice *slice, const char *parameter,
                                  const char *item, size_t len, struct pe_errors *errors)
{
    const char *first = memchr(item, ':', len), *rest = first + 1;
    size_t rest_len = len - (size_t)(rest - item);
    const char *second = memchr(rest, ':', rest_len);
    size_t stop_len = second ? (size_t)(second - rest) : rest_len;
    int64_t start = 0, stop = 0, step = 1;
    uint64_t span;

    if (!parse_part(item, (size_t)(first - item), &start) || stop_len == 0 ||
        !parse_part(rest, stop_len, &stop) ||
        (second && !parse_part(second + 1, rest_len - stop_len - 1, &step)))
        return refuse_item(parameter, item, len, errors);
    if (step == 0)
        return pe_fail(errors, PE_BAD_VALUE, parameter, "has a slice of step 0: \"%.*s\"",
                       (int)(len < 40 ? len : 40), item);
    *slice = (struct position_slice){(double)start, step, 0};
    if (step > 0 ? start >= stop : start <= stop)
        return PE_OK; /* an empty slice, as in Python */
    span = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    slice->count = (span - 1) / (uint64_t)llabs(step) + 1;
    stop = start + (int64_t)(slice->count - 1) * step; /* the last position of the slice */
    if (llabs(start) > INT64_C(1) << 53 || llabs(stop) > INT64_C(1) << 53)
        return refuse_size(parameter, errors);
    if (slice->count == 1)
        slice->step = 0;
    return PE_OK;
}

static size_t count_items(const char *text, size_t len)
{
    size_t items = 1;

    for (size_t i = 0; i < len; i++)
        items += text[i] == ',';
    return items;
}

static enum pe_status too_many(const char *parameter, size_t items, size_t limit,
                               struct pe_errors *errors)
{
    enum pe_status status =
        pe_fail(errors, PE_TOO_LARGE, parameter,
                "has %zu items; at most %zu (a slice is one item)", items, limit);

    pe_note_limit(errors, limit, items);
    return status;
}

enum pe_status positions_parse(struct pe_positions **pos, const char *parameter,
                               const char *text, size_t len, bool fractions,
                               struct pe_errors *errors)
{
    size_t items = count_items(text, len), done = 0;
    struct position_slice one = {0}, *slices = &one; /* most lists have one item */
    enum pe_status status = PE_OK;
    struct pe_positions *made;
    uint64_t total = 0; /* no overflow: at most 2^16 items of 2^54 */

    if (items > PE_MAX_POSITION_ITEMS)
        return too_many(parameter, items, PE_MAX_POSITION_ITEMS, errors);
    if (items > 1)
        slices = calloc(items, sizeof *slices);
    if (!slices)
        return pe_fail(errors, PE_NO_MEMORY, parameter, "out of memory");
    for (const char *item = text, *end = text + len; done < items && !status; done++) {
        const char *comma = memchr(item, ',', (size_t)(end - item));
        size_t item_len = (size_t)((comma ? comma : end) - item);

        if (memchr(item, ':', item_len))
            status = parse_slice(&slices[done], parameter, item, item_len, errors);
        else
            status = parse_number(&slices[done], parameter, item, item_len, fractions, errors);
        item += item_len + 1;
        total = total > POSITIONS_MAX ? total : total + slices[done].count;
    }
    if (!status && total > POSITIONS_MAX)
        status = pe_fail(errors, PE_OUT_OF_RANGE, parameter,
                         "names more than 2^53 positions; ask for fewer");
    made = status ? NULL : positions_new(slices, NULL, items);
    if (slices != &one)
        free(slices);
    if (!status && !made)
        return pe_fail(errors, PE_NO_MEMORY, parameter, "out of memory");
    if (!status)
        *pos = made;
    return status;
}

enum pe_status positions_from_array(struct pe_positions **pos, const char *parameter,
                                    const double *values, size_t count, bool fractions,
                                    struct pe_errors *errors)
{
    struct pe_positions *made;

    if (count > PE_MAX_POSITION_ARRAY)
        return too_many(parameter, count, PE_MAX_POSITION_ARRAY, errors);
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(values[i]) <= WHOLE_MAX))
            return refuse_size(parameter, errors);
        if (!fractions && values[i] != trunc(values[i]))
            return pe_fail(errors, PE_BAD_VALUE, parameter,
                           "must be whole positions here; got %.17g at index %zu", values[i],
                           i);
    }
    made = positions_new(NULL, values, count);
    if (!made)
        return pe_fail(errors, PE_NO_MEMORY, parameter, "out of memory");
    *pos = made;
    return PE_OK;
}
