/* SPDX-License-Identifier: Apache-2.0
 * page_state.c - see page_state.h. */
#include "proto/pages/page_state.h"

#include "proto/request/canonical.h"
#include "proto/request/option.h"
#include "proto/request/param_names.h"

/* Returns whether the name is a parameter that decides the numbers or their colours. */
static bool is_state(const struct pe_encoding *enc, const struct query_parameter *at)
{
    const struct pe_param *row = param_names_find(enc, at->name, at->name_len);
    const enum option_id option = row ? option_of(row) : OPTION_COUNT;

    return row && option != OPTION_FORMAT && option != OPTION_DATA && option != OPTION_PRETTY &&
           option != OPTION_REV && option != OPTION_CELL;
}

static void add(struct buffer *out, const struct query_parameter *at)
{
    buffer_add_text(out, out->len > 0 ? "&" : "");
    canonical_encode(out, at->name);
    buffer_add_text(out, "=");
    canonical_encode(out, at->value);
}

void page_state_write(struct buffer *out, const struct pe_encoding *enc,
                      const struct query *query)
{
    for (size_t i = 0; i < query->count; i++)
        if (is_state(enc, &query->at[i]))
            add(out, &query->at[i]);
}
