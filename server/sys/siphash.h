/* SPDX-License-Identifier: Apache-2.0
 * siphash.h - SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012):
 * a hash of client text. Without the key no client can choose texts whose hashes collide, so no
 * client can fill one bucket of a hash table. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct siphash_key {
    uint64_t half[2];
};

/* A random key, another at each call. */
struct siphash_key siphash_key_draw(void);
uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t len);
