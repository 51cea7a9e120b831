/* SPDX-License-Identifier: Apache-2.0
 * mistake_list.c - positions that lie on no line: padded, packed, shuffled. They are read
 * out of the tensors (decode.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/decode.h"
#include "core/verify/mistake/mistakes.h"
#include "core/verify/observe.h"

enum { SAMPLE = 32, ALL_MOST = 16384 };

struct list {
    double *claimed, *found;
    uint64_t count;
};

static void list_fini(struct list *list)
{
    free(list->claimed);
    free(list->found);
}

/* Returns whether the first positions that are decoded are whole; other frequencies than the
 * candidate's give others. */
static bool is_whole_at_first(const struct candidate *base)
{
    const uint64_t rows = base->angles->rows, count = rows < SAMPLE ? rows : SAMPLE;
    double decoded[SAMPLE];

    if (!decode_rows(base, rows - count, 1, count, (struct row_buffer){decoded, SAMPLE}))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!(fabs(decoded[i] - nearbyint(decoded[i])) < 0.25))
            return false;
    return true;
}

/* Reads the positions of `count` rows from number `first` on; false if one is not whole, or no
 * memory is left. *differ becomes true if one is not the claim's. */
static bool list_read(struct list *list, const struct candidate *base, uint64_t first,
                      uint64_t count, bool *differ)
{
    if (!decode_rows(base, first, 1, count,
                     (struct row_buffer){list->found + first, list->count - first}))
        return false;
    for (uint64_t i = first; i < first + count; i++) {
        const double rounded = nearbyint(list->found[i]);

        if (!(fabs(list->found[i] - rounded) < 0.25))
            return false;
        list->found[i] = rounded;
        list->claimed[i] = angles_position(base->angles, i);
        *differ = *differ || list->found[i] != list->claimed[i];
    }
    return true;
}

/* Reads all positions; false if they are too many, not whole, or those of the claim. */
static bool list_init(struct list *list, const struct candidate *base)
{
    bool differ = false;

    *list = (struct list){.claimed = NULL};
    if (!observe_applies(base) || base->angles->rows > ALL_MOST)
        return false;
    list->count = base->angles->rows;
    if (!is_whole_at_first(base))
        return false;
    list->claimed = claim_room(base->claim, list->count, sizeof(double));
    list->found = claim_room(base->claim, list->count, sizeof(double));
    bool whole = list->claimed && list->found;
    for (uint64_t i = 0, some; whole && i < list->count; i += some) {
        some = list->count - i < SAMPLE ? list->count - i : SAMPLE;
        whole = list_read(list, base, i, some, &differ);
    }
    if (whole && differ)
        return true;
    list_fini(list);
    return false;
}

/* Returns whether positions rise by one throughout. */
static bool is_run(const double *pos, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++)
        if (pos[i] != pos[i - 1] + 1)
            return false;
    return true;
}

/* Returns whether positions stand still at first and then rise by one. */
static bool is_padded(const double *pos, uint64_t count)
{
    uint64_t still = 1;

    while (still < count && pos[still] == pos[0])
        still++;
    if (still < count && still > 1 && pos[still] != pos[still - 1] + 1)
        return is_run(pos + still, count - still); /* pads have a position of their own */
    return still > 1 && still < count && is_run(pos + still - 1, count - still + 1);
}

/* Returns whether positions rise by one but for falls, at each of which they begin anew. */
static bool is_packed(const double *pos, uint64_t count)
{
    uint64_t falls = 0;

    for (uint64_t i = 1; i < count; i++) {
        falls += pos[i] < pos[i - 1];
        if (2 * falls > count)
            return false; /* they fall throughout */
        if (pos[i] >= pos[i - 1] && pos[i] != pos[i - 1] + 1)
            return false;
    }
    return falls > 0;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Returns whether the one list is the other in another order. */
static bool is_shuffled(const struct candidate *base, const struct list *list)
{
    const size_t bytes = list->count * sizeof(double);
    double *sorted = claim_room(base->claim, 2, bytes);
    bool same = sorted != NULL;

    if (sorted) {
        memcpy(sorted, list->claimed, bytes);
        memcpy(sorted + list->count, list->found, bytes);
        qsort(sorted, list->count, sizeof(double), by_value);
        qsort(sorted + list->count, list->count, sizeof(double), by_value);
        same = memcmp(sorted, sorted + list->count, bytes) == 0;
    }
    free(sorted);
    return same;
}

static void repair_list(struct candidate *made, const struct list *list)
{
    char text[CHANGE_TEXT];
    size_t len = 0;

    for (uint64_t i = 0, next; i < list->count; i = next) {
        for (next = i + 1;
             next < list->count && list->found[next] == list->found[next - 1] + 1;)
            next++;
        if (len > CHANGE_TEXT - 60)
            return;
        len += (size_t)(next - i > 2 ? snprintf(text + len, CHANGE_TEXT - len, "%s%.17g:%.17g",
                                                i > 0 ? "," : "", list->found[i],
                                                list->found[next - 1] + 1)
                                     : snprintf(text + len, CHANGE_TEXT - len, "%s%.17g",
                                                i > 0 ? "," : "", list->found[i]));
        if (next - i == 2)
            next = i + 1;
    }
    mistakes_repair(made, "pos", text);
}

static struct candidate *make_list(const struct candidate *base, struct list *list)
{
    struct candidate *made = candidate_copy(base);

    if (made) {
        free(made->angles->listed);
        made->angles->listed = list->found;
        list->found = NULL;
        made->angles->scale = 1;
        made->angles->offset = 0;
        made->angles->reversed = false;
        made->warped = true;
    }
    return made;
}

/* Makes the candidate of the decoded positions if they are of a kind; the list ends. */
static struct candidate *finish(const struct candidate *base, struct list *list, bool is_kind)
{
    struct candidate *made;

    if (!is_kind) {
        list_fini(list);
        return NULL;
    }
    double *found = list->found;
    made = make_list(base, list);
    list->found = found;
    if (made)
        repair_list(made, list);
    if (made)
        list->found = NULL; /* the candidate owns it */
    list_fini(list);
    return made;
}

struct candidate *mistake_list_left_padding(const struct candidate *base, size_t variant)
{
    struct list list;

    if (variant == 1)
        return mistake_mask_no_padding(base);
    if (variant == 2)
        return mistake_mask_padding_counted(base);
    if (!list_init(&list, base))
        return NULL;
    return finish(base, &list,
                  is_padded(list.claimed, list.count) || is_padded(list.found, list.count));
}

struct candidate *mistake_list_packing_ignored(const struct candidate *base, size_t variant)
{
    struct list list;

    if (variant == 1)
        return mistake_mask_one_sequence(base);
    if (!list_init(&list, base))
        return NULL;
    return finish(base, &list,
                  is_packed(list.claimed, list.count) || is_packed(list.found, list.count));
}

struct candidate *mistake_list_rows_shuffled(const struct candidate *base, size_t variant)
{
    struct list list;

    if (variant == 1)
        return mistake_order_rows_moved(base);
    if (!list_init(&list, base))
        return NULL;
    return finish(base, &list, is_shuffled(base, &list));
}
