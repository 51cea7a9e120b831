/* SPDX-License-Identifier: Apache-2.0
 * mpfr_room.c - a try for several times what MPFR holds here: numbers of 512 bits, their
 * powers, and its thread's constants, some kilobytes in all. */
#include "core/math/number/mpfr_room.h"

#include <stddef.h>
#include <stdlib.h>

enum { ROOM = 48 << 10 };

bool mpfr_room(void)
{
    /* volatile: clang else leaves the pair of calls out and returns true */
    void *volatile probe = malloc(ROOM);
    bool room = probe != NULL;

    free(probe);
    return room;
}
