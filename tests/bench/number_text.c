/* SPDX-License-Identifier: Apache-2.0
 * number_text.c write|read|jansson-write|jansson-read|printf FILE [TIMES] - float32 numbers to
 * and from JSON text, by us, by jansson, by snprintf: what writes takes FILE as float32
 * numbers, what reads as a JSON array. So many times, or over and over for a tenth of a CPU
 * second; prints how many numbers a second of CPU time. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/text/float_text.h"
#include "proto/text/json_numbers.h"

enum { CAPACITY = 1 << 21 }; /* numbers */

struct text_bench {
    char *bytes; /* of the file, NUL-terminated */
    size_t len;
    double *values; /* the numbers of the text, or memory for them */
    char *out;
};

static double cpu_time(void)
{
    struct timespec at;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int read_file(struct text_bench *bench, const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0)
        return -1;
    bench->len = (size_t)ftell(file);
    bench->bytes = calloc(bench->len + 1, 1);
    bench->values = malloc(CAPACITY * sizeof(double));
    bench->out = malloc((bench->len / sizeof(float) + 1) * (FLOAT_TEXT_F32_MAX + 1));
    rewind(file);
    if (!bench->bytes || !bench->values || !bench->out ||
        fread(bench->bytes, 1, bench->len, file) != bench->len)
        return -1;
    return fclose(file);
}

/* ---- each returns how many numbers it took ------------------------------------------- */

static size_t write_ours(struct text_bench *bench)
{
    size_t count = bench->len / sizeof(float);

    float_text_f32_list(bench->out, (const float *)(const void *)bench->bytes, count);
    return count;
}

static size_t write_printf(struct text_bench *bench)
{
    const float *values = (const float *)(const void *)bench->bytes;
    size_t count = bench->len / sizeof(float);
    char *at = bench->out;

    for (size_t i = 0; i < count; i++)
        at += snprintf(at, FLOAT_TEXT_F32_MAX, "%.9g,", (double)values[i]);
    return count;
}

static size_t write_jansson(struct text_bench *bench)
{
    const float *values = (const float *)(const void *)bench->bytes;
    size_t count = bench->len / sizeof(float);
    json_t *array = json_array();
    char *text;

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_real((double)values[i]));
    text = json_dumps(array, JSON_COMPACT | JSON_REAL_PRECISION(9));
    count = text ? json_array_size(array) : 0;
    free(text);
    json_decref(array);
    return count;
}

/* A list, and its last number, which no comma follows. */
static size_t read_ours(struct text_bench *bench)
{
    const char *end = bench->bytes + bench->len, *next = bench->bytes + 1;
    size_t count = json_numbers_f64_list(next, end, bench->values, CAPACITY - 1, &next);

    return json_numbers_f64(next, end, &bench->values[count], &next) == JSON_NUMBERS_OK
               ? count + 1
               : 0;
}

static size_t read_jansson(struct text_bench *bench)
{
    json_t *array = json_loadb(bench->bytes, bench->len, 0, NULL);
    size_t count = json_array_size(array);

    for (size_t i = 0; i < count && i < CAPACITY; i++)
        bench->values[i] = json_number_value(json_array_get(array, i));
    json_decref(array);
    return count;
}

int main(int argc, char *argv[])
{
    static const struct {
        const char *name;
        size_t (*run)(struct text_bench *bench);
    } ways[] = {{"write", write_ours},
                {"read", read_ours},
                {"jansson-write", write_jansson},
                {"jansson-read", read_jansson},
                {"printf", write_printf}};
    struct text_bench bench = {.len = 0};
    unsigned long long times = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;

    if (argc < 3 || read_file(&bench, argv[2]) != 0)
        return EXIT_FAILURE;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        size_t taken = 0, done = 0, count;
        double start = cpu_time(), spent;

        if (strcmp(ways[way].name, argv[1]) != 0)
            continue;
        do {
            count = ways[way].run(&bench);
            taken += count;
            spent = cpu_time() - start;
            done++;
        } while (count > 0 && (times ? done < times : spent < 0.1));
        printf("%.0f\n", count > 0 ? (double)taken / spent : 0);
        return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    return EXIT_FAILURE;
}
