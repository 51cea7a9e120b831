/* SPDX-License-Identifier: Apache-2.0
 * stop_looks.c - the wrapper that --wrap=pe_stop_is_set asks for. */
#include "tests/support/stop_looks.h"

#include "core/posenc.h"

static _Thread_local size_t looks, first_set;

bool __real_pe_stop_is_set(const struct pe_stop *stop);
bool __wrap_pe_stop_is_set(const struct pe_stop *stop);

void stop_looks_begin(size_t set_at)
{
    looks = 0;
    first_set = set_at;
}

size_t stop_looks_count(void)
{
    return looks;
}

bool __wrap_pe_stop_is_set(const struct pe_stop *stop)
{
    looks++;
    return (first_set > 0 && looks >= first_set) || __real_pe_stop_is_set(stop);
}
