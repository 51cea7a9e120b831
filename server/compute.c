/* SPDX-License-Identifier: Apache-2.0
 * compute.c - pulls an encoder dry into one block; see compute.h. */
#include "server/compute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <uv.h>

enum {
    TEXT_BYTES = 12, /* of a typical number with its comma */
    TEXT_NS = 20,    /* to write one */
    TEXT_MIN = 8192, /* first room for text */
};

double compute_cost_ns(const struct pe_plan *plan, const struct format *format)
{
    uint64_t elements = pe_plan_elements(plan);
    double text = format->binary ? 0.0 : (double)TEXT_NS * (double)elements;

    return pe_plan_cost_ns(plan, elements) + text;
}

bool compute_surely_longer(const struct encoder *encoder, uint64_t elements, size_t limit)
{
    uint64_t size = encoder_size(encoder);

    return size == FORMAT_UNKNOWN ? elements > limit / 2 : size > limit;
}

/* Room for the whole answer where its length is known, else for a good guess. The encoder
 * wants FORMAT_MIN_ROOM even to say that it is at its end. */
static size_t first_size(const struct compute *compute)
{
    uint64_t size = encoder_size(compute->encoder);

    if (size == FORMAT_UNKNOWN)
        size = TEXT_MIN + compute->elements * TEXT_BYTES;
    if (size > compute->limit)
        size = compute->limit;
    return (size_t)size + FORMAT_MIN_ROOM;
}

static bool grow(struct compute *compute, size_t *size)
{
    char *bytes;

    *size += *size / 2;
    bytes = realloc(compute->bytes, *size);
    if (!bytes)
        return false;
    compute->bytes = bytes;
    return true;
}

static enum compute_result pull(struct compute *compute)
{
    size_t size = first_size(compute), got;

    compute->bytes = malloc(size);
    if (!compute->bytes)
        return COMPUTE_NO_MEMORY;
    for (;;) {
        if (size - compute->len < FORMAT_MIN_ROOM && !grow(compute, &size))
            return COMPUTE_NO_MEMORY;
        got =
            encoder_read(compute->encoder, compute->bytes + compute->len, size - compute->len);
        compute->len += got;
        if (compute->len > compute->limit)
            return COMPUTE_TOO_LONG;
        if (got == 0)
            return COMPUTE_DONE;
    }
}

void compute_run(struct compute *compute)
{
    uint64_t start = uv_hrtime();
    char *exact;

    compute->bytes = NULL;
    compute->len = 0;
    compute->result = pull(compute);
    if (compute->result == COMPUTE_NO_MEMORY) {
        free(compute->bytes);
        compute->bytes = NULL;
    } else {
        exact = realloc(compute->bytes, compute->len ? compute->len : 1);
        if (exact)
            compute->bytes = exact;
    }
    compute->ns = uv_hrtime() - start;
}
