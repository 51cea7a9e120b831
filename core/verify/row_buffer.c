/* SPDX-License-Identifier: Apache-2.0
 * row_buffer.c - allocates buffers of rows, and divides them. */
#include "core/verify/row_buffer.h"

#include <assert.h>
#include <stdlib.h>

struct row_buffer row_buffer_new(size_t capacity, bool *failed)
{
    struct row_buffer made = {calloc(capacity + 1, sizeof(double)), capacity};

    *failed = *failed || !made.at;
    return made;
}

struct row_buffer row_buffer_part(struct row_buffer whole, size_t first, size_t capacity)
{
    assert(first <= whole.capacity && capacity <= whole.capacity - first);
    return (struct row_buffer){whole.at + first, capacity};
}
