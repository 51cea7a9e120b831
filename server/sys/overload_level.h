/* SPDX-License-Identifier: Apache-2.0
 * overload_level.h - how near the service is to its limits, as a level, and what it does at
 * each level (overload_level.def). */
#pragma once

#include <stdbool.h>

#define LEVEL(ID, PERCENT) OVERLOAD_##ID,
#define EFFECT(ID, LEVEL, TEXT)
enum overload_level {
#include "server/sys/overload_level.def"
    OVERLOAD_LEVEL_COUNT
};
#undef LEVEL
#undef EFFECT

/* The value of an effect is the level from which it holds. */
#define LEVEL(ID, PERCENT)
#define EFFECT(ID, LEVEL, TEXT) OVERLOAD_##ID = OVERLOAD_##LEVEL,
enum overload_effect {
#include "server/sys/overload_level.def"
};
#undef LEVEL
#undef EFFECT

static inline bool overload_level_has(enum overload_level level, enum overload_effect effect)
{
    return (int)level >= (int)effect;
}
