/* SPDX-License-Identifier: Apache-2.0
 * siphash.c - see siphash.h. One round for each word of the text, three at the end. */
#include "server/sys/siphash.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

struct siphash_key siphash_key_draw(void)
{
    struct siphash_key key;

    if (getrandom(&key, sizeof key, GRND_NONBLOCK) == (ssize_t)sizeof key)
        return key;
    /* Early after boot the kernel's 16 random bytes of this process are used. */
    memcpy(&key, (const void *)getauxval(AT_RANDOM), sizeof key);
    key.half[0] ^= (uintptr_t)&key;
    return key;
}

static inline uint64_t rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
}

static inline void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v);
    v[0] ^= word;
}

static inline uint64_t word_at(const unsigned char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word); /* little-endian, as every supported machine */
    return word;
}

uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t len)
{
    uint64_t v[4] = {key->half[0] ^ 0x736f6d6570736575, key->half[1] ^ 0x646f72616e646f6d,
                     key->half[0] ^ 0x6c7967656e657261, key->half[1] ^ 0x7465646279746573};
    const unsigned char *at = bytes, *whole = at + len / 8 * 8;
    uint64_t last = (uint64_t)len
                    << 56; /* the low byte of the length, and the remaining bytes */

    for (; at < whole; at += 8)
        absorb(v, word_at(at));
    for (size_t i = 0; i < len % 8; i++)
        last |= (uint64_t)at[i] << 8 * i;
    absorb(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
