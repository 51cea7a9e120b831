/* SPDX-License-Identifier: Apache-2.0
 * packed.c - reads the four ways to say where documents of a row begin. */
#include "core/encodings/index/packed.h"

#include <math.h>

#include "core/args/positions.h"

enum { ITEMS_MAX = 4 << 20 };

static const struct pe_positions *list_of(const struct packed_lists *p)
{
    return p->lengths        ? p->lengths
           : p->cu_seqlens   ? p->cu_seqlens
           : p->document_ids ? p->document_ids
                             : p->position_ids;
}

double packed_read_ns(const struct packed_lists *lists)
{
    return 3 * (double)pe_positions_count(list_of(lists));
}

static enum pe_status check_one(const struct packed_lists *p, struct pe_errors *errors)
{
    int lists = (p->lengths != NULL) + (p->cu_seqlens != NULL) + (p->document_ids != NULL) +
                (p->position_ids != NULL);

    if (lists == 0)
        return pe_fail(errors, PE_MISSING_PARAMETER, "lengths",
                       "is required, or cu_seqlens, document_ids or position_ids");
    if (lists > 1)
        return pe_fail(errors, PE_CONFLICT, "lengths",
                       "say the same as cu_seqlens, document_ids and position_ids; give one");
    if (pe_positions_count(list_of(p)) > ITEMS_MAX)
        return pe_fail(errors, PE_OUT_OF_RANGE,
                       p->lengths        ? "lengths"
                       : p->cu_seqlens   ? "cu_seqlens"
                       : p->document_ids ? "document_ids"
                                         : "position_ids",
                       "must have at most %d numbers; got %llu", ITEMS_MAX,
                       (unsigned long long)pe_positions_count(list_of(p)));
    return PE_OK;
}

enum pe_status packed_check(const struct packed_lists *p, struct pe_errors *errors)
{
    enum pe_status status = check_one(p, errors);
    uint64_t count = status ? 0 : pe_positions_count(list_of(p));
    struct positions_cursor lengths = {.pos = p->lengths}, cu_seqlens = {.pos = p->cu_seqlens};
    double total = 0, before = 0;

    if (status)
        return status;
    for (uint64_t i = 0; p->lengths && i < count; i++) {
        double length = positions_next(&lengths);

        if (length < 0)
            return pe_fail(errors, PE_OUT_OF_RANGE, "lengths", "must be 0 or more; got %.0f",
                           length);
        total += length;
    }
    if (total > 0x1p53)
        return pe_fail(errors, PE_OUT_OF_RANGE, "lengths",
                       "must be at most 2^53 together; got %g", total);
    if (p->cu_seqlens && (count == 0 || pe_positions_at(p->cu_seqlens, 0) != 0))
        return pe_fail(errors, PE_BAD_VALUE, "cu_seqlens", "must begin with 0");
    for (uint64_t i = 0; p->cu_seqlens && i < count; i++) {
        const double begin = positions_next(&cu_seqlens);

        if (begin < before)
            return pe_fail(errors, PE_BAD_VALUE, "cu_seqlens",
                           "must not fall; number %llu does", (unsigned long long)i);
        before = begin;
    }
    return PE_OK;
}

static void begin(struct packed *packed, double at)
{
    if (packed->begins)
        packed->begins[packed->documents] = at;
    packed->documents++;
}

void packed_read(const struct packed_lists *p, struct packed *packed)
{
    struct positions_cursor list = {.pos = list_of(p)};
    uint64_t count = pe_positions_count(list.pos);
    double end = 0, before = 0;

    for (uint64_t i = 0; i < count; i++) {
        double value = positions_next(&list);

        if (p->lengths) {
            begin(packed, end);
            end += value;
        } else if (p->cu_seqlens) {
            end = value;
            if (i + 1 < count)
                begin(packed, value);
        } else {
            if (i == 0 || value != before + (p->position_ids ? 1 : 0))
                begin(packed, (double)i);
            end = (double)(i + 1);
        }
        before = value;
    }
    packed->tokens = (uint64_t)end;
    if (!packed->begins)
        return;
    packed->begins[packed->documents] = end;
    for (uint64_t i = 0; i < packed->documents; i++)
        packed->longest = fmax(packed->longest, packed->begins[i + 1] - packed->begins[i]);
}

const struct packed *packed_new(struct pe_build *build, const struct packed_lists *lists)
{
    struct packed count = {0}, *packed = pe_build_alloc(build, sizeof *packed);

    packed_read(lists, &count);
    if (packed)
        packed->begins = pe_build_alloc(build, (count.documents + 1) * sizeof(double));
    if (!packed || !packed->begins)
        return NULL;
    packed_read(lists, packed);
    return packed;
}

uint64_t packed_document(const struct packed *packed, uint64_t token)
{
    uint64_t low = 0, high = packed->documents;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (packed->begins[middle] <= (double)token)
            low = middle;
        else
            high = middle;
    }
    return low;
}
