/* SPDX-License-Identifier: Apache-2.0
 * param_set.c - see param_set.h. */
#include "proto/models/param_set.h"

#include <assert.h>
#include <string.h>

bool param_set_next(const struct pe_encoding *enc, const char **sets, struct param_set *set)
{
    bool more = *sets && **sets != '\0';

    set->count = 0;
    while (more) {
        const size_t len = strcspn(*sets, "|&");

        assert(set->count < PARAM_SET_MAX);
        set->at[set->count++] = pe_param_find(enc, *sets, len);
        more = (*sets)[len] == '|';
        *sets += len + ((*sets)[len] != '\0');
    }
    return set->count > 0;
}
