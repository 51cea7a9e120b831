/* SPDX-License-Identifier: Apache-2.0
 * hf_reads.c - see hf_reads.h. No configuration has a quarter of the members that fit. */
#include "proto/models/hf/hf_reads.h"

#include <stdint.h>

enum { COUNT_MAX = HF_READS_SLOTS * 3 / 4 };

/* Returns the slot that has the name, or the one that is free for it. */
static size_t slot_of(const struct hf_reads *reads, const char *name)
{
    size_t slot = (size_t)(((uintptr_t)name >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 54);

    while (reads->at[slot] && reads->at[slot] != name)
        slot = (slot + 1) % HF_READS_SLOTS;
    return slot;
}

void hf_reads_add(struct hf_reads *reads, const char *name)
{
    const size_t slot = slot_of(reads, name);

    if (!reads->at[slot] && reads->count < COUNT_MAX) {
        reads->at[slot] = name;
        reads->count++;
    }
}

bool hf_reads_has(const struct hf_reads *reads, const char *name)
{
    return reads->at[slot_of(reads, name)] != NULL;
}
