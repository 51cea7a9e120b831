/* SPDX-License-Identifier: Apache-2.0
 * window.c - numbers of offsets between patches, and the hooks around them. */
#include "core/encodings/bias/window.h"

/* The numbers that come after the offsets, in this order. */
enum { CLASS_TO_PATCH, PATCH_TO_CLASS, CLASS_TO_CLASS, CLASS_ROWS };

static uint64_t offsets_of(const struct window *w)
{
    return (uint64_t)(2 * w->window_size.height - 1) * (uint64_t)(2 * w->window_size.width - 1);
}

static uint64_t window_tokens(const struct window *w)
{
    return (uint64_t)(w->window_size.height * w->window_size.width) + w->class_token;
}

uint64_t window_rows(const struct window *w)
{
    return offsets_of(w) + (w->class_token ? CLASS_ROWS : 0);
}

/* Fills the numbers of the offsets from a patch to `count` consecutive patches. */
static void index_patches(const struct window *w, int64_t query, int64_t key, size_t count,
                          double *out)
{
    int64_t height = w->window_size.height, width = w->window_size.width;
    int64_t yq = query / width, xq = query % width, yk = key / width, xk = key % width;

    for (size_t t = 0; t < count; t++) {
        out[t] = (double)((yq - yk + height - 1) * (2 * width - 1) + (xq - xk) + width - 1);
        if (++xk == width)
            xk = 0, yk++;
    }
}

static void index_row(const void *values, uint64_t query, uint64_t key, size_t count,
                      double *out)
{
    const struct window *w = values;
    double offsets = (double)offsets_of(w);
    size_t t = 0;

    if (!w->class_token) {
        index_patches(w, (int64_t)query, (int64_t)key, count, out);
        return;
    }
    if (key == 0 && count > 0)
        out[t++] = offsets + (query == 0 ? CLASS_TO_CLASS : PATCH_TO_CLASS);
    if (query > 0)
        index_patches(w, (int64_t)query - 1, (int64_t)(key + t) - 1, count - t, out + t);
    for (; query == 0 && t < count; t++)
        out[t] = offsets + CLASS_TO_PATCH;
}

struct lookup window_lookup(const struct window *w)
{
    return (struct lookup){index_row, w, 1};
}

/* ---- biases of all offsets --------------------------------------------------------------- */

static struct lookup_bias bias_of(const struct window *w, const struct pe_tensor *table)
{
    return (struct lookup_bias){.lookup = window_lookup(w),
                                .table = {table, 0},
                                .queries = window_tokens(w),
                                .keys = window_tokens(w),
                                .scale = {1, 0}};
}

static struct pe_tensor table_of(const struct window_answers *a)
{
    const struct window window = {.window_size = a->window_size};

    return (struct pe_tensor){PE_F64, 2, {window_rows(&window), a->heads}};
}

double window_answers_ns(const struct window_answers *a)
{
    const struct window window = {.window_size = a->window_size};
    const struct pe_tensor table = table_of(a);
    const struct lookup_bias bias = bias_of(&window, &table);

    return a->ns * (double)window_rows(&window) + lookup_plan_ns(&bias);
}

void window_fill_answers(struct pe_build *build, size_t group, const struct window_answers *a)
{
    const int64_t across = 2 * a->window_size.width - 1;
    struct window *window = pe_build_alloc(build, sizeof *window);
    struct pe_tensor *table = pe_build_alloc(build, sizeof *table);
    struct lookup_bias bias;
    double *values;

    if (!window || !table)
        return;
    window->window_size = a->window_size;
    *table = table_of(a);
    values = pe_build_alloc(build, table->dims[0] * a->heads * sizeof *values);
    for (int64_t at = 0; values && at < (int64_t)table->dims[0] && !pe_build_stopped(build);
         at++)
        a->answer(a->rule, at / across - a->window_size.height + 1,
                  at % across - a->window_size.width + 1, values + (size_t)at * a->heads);
    bias = bias_of(window, table);
    bias.own = values;
    if (values)
        lookup_fill_bias(build, group, &bias);
}

/* ---- hooks ------------------------------------------------------------------------------- */

void window_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct window *w = values;

    if (pe_wants(args, WINDOW_BIAS))
        lookup_check_bias(&w->table, "table", window_rows(w), false, errors);
}

struct pe_interval window_range(const struct pe_args *args, const void *values, size_t output)
{
    return (struct pe_interval){0, (double)(window_rows(values) - 1)};
}

double window_plan_ns(const struct pe_args *args, const void *values)
{
    const struct window *w = values;
    const struct lookup_bias bias = bias_of(w, &w->table);

    return pe_wants(args, WINDOW_BIAS) ? lookup_plan_ns(&bias) : 0;
}

void window_prepare(struct pe_build *build, const void *values)
{
    const struct window *w = values;
    const struct lookup_bias bias = bias_of(w, &w->table);

    lookup_fill_index(build, WINDOW_INDEX, &bias.lookup);
    lookup_fill_bias(build, WINDOW_BIAS, &bias);
    pe_build_fact(build, "num_relative_distance", (double)window_rows(w));
    pe_build_fact_text(build, "sign", "offsets are query - key");
}
