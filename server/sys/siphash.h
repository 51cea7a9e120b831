/* SPDX-License-Identifier: Apache-2.0
 * siphash.h - SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012):
 * a hash of client text that nobody can steer without the key, however well the function is
 * known. So no client can choose requests that all fall into one bucket. */
#ifndef SERVER_SIPHASH_H
#define SERVER_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct siphash_key {
    uint64_t half[2];
};

/* A key that nobody can guess, another at each call. */
struct siphash_key siphash_key_draw(void);
uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t len);

#endif
