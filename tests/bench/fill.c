/* SPDX-License-Identifier: Apache-2.0
 * fill.c WHAT PLACE PASSES THREADS PATH ENCODING NAME=VALUE... - fills the first group of an
 * answer by libposenc, over and over, and prints the bytes a second of CPU time, which other
 * programs of the machine take none of; of several threads that of the busiest one counts.
 *
 *     WHAT     posenc, or what it is measured by: memset (not of zeros: some CPUs write these
 *              at twice the speed of other bytes), zeros, rows (memset of each row by itself),
 *              memcpy (of the tensor that came)
 *     PLACE    block: 64 KiB that are used again and again, as the server does;
 *              array: an array for the whole answer, touched before; fresh: a new one a pass;
 *              planned: a new plan a pass too; in-place: the tensor that came
 *     PASSES   over the whole answer; 0: for at least a tenth of a CPU second
 *     THREADS  each on a core of its own fills its share of the rows PASSES times
 *     PATH     of the CPU: auto, generic, avx2, avx512
 *
 * A value that begins with @ is a tensor of pseudo-random numbers: x=@f32:4096,32,128. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "core/posenc.h"

enum { BLOCK_BYTES = 64 << 10, ALIGN = 64, PAGE = 4096 };
enum what { POSENC, MEMSET, ZEROS, ROWS, MEMCPY };
enum place { BLOCK, ARRAY, FRESH, PLANNED, IN_PLACE };

struct bench {
    enum what what;
    enum place place;
    struct pe_args *args;
    struct pe_table *table; /* which the service would keep; may be NULL */
    struct pe_plan *plan;
    size_t slots;
    size_t row_bytes[PE_MAX_OUTPUTS], all_row_bytes;
    uint64_t rows, cols;
    char *array[PE_MAX_OUTPUTS];
    char *input; /* of the one PE_TENSOR parameter, or NULL */
};

struct share { /* of a thread */
    struct bench *bench;
    uint64_t row, end;
    size_t core, passes;
    double spent; /* seconds of its CPU time */
    pthread_barrier_t *begin;
};

static void die(const char *why)
{
    fprintf(stderr, "fill: %s\n", why);
    exit(EXIT_FAILURE);
}

