/* SPDX-License-Identifier: Apache-2.0
 * why.c - see why.h. */
#include "proto/text/why.h"

#include <stdarg.h>
#include <stdio.h>

bool why_refuse(char why[WHY_SIZE], const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, WHY_SIZE, format, args);
    va_end(args);
    return false;
}
