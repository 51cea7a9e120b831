/* SPDX-License-Identifier: Apache-2.0
 * compute.c - reads an encoder to its end into one block of bytes; see compute.h. */
#include "server/compute/compute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/pictures/raster.h"

enum {
    LEAST_BYTES = 2,        /* bytes of a number, with its comma in text, at least */
    TEXT_BYTES = 12,        /* bytes of a typical number with its comma */
    TEXT_NS = 20,           /* ns to write a typical number */
    LONG_PLAN_NS = 1000000, /* a plan that takes more is most of the work */
    LONG_LIST = 1 << 16,    /* numbers that are not read for their sum on a loop's thread */
    UNPLANNED_NS = 40,      /* ns to fill an element of an unknown plan, in the middle */
    PICTURE_NS = 20, /* ns to fill an element of an unknown plan and to write its pixel */
    PIXEL_NS = 2,    /* ns to write each further pixel of an element */
    PICTURE_MOST = RASTER_SIDE_MAX * RASTER_SIDE_MAX, /* elements */
    NUMBER_MOST = 32,       /* more bytes than the text of any number has */
    TEXT_MOST = 64 << 10,   /* more bytes than the text around short numbers has */
    TEXT_MIN = 8192,        /* least bytes of the first buffer for text */
    STACK_BYTES = 32 << 10, /* bytes of the buffer on the stack */
    ALIGNMENT = 64,
};

double compute_most_operations(uint64_t work_timeout_ms)
{
    return 2e6 * (double)work_timeout_ms;
}

/* The operations of a picture besides those of the numbers of its elements. */
static double of_pixels(const struct request_options *options, uint64_t elements)
{
    const double cell = (double)options->values.value[OPTION_CELL];

    return options->format->operations + PIXEL_NS * (double)elements * (cell * cell - 1);
}

double compute_cost_ns(const struct pe_plan *plan, const struct request_options *options)
{
    const uint64_t elements = pe_plan_elements(plan);
    double ns = pe_plan_cost_ns(plan, elements);

    if (options->format->picture)
        ns += of_pixels(options, elements);
    else if (!options->format->binary)
        ns += (double)TEXT_NS * (double)elements;
    return ns;
}

/* The share of the elements that are written until text has `limit` bytes. */
static double share_of(uint64_t elements, const struct format *format, size_t limit)
{
    const double bytes = (double)TEXT_BYTES * (double)elements;

    return format->binary || format->picture || bytes <= (double)limit ? 1
                                                                       : (double)limit / bytes;
}

double compute_limited_cost_ns(const struct pe_plan *plan,
                               const struct request_options *options, size_t limit)
{
    return compute_cost_ns(plan, options) *
           share_of(pe_plan_elements(plan), options->format, limit);
}

/* Returns whether reading the request's lists, or the numbers that their ranges are, takes
 * long. */
static bool has_long_lists(const struct request *request)
{
    const struct pe_args *args = request_args(request);
    size_t count;
    const struct pe_param *params = pe_params(request_encoding(request), &count);
    bool found = request_list_bytes(request) > 0;

    for (size_t i = 0; i < count && !found; i++) {
        const struct pe_positions *list = pe_args_positions(args, params[i].name);

        found = list && pe_positions_count(list) > LONG_LIST;
    }
    return found;
}

double compute_unplanned_cost_ns(const struct request *request, size_t limit)
{
    const struct request_options *options = request_options(request);
    const struct format *format = options->format;
    const double planning = pe_args_operations(request_args(request)), fill = UNPLANNED_NS;

    if (limit == 0)
        return planning;
    if (planning > LONG_PLAN_NS && has_long_lists(request))
        return 2 * planning; /* they may have to be read for the shape alone */
    const uint64_t elements = request_elements(request);
    if (!format->picture && elements > limit / LEAST_BYTES)
        return planning;
    if (format->picture && elements > PICTURE_MOST) /* it is refused */
        return planning;
    if (format->picture)
        return planning + PICTURE_NS * (double)elements + of_pixels(options, elements);
    return planning + (fill + (format->binary ? 0 : TEXT_NS)) * (double)elements *
                          share_of(elements, format, limit);
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

uint64_t compute_most_bytes(const struct encoder *encoder, const struct pe_plan *plan,
                            uint64_t limit)
{
    const uint64_t size = encoder_size(encoder), elements = pe_plan_elements(plan);

    if (size != FORMAT_UNKNOWN)
        return size;
    if (elements > (UINT64_MAX - TEXT_MOST) / NUMBER_MOST)
        return limit;
    const uint64_t most = TEXT_MOST + NUMBER_MOST * elements;
    return most < limit ? most : limit;
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
    if (compute->is_timed)
        encoder_set_clock(compute->encoder, uv_hrtime);
    if (!compute->files || !compute_to_file(compute))
        run_to_memory(compute);
    if (compute->stop) /* it may not outlive the computation */
        encoder_set_stop(compute->encoder, NULL);
    compute->ns = uv_hrtime() - compute->started;
    compute->fill_ns = encoder_fill_ns(compute->encoder);
}
