# SPDX-License-Identifier: Apache-2.0
"""generator.py - the service's random stream: xoshiro256** (Blackman, Vigna 2018) seeded by
splitmix64, its integers, reals, normal deviates and picks."""

from mpmath import mp, mpf

WORD = 2 ** 64 - 1


def rotl(x, k):
    return (x << k | x >> 64 - k) & WORD


def splitmix(seed):
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & WORD
        x = seed
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
        x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
        yield x ^ x >> 31


class Generator:
    def __init__(self, seed):
        words = splitmix(seed)
        self.state = [next(words) for _ in range(4)]
        self.spare = None

    def next64(self):
        s = self.state
        result = rotl(s[1] * 5 & WORD, 7) * 9 & WORD
        t = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return result

    def below(self, n):
        while True:
            x = self.next64()
            if x < n * (2 ** 64 // n):
                return x % n

    def unit(self):
        return mpf(self.next64() >> 11) / 2 ** 53

    def normal(self):
        """The two deviates of Box and Muller, one after the other."""
        if self.spare is not None:
            value, self.spare = self.spare, None
            return value
        u, v = self.unit(), self.unit()
        r = mp.sqrt(-2 * mp.log(1 - u))
        self.spare = r * mp.sin(2 * mp.pi * v)
        return r * mp.cos(2 * mp.pi * v)

    def pick(self, n, k):
        """k distinct numbers of 0..n-1, ascending (Floyd)."""
        chosen = set()
        for j in range(n - k, n):
            t = self.below(j + 1)
            chosen.add(j if t in chosen else t)
        return sorted(chosen)
