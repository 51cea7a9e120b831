/* SPDX-License-Identifier: Apache-2.0
 * hf_reads.h - which members of a configuration have been read. Private to hf_*. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { HF_READS_SLOTS = 1024 };

/* A set of members, each by the address of its name in the body. All zeros is the empty set. */
struct hf_reads {
    const char *at[HF_READS_SLOTS];
    size_t count;
};

/* Adds a member; a set that is full enough keeps what it has. */
void hf_reads_add(struct hf_reads *reads, const char *name);
bool hf_reads_has(const struct hf_reads *reads, const char *name);
