/* SPDX-License-Identifier: Apache-2.0
 * mpfr_room.h - MPFR ends the process when it finds no memory. So the frame asks for room
 * before it calls what may use MPFR: an encoding's resolve, check, table_build and prepare,
 * and prepare's pe_build_alloc. Without room the status is PE_NO_MEMORY. */
#ifndef PE_MATH_MPFR_ROOM_H
#define PE_MATH_MPFR_ROOM_H

#include <stdbool.h>

/* There is memory for all that one hook computes with MPFR at a time. Any thread. */
bool mpfr_room(void);

#endif
