/* SPDX-License-Identifier: Apache-2.0
 * setjmp.h - for WebAssembly, whose C library has none: the second return never comes, since a
 * jump ends the module with a trap. libpng jumps when a picture cannot be written, for lack of
 * memory; the caller of the module then makes another one. */
#pragma once

typedef int jmp_buf[1];

static inline int setjmp(jmp_buf place)
{
    return 0;
}

static inline _Noreturn void longjmp(jmp_buf place, int value)
{
    __builtin_trap();
}
