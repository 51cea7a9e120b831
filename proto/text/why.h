/* SPDX-License-Identifier: Apache-2.0
 * why.h - the sentence that says why something is refused, and what would be right. */
#pragma once

#include <stdbool.h>

enum { WHY_SIZE = 320 };

/* Writes the sentence, cut at its size. Returns false. */
bool why_refuse(char why[WHY_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
