# SPDX-License-Identifier: Apache-2.0
"""draw.py - random arguments, the same in every run: positions including edges, sizes, factors.
Reals are doubles, so that request and formula use the same number."""

import random

EDGES = [0, 1, -1, 2, 4095, 131071, 10 ** 6, -(10 ** 6), 2 ** 24 + 1, 2 ** 31, 2 ** 53, -2 ** 53]


class Draw(random.Random):
    def __init__(self, name, number):
        super().__init__("%s %d" % (name, number))
        self.number = number

    def turn(self, options):
        """One option after the other, a round each."""
        return options[self.number % len(options)]

    def chance(self):
        return self.random() < 0.5

    def even(self, low, high):
        return 2 * self.randint(low // 2, high // 2)

    def real(self, low, high):
        return self.uniform(low, high)

    def single(self, low, high):
        """A real that is exact in float32."""
        return round(self.uniform(low, high) * 1024) / 1024

    def singles(self, count, low=-4, high=4):
        return [self.single(low, high) for _ in range(count)]

    def table(self, rows, width, low=-4, high=4):
        """Rows of reals that are exact in float32."""
        return [self.singles(width, low, high) for _ in range(rows)]

    def base(self):
        return self.choice([10000, 100, 500000, 1e6, self.real(2, 1e5)])

    def position(self, fractions=True):
        kind = self.randrange(4 if fractions else 3)
        if kind == 0:
            return self.choice(EDGES)
        if kind == 1:
            return self.randint(-1000, 1000)
        if kind == 2:
            return self.randint(0, 10 ** 7)
        return self.choice([self.real(-10, 10), self.real(0, 1e5), self.randint(0, 9999) / 8])

    def positions(self, count=3, fractions=True):
        return [self.position(fractions) for _ in range(count)]

    def maybe(self, params, **options):
        """Each option is given with an even chance: an option that is not given must have its
        default."""
        for name, value in options.items():
            if self.chance():
                params[name] = value
        return params
