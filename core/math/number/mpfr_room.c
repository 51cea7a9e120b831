/* SPDX-License-Identifier: Apache-2.0
 * mpfr_room.c - allocates and frees several times the memory that MPFR needs here (numbers of
 * 512 bits, their powers, the constants of its thread: some kilobytes in all). */
#include "core/math/number/mpfr_room.h"

#include <stddef.h>
#include <stdlib.h>

enum { ROOM = 48 << 10 };

bool mpfr_room(void)
{
    /* volatile: without it clang drops both calls and returns true */
    void *volatile probe = malloc(ROOM);
    bool room = probe != NULL;

    free(probe);
    return room;
}
