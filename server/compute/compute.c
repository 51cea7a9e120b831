/* SPDX-License-Identifier: Apache-2.0
 * compute.c - reads an encoder to its end into one block of bytes; see compute.h. */
#include "server/compute/compute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    TEXT_BYTES = 12,        /* bytes of a typical number with its comma */
    TEXT_NS = 20,           /* ns to write a typical number */
    PICTURE_NS = 1000000,   /* ns to write the pixels of a small picture: work for the pool */
    TEXT_MIN = 8192,        /* least bytes of the first buffer for text */
    STACK_BYTES = 32 << 10, /* bytes of the buffer on the stack */
    ALIGNMENT = 64,
};

double compute_most_operations(uint64_t work_timeout_ms)
{
    return 2e6 * (double)work_timeout_ms;
}

double compute_cost_ns(const struct pe_plan *plan, const struct format *format)
{
    uint64_t elements = pe_plan_elements(plan);
    double text = format->binary ? 0.0 : (double)TEXT_NS * (double)elements;

    return pe_plan_cost_ns(plan, elements) + text + (format->picture ? PICTURE_NS : 0);
}

size_t compute_element_size(const struct pe_plan *plan)
{
    size_t least = sizeof(double);

    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        size_t size = pe_dtype_size(pe_plan_tensor(plan, i)->dtype);

        least = size < least ? size : least;
    }
    return least;
}

size_t compute_step(const struct pe_plan *plan, double operations)
{
    double bytes = operations / pe_plan_cost_ns(plan, 1) * (double)compute_element_size(plan);

    return bytes < FORMAT_MIN_CAPACITY    ? FORMAT_MIN_CAPACITY
           : bytes < (double)SIZE_MAX / 2 ? (size_t)bytes
                                          : SIZE_MAX;
}

bool compute_surely_longer(const struct encoder *encoder, uint64_t elements, size_t limit)
{
    uint64_t size = encoder_size(encoder);

    return size == FORMAT_UNKNOWN ? elements > limit / 2 : size > limit;
}

/* Returns the length of the answer, or a good guess, and FORMAT_MIN_CAPACITY, which the encoder
 * needs even to report its end. */
static size_t first_size(const struct compute *compute)
{
    uint64_t size = encoder_size(compute->encoder);

    if (size == FORMAT_UNKNOWN)
        size = TEXT_MIN + compute->elements * TEXT_BYTES;
    if (size > compute->limit)
        size = compute->limit;
    return (size_t)size + FORMAT_MIN_CAPACITY;
}

/* The buffer of a growing answer: on the stack while the answer is short, so that the heap,
 * which keeps it, gets a block of exactly its length. */
struct output {
    char *on_stack, *bytes; /* bytes is on_stack, or malloc'd */
    size_t size;
};

static bool grow(struct output *output, size_t used, size_t size)
{
    char *bytes =
        output->bytes == output->on_stack ? malloc(size) : realloc(output->bytes, size);

    if (!bytes)
        return false;
    if (output->bytes == output->on_stack && used > 0)
        memcpy(bytes, output->on_stack, used);
    output->bytes = bytes;
    output->size = size;
    return true;
}

static size_t pull_some(struct compute *compute, struct output *output)
{
    size_t left = output->size - compute->len;

    if (compute->step > 0 && left > compute->step)
        left = compute->step;
    return encoder_read(compute->encoder, output->bytes + compute->len, left);
}

static enum compute_result pull(struct compute *compute, struct output *output)
{
    size_t size = first_size(compute), got;

    if (size > output->size && !grow(output, 0, size))
        return COMPUTE_NO_MEMORY;
    for (;;) {
        if (output->size - compute->len < FORMAT_MIN_CAPACITY &&
            !grow(output, compute->len, output->size + output->size / 2))
            return COMPUTE_NO_MEMORY;
        if (pe_stop_is_set(compute->stop))
            return COMPUTE_STOPPED;
        got = pull_some(compute, output);
        compute->len += got;
        if (compute->len > compute->limit)
            return COMPUTE_TOO_LONG;
        if (got == 0)
            return !encoder_failed(compute->encoder) ? COMPUTE_DONE
                   : pe_stop_is_set(compute->stop)   ? COMPUTE_STOPPED
                                                     : COMPUTE_NO_MEMORY;
    }
}

static void run_to_memory(struct compute *compute)
{
    _Alignas(ALIGNMENT) char on_stack[STACK_BYTES];
    struct output output = {.on_stack = on_stack, .bytes = on_stack, .size = sizeof on_stack};

    compute->result = pull(compute, &output);
    /* A finished answer gets a block of its own length, if there is memory for it. One beyond
     * the limit is freed soon: cut, it would leave a hole that the next such block does not fit
     * in. */
    if (compute->result == COMPUTE_DONE)
        (void)grow(&output, compute->len, compute->len ? compute->len : 1);
    if (compute->result <= COMPUTE_TOO_LONG && output.bytes != on_stack)
        compute->bytes = output.bytes;
    else if (output.bytes != on_stack)
        free(output.bytes);
    if (compute->result <= COMPUTE_TOO_LONG && !compute->bytes)
        compute->result = COMPUTE_NO_MEMORY;
}

void compute_run(struct compute *compute)
{
    compute->started = uv_hrtime();
    compute->bytes = NULL;
    compute->file = NULL;
    compute->len = 0;
    if (compute->stop)
        encoder_set_stop(compute->encoder, compute->stop);
    if (!compute->files || !compute_to_file(compute))
        run_to_memory(compute);
    if (compute->stop) /* it may not outlive the computation */
        encoder_set_stop(compute->encoder, NULL);
    compute->ns = uv_hrtime() - compute->started;
}