/* Seconds of CPU time of this thread. */
static double cpu_time(void)
{
    struct timespec at;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int index_of(const char *word, const char *const words[])
{
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    die(word);
    return -1;
}

static char *map(size_t bytes)
{
    char *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        die("no memory");
    return memory;
}

/* ---- the plan ------------------------------------------------------------------------ */

/* @f32:4096,32,128 */
static struct pe_tensor tensor_of(const char *text)
{
    struct pe_tensor tensor = {.rank = 0};
    const char *at = strchr(text, ':');

    if (!at || !pe_dtype_find(text + 1, (size_t)(at - text - 1), &tensor.dtype))
        die(text);
    while (*at && tensor.rank < PE_MAX_RANK)
        tensor.dims[tensor.rank++] = strtoull(at + 1, (char **)&at, 10);
    return tensor;
}

static char *random_numbers(const struct pe_tensor *tensor)
{
    size_t count = 1, size = pe_dtype_size(tensor->dtype);
    uint64_t state = 1;
    char *memory;

    for (size_t i = 0; i < tensor->rank; i++)
        count *= tensor->dims[i];
    memory = map(count * size);
    for (size_t i = 0; i < count; i++) {
        double number;

        state = state * 6364136223846793005u + 1442695040888963407u;
        number = (double)(int64_t)state * 0x1p-62;
        pe_dtype_from_f64(tensor->dtype, memory + i * size, &number, 1);
    }
    return memory;
}

static struct pe_args *args_of(struct bench *bench, const char *encoding, char *pairs[])
{
    struct pe_errors errors = {.count = 0};
    const struct pe_encoding *found = pe_find(encoding, strlen(encoding));
    struct pe_args *args = found ? pe_args_new(found) : NULL;

    if (!args)
        die(encoding);
    for (; *pairs; pairs++) {
        char *value = strchr(*pairs, '=');
        size_t len = value ? (size_t)(value - *pairs) : 0;

        if (!value)
            die(*pairs);
        if (*++value == '@') {
            struct pe_tensor tensor = tensor_of(value);

            bench->input = random_numbers(&tensor);
            pe_args_set_tensor(args, *pairs, len, &tensor, &errors);
        } else {
            pe_args_set_text(args, *pairs, len, value, strlen(value), &errors);
        }
    }
    if (pe_args_check(args, &errors) != PE_OK)
        die(errors.at[0].detail);
    return args;
}

static void make_plan(struct bench *bench)
{
    struct pe_errors errors = {.count = 0};
    const struct pe_limits limits = {.max_elements = UINT64_C(1) << 40,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};

    if (pe_plan_new(&bench->plan, bench->args, bench->table, &limits, &errors) != PE_OK)
        die(errors.at[0].detail);
    bench->slots = bench->all_row_bytes = 0;
    for (size_t i = 0; i < pe_plan_tensor_count(bench->plan); i++) {
        const struct pe_tensor_info *info = pe_plan_tensor(bench->plan, i);

        if (info->group != 0)
            continue;
        bench->rows = info->rows;
        bench->cols = info->cols;
        bench->row_bytes[info->slot] = info->cols * pe_dtype_size(info->dtype);
        bench->all_row_bytes += bench->row_bytes[info->slot];
        bench->slots++;
    }
}

/* ---- a pass -------------------------------------------------------------------------- */

static void fill_rect(const struct bench *bench, const struct pe_rect *rect, char *const out[],
                      void *scratch)
{
    const void *input[] = {bench->input, bench->input, bench->input};

    switch (bench->what) {
    case POSENC:
        pe_fill_next(bench->plan, 0, rect, (void *const *)out, bench->input ? input : NULL,
                     scratch);
        break;
    case MEMSET:
    case ZEROS:
        for (size_t i = 0; i < bench->slots; i++)
            memset(out[i], bench->what == ZEROS ? 0 : 1, rect->rows * bench->row_bytes[i]);
        break;
    case ROWS:
        for (size_t i = 0; i < bench->slots; i++)
            for (uint64_t row = 0; row < rect->rows; row++)
                memset(out[i] + row * bench->row_bytes[i], 1 + ((int)row & 1),
                       bench->row_bytes[i]);
        break;
    case MEMCPY:
        memcpy(out[0], bench->input + rect->row * bench->row_bytes[0],
               rect->rows * bench->row_bytes[0]);
        break;
    }
}

static void *fill_share(void *context)
{
    const struct share *share = context;
    const struct bench *bench = share->bench;
    uint64_t fit = BLOCK_BYTES / bench->all_row_bytes;
    uint64_t step = bench->place != BLOCK ? share->end - share->row : fit ? fit : 1;
    size_t scratch_bytes = pe_plan_scratch(bench->plan, step * bench->cols * bench->slots);
    void *scratch = aligned_alloc(ALIGN, (scratch_bytes / ALIGN + 1) * ALIGN);
    char *block = aligned_alloc(PAGE, (step * bench->all_row_bytes / PAGE + 1) * PAGE);

    if (!scratch || !block)
        die("no memory");
    pe_scratch_begin(scratch);
    for (uint64_t row = share->row; row < share->end; row += step) {
        struct pe_rect rect = {.row = row, .cols = bench->cols};
        char *out[PE_MAX_OUTPUTS] = {NULL}, *at = block;

        rect.rows = share->end - row < step ? share->end - row : step;
        for (size_t i = 0; i < bench->slots; at += step * bench->row_bytes[i++])
            out[i] = bench->place == BLOCK      ? at
                     : bench->place == IN_PLACE ? bench->input + row * bench->row_bytes[i]
                                                : bench->array[i] + row * bench->row_bytes[i];
        fill_rect(bench, &rect, out, scratch);
    }
    free(block);
    free(scratch);
    return NULL;
}

static void each_array(struct bench *bench, bool mapped)
{
    for (size_t i = 0; i < bench->slots; i++)
        if (mapped)
            bench->array[i] = map(bench->rows * bench->row_bytes[i]);
        else
            munmap(bench->array[i], bench->rows * bench->row_bytes[i]);
}

static void pass(struct bench *bench)
{
    struct share all = {.bench = bench, .end = bench->rows};

    if (bench->place == PLANNED) {
        pe_plan_free(bench->plan);
        make_plan(bench);
    }
    if (bench->place == FRESH || bench->place == PLANNED)
        each_array(bench, true);
    fill_share(&all);
    if (bench->place == FRESH || bench->place == PLANNED)
        each_array(bench, false);
}

/* ---- passes ------------------------------------------------------------------------------ */

static double alone(struct bench *bench, size_t wanted, size_t *done)
{
    double start = cpu_time(), spent;

    do {
        pass(bench);
        spent = cpu_time() - start;
        ++*done;
    } while (wanted ? *done < wanted : spent < 0.1);
    return spent;
}

static void *fill_passes(void *context)
{
    struct share *share = context;
    cpu_set_t cores;

    CPU_ZERO(&cores);
    CPU_SET(share->core, &cores);
    (void)sched_setaffinity(0, sizeof cores, &cores); /* if the machine has this core */
    pthread_barrier_wait(share->begin);
    const double start = cpu_time();
    for (size_t i = 0; i < share->passes; i++)
        fill_share(context);
    share->spent = cpu_time() - start;
    return NULL;
}

/* The CPU time of the thread that takes the most. */
static double together(struct bench *bench, size_t threads, size_t passes)
{
    struct share shares[64];
    pthread_t ids[64];
    pthread_barrier_t begin;
    double most = 0;

    pthread_barrier_init(&begin, NULL, (unsigned)threads);
    for (size_t i = 0; i < threads; i++) {
        shares[i] = (struct share){.bench = bench,
                                   .row = bench->rows * i / threads,
                                   .end = bench->rows * (i + 1) / threads,
                                   .core = i,
                                   .passes = passes,
                                   .begin = &begin};
        if (pthread_create(&ids[i], NULL, fill_passes, &shares[i]) != 0)
            die("no thread");
    }
    for (size_t i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        most = shares[i].spent > most ? shares[i].spent : most;
    }
    pthread_barrier_destroy(&begin);
    return most;
}

static void choose_path(const char *name)
{
    for (size_t i = 0; i < pe_cpu_path_count(); i++)
        if (strcmp(name, pe_cpu_path_name(i)) == 0 && pe_cpu_path_set(i))
            return;
    if (strcmp(name, "auto") != 0)
        die(name);
}

int main(int argc, char *argv[])
{
    static const char *const whats[] = {"posenc", "memset", "zeros", "rows", "memcpy", NULL};
    static const char *const places[] = {"block",   "array",    "fresh",
                                         "planned", "in-place", NULL};
    struct bench bench = {.what = POSENC};
    size_t wanted, done = 0, threads;
    double spent;

    if (argc < 7)
        die("see the head of tests/bench/fill.c");
    bench.what = (enum what)index_of(argv[1], whats);
    bench.place = (enum place)index_of(argv[2], places);
    wanted = strtoull(argv[3], NULL, 10);
    threads = strtoull(argv[4], NULL, 10);
    choose_path(argv[5]);
    bench.args = args_of(&bench, argv[6], argv + 7);
    if (bench.what == POSENC && bench.place != PLANNED && pe_args_table_key(bench.args)) {
        bench.table = pe_table_build(bench.args);
        for (int asked = 0; asked < 2; asked++)
            if (!bench.table || !pe_table_grow(bench.table, bench.args))
                die("no memory");
    }
    make_plan(&bench);
    if (threads < 1 || threads > 64 || bench.all_row_bytes == 0)
        die("1 to 64 threads, and something to fill");
    if (threads > 1 && (bench.place == FRESH || bench.place == PLANNED || wanted == 0))
        die("threads want PASSES, and memory that stays");
    if (bench.place == ARRAY) {
        each_array(&bench, true);
        pass(&bench); /* touched */
    }
    if (threads > 1)
        spent = together(&bench, threads, done = wanted);
    else
        spent = alone(&bench, wanted, &done);
    printf("%.0f\n", (double)(done * bench.rows * bench.all_row_bytes) / spent);
    return EXIT_SUCCESS;
}
