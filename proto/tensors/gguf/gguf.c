/* SPDX-License-Identifier: Apache-2.0
 * gguf.c - see gguf.h. The head is a row of items, each of which says how long the next is. */
#include "proto/tensors/gguf/gguf.h"

#include <string.h>

static const char magic[] = {'G', 'G', 'U', 'F'};

/* The items, in the order in which they stand. PASSED: the values of a list of numbers. */
enum {
    BEGIN,
    HEAD,
    KEY_LENGTH,
    KEY,
    TYPE,
    NUMBER,
    TEXT_LENGTH,
    TEXT,
    LIST,
    PASSED,
    WORD_LENGTH,
    WORD,
    NAME_LENGTH,
    NAME,
    AXES,
    PLACE
};
/* The types of values that are no numbers. */
enum { TYPE_TEXT = 8, TYPE_LIST = 9, TYPES = 13 };

static const unsigned char sizes[TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

bool gguf_is(const unsigned char *bytes, size_t len)
{
    return len >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* ---- numbers in the bytes of an item ----------------------------------------------------- */

static uint64_t whole(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;

    for (size_t i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static double number(const unsigned char *bytes, uint32_t type)
{
    const uint64_t bits = whole(bytes, sizes[type]);
    const uint32_t half = (uint32_t)bits;
    float single;
    double full;

    switch (type) {
    case 1:
        return (int8_t)bits;
    case 3:
        return (int16_t)bits;
    case 5:
        return (int32_t)bits;
    case 11:
        return (double)(int64_t)bits;
    case 6:
        memcpy(&single, &half, sizeof single);
        return single;
    case 12:
        memcpy(&full, &bits, sizeof full);
        return full;
    default:
        return (double)bits;
    }
}

/* ---- items ------------------------------------------------------------------------------- */

static void expect(struct gguf *gguf, int step, uint64_t bytes)
{
    gguf->step = step;
    gguf->have = 0;
    gguf->want = bytes < sizeof gguf->item ? (size_t)bytes : sizeof gguf->item - 1;
    gguf->skip = bytes - gguf->want;
}

/* Expects an item of which nothing is kept. */
static void pass(struct gguf *gguf, int step, uint64_t bytes)
{
    expect(gguf, step, 0);
    gguf->skip = bytes;
}

static void expect_next(struct gguf *gguf)
{
    if (gguf->pairs > 0) {
        gguf->pairs--;
        expect(gguf, KEY_LENGTH, 8);
    } else if (gguf->tensors > 0) {
        gguf->tensors--;
        expect(gguf, NAME_LENGTH, 8);
    } else {
        gguf->data =
            gguf->at + (gguf->alignment - gguf->at % gguf->alignment) % gguf->alignment;
        gguf->over = true;
    }
}

static void take_head(struct gguf *gguf)
{
    const uint64_t version = whole(gguf->item + 4, 4);

    gguf->tensors = whole(gguf->item + 8, 8);
    gguf->pairs = whole(gguf->item + 16, 8);
    gguf->alignment = 32;
    if (!gguf_is(gguf->item, sizeof magic))
        gguf->why = "a GGUF file begins with GGUF";
    else if (version != 2 && version != 3)
        gguf->why = "GGUF files of versions 2 and 3 are read, little-endian";
    else
        expect_next(gguf);
}

static void take_type(struct gguf *gguf)
{
    gguf->type = (uint32_t)whole(gguf->item, 4);
    if (gguf->type >= TYPES)
        gguf->why = "a value has a type that GGUF does not know";
    else if (gguf->type == TYPE_TEXT)
        expect(gguf, TEXT_LENGTH, 8);
    else if (gguf->type == TYPE_LIST)
        expect(gguf, LIST, 12);
    else
        expect(gguf, NUMBER, sizes[gguf->type]);
}

static void take_number(struct gguf *gguf, const struct gguf_calls *calls, void *context)
{
    const double value = number(gguf->item, gguf->type);

    if (strcmp(gguf->key, "general.alignment") == 0) {
        if (!(value >= 1 && value <= 1 << 20)) {
            gguf->why = "general.alignment must be from 1 to 1048576";
            return;
        }
        gguf->alignment = (uint64_t)value;
    }
    calls->number(context, gguf->key, value);
    expect_next(gguf);
}

/* The next word of a list, if it has one. */
static void expect_word(struct gguf *gguf)
{
    if (gguf->words > 0) {
        gguf->words--;
        expect(gguf, WORD_LENGTH, 8);
    } else {
        expect_next(gguf);
    }
}

static void take_list(struct gguf *gguf)
{
    const uint64_t type = whole(gguf->item, 4), count = whole(gguf->item + 4, 8);
    uint64_t bytes;

    if (type >= TYPES || type == TYPE_LIST) {
        gguf->why = "a list of values has a type that is not read";
    } else if (type == TYPE_TEXT) {
        gguf->words = count;
        expect_word(gguf);
    } else if (__builtin_mul_overflow(count, (uint64_t)sizes[type], &bytes)) {
        gguf->why = "a list has more values than a file can have";
    } else {
        pass(gguf, PASSED, bytes);
    }
}

static void take_place(struct gguf *gguf, const struct gguf_calls *calls, void *context)
{
    struct gguf_tensor *tensor = &gguf->tensor;
    const unsigned char *bytes = gguf->item;

    for (size_t i = 0; i < tensor->rank; i++, bytes += 8)
        tensor->dims[i] = whole(bytes, 8);
    tensor->type = (uint32_t)whole(bytes, 4);
    tensor->offset = whole(bytes + 4, 8);
    calls->tensor(context, tensor);
    expect_next(gguf);
}

static void take_axes(struct gguf *gguf)
{
    gguf->tensor.rank = (size_t)whole(gguf->item, 4);
    if (gguf->tensor.rank > GGUF_AXES)
        gguf->why = "a tensor has more than 4 axes";
    else
        expect(gguf, PLACE, 8 * gguf->tensor.rank + 4 + 8);
}

/* The item is there. */
static void take(struct gguf *gguf, const struct gguf_calls *calls, void *context)
{
    const char *text = (const char *)gguf->item;

    gguf->item[gguf->have] = '\0';
    switch (gguf->step) {
    case BEGIN:
        expect(gguf, HEAD, 4 + 4 + 8 + 8);
        break;
    case HEAD:
        take_head(gguf);
        break;
    case KEY_LENGTH:
        expect(gguf, KEY, whole(gguf->item, 8));
        break;
    case KEY:
        memcpy(gguf->key, text, gguf->have + 1);
        expect(gguf, TYPE, 4);
        break;
    case TYPE:
        take_type(gguf);
        break;
    case NUMBER:
        take_number(gguf, calls, context);
        break;
    case TEXT_LENGTH:
        expect(gguf, TEXT, whole(gguf->item, 8));
        break;
    case TEXT:
        gguf->item[gguf->have < GGUF_TEXT_SIZE ? gguf->have : GGUF_TEXT_SIZE - 1] = '\0';
        calls->text(context, gguf->key, text);
        expect_next(gguf);
        break;
    case LIST:
        take_list(gguf);
        break;
    case PASSED:
        expect_next(gguf);
        break;
    case WORD_LENGTH:
        pass(gguf, WORD, whole(gguf->item, 8));
        break;
    case WORD:
        expect_word(gguf);
        break;
    case NAME_LENGTH:
        expect(gguf, NAME, whole(gguf->item, 8));
        break;
    case NAME:
        memcpy(gguf->tensor.name, text, gguf->have + 1);
        expect(gguf, AXES, 4);
        break;
    case AXES:
        take_axes(gguf);
        break;
    case PLACE:
        take_place(gguf, calls, context);
        break;
    }
}

size_t gguf_read(struct gguf *gguf, const struct gguf_calls *calls, void *context,
                 const char *bytes, size_t len)
{
    size_t used = 0;

    while (!gguf->over && !gguf->why) {
        const size_t left = len - used, lacking = gguf->want - gguf->have;

        if (lacking > 0) {
            const size_t part = left < lacking ? left : lacking;

            memcpy(gguf->item + gguf->have, bytes + used, part);
            gguf->have += part;
            gguf->at += part;
            used += part;
            if (part < lacking)
                break;
        } else if (gguf->skip > 0) {
            const size_t part = left < gguf->skip ? left : (size_t)gguf->skip;

            gguf->skip -= part;
            gguf->at += part;
            used += part;
            if (gguf->skip > 0)
                break;
        } else {
            take(gguf, calls, context);
        }
    }
    return used;
}
